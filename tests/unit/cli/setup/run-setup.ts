/** Runs `paylink setup` as a person does: each question gets its answer when it is asked. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { after, type TestContext } from "node:test";
import { parseEnv } from "node:util";
import pg from "pg";
import { runCommand } from "#lib/cli/run-command.ts";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { startAnvil } from "#tests/support/anvil.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";

/** Only root can make files of another owner. */
export const isRoot = process.getuid?.() === 0;
export const SECRET_KEY = "setup-secret-0123456789-0123456789";

type Answer = string | ((said: string) => string);
export type Answers = readonly (readonly [question: RegExp, ...answers: Answer[]])[];

/** Runs setup in a folder. Each answer belongs to the next question that matches; a list is given one after another. */
export async function setUp(
  folder: string,
  answers: Answers,
  env: Readonly<Record<string, string>> = { DATA_DIR: join(folder, "data"), USER: "ada" },
) {
  const stdin = new PassThrough();
  const left = answers.map(([question, ...given]) => ({ question, given }));
  let [said, out, asked] = ["", "", 0];
  const stderr = new Writable({
    decodeStrings: false,
    write(part: string, _encoding, done) {
      said += part;
      done();
      if (!part.endsWith(": ")) return;
      asked += 1;
      const next = left.find(({ question, given }) => given.length > 0 && question.test(part));
      const answer = next?.given.shift();
      if (answer === undefined) stdin.end();
      else stdin.write(`${typeof answer === "string" ? answer : answer(said)}\n`);
    },
  });
  const stdout = new Writable({
    decodeStrings: false,
    write(part: string, _encoding, done) {
      out += part;
      done();
    },
  });
  const status = await runCommand({ args: ["setup"], env, stdin, stdout, stderr, folder });
  const unused = left.flatMap(({ question, given }) => given.map((answer) => `${question}: ${answer}`));
  return { status, said, out, asked, unused, file: join(folder, ".env") };
}

/** Setup looks at the free one seconds later. Servers of other tests do not get it meanwhile. */
export async function takePort(context: TestContext): Promise<[taken: string, free: string]> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  context.after(() => server.close());
  return [String((server.address() as AddressInfo).port), String(await choosePort(0))];
}

/** The word that setup asks for, of the words that it showed last. */
export const chosenWord = (said: string) => {
  const place = /Word (\d+) of your paper \(empty: choose again\): $/.exec(said)![1]!;
  const shown = said.match(/^1 [a-z]+ {2}2 .*$/gm)!.at(-1)!;
  return new RegExp(` ?\\b${place} ([a-z]+)`).exec(shown)![1]!;
};

export async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ found: string | null }>(text)).rows[0]?.found;
  } finally {
    await client.end();
  }
}

export const findTables = (url: string) => query(url, "select to_regclass('merchants')::text as found");

export const valuesOf = (file: string) => parseEnv(readFileSync(file, "utf8")) as Record<string, string>;

/** The database server and the development chain of a file, and what needs them. */
export async function openSetupWorld() {
  const t = await databaseOfFile();
  const anvil = await startAnvil({ chainId: 31_337 });
  after(() => anvil.stop());
  return {
    t,
    anvil,
    wrongPassword: () => Object.assign(new URL(t.url), { password: "wrong" }).href,
    /** An empty database of its own on the server of this file. */
    async newDatabase(context: TestContext): Promise<string> {
      const name = `setup_${randomUUID().replaceAll("-", "")}`;
      await query(t.url, `create database ${name}`);
      context.after(() => query(t.url, `drop database ${name} with (force)`));
      return Object.assign(new URL(t.url), { pathname: `/${name}` }).href;
    },
    /** Answers of a set-up that succeeds. Those given first belong to the first questions that match. */
    answersOf: (database: string, port: string, ...first: Answers): Answers => [
      ...first,
      [/There is a \.env/, "yes"],
      [/^Environment/, "test"],
      [/^PostgreSQL/, database],
      [/^Port/, port],
      [/^Address/, ""],
      [/^Network/, "bep20", ""],
      [/URL of a node/, anvil.url],
      [/development chain/, ""],
      [/^Wallet/, "new"],
      [/^Word/, chosenWord],
      [/^Mail server/, ""],
      [/e-mail address/, `${randomUUID()}@example.com`],
      [/name, on the payment page/, "Shop"],
    ],
  };
}
