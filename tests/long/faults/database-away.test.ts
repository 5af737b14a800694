/** A PostgreSQL that stops and starts again under a running server: what callers and the log get meanwhile. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { type EmbeddedPostgres, startEmbedded } from "#lib/platform/db/embedded.ts";
import { choiceForm } from "#tests/support/choice-form.ts";
import { switchCluster, temporaryFolder } from "#tests/support/database.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";

type Line = Readonly<Record<string, unknown>>;

/** The parts of the error that no visitor may see. */
const INSIDE = /postgres|sql|ECONN|57P0|connection|node_modules|\.ts:[0-9]/i;

/** A second less the time that the machine may take for the rest of a line, which the limit does not know. */
const LEAST_PAUSE_MS = 800;

const folder = temporaryFolder();
let switchBack: (() => void) | undefined;
let server: EmbeddedPostgres;
let port: number;
let stack: Stack;
let link: { refid: string; url: string };

before(async () => {
  // A port that nothing else takes while the server is away.
  port = await choosePort(0);
  server = await startEmbedded(folder, { durable: false, port });
  switchBack = switchCluster(server.url);
  stack = await startStack();
  link = await stack.createLink();
});
after(async () => {
  await stack?.close();
  await server?.stop();
  switchBack?.();
  rmSync(folder, { recursive: true, force: true });
});

const ask = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, {
    ...init,
    headers: { "x-staging-api-key": stack.testKey, connection: "close" },
  });
  return { status: response.status, again: response.headers.get("retry-after"), text: await response.text() };
};

/** The whole lines of the log from `start` on: another one may be written now. */
const logFrom = (start: number): Line[] =>
  stack
    .log()
    .slice(start)
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

test("while the database is away, callers get 503 and the log one line a second, and then all works again", async () => {
  const { url, refid } = link;
  const gets = [`${stack.baseUrl}/payment-links/${refid}`, `${url}/version`, url, `${url}/preview.png`];
  for (const one of gets) assert.equal((await ask(one)).status, 200, one);
  const { text: page } = await ask(url);
  const start = stack.log().length;
  await server.stop();

  const generate = `${stack.baseUrl}/wallets/generate-merchant-wallet`;
  const body = new URLSearchParams({ network: "bep20" });
  const posts = [
    await ask(generate, { method: "POST", body }),
    await ask(url, { method: "POST", body: choiceForm(page) }),
  ];
  for (const answer of [...posts, ...(await Promise.all(gets.map((one) => ask(one))))]) {
    assert.deepEqual([answer.status, answer.again], [503, "5"], answer.text.slice(0, 200));
    assert.doesNotMatch(answer.text, INSIDE);
  }
  assert.match(
    posts[0]?.text ?? "",
    /^\{"status":"fail","message":"service unavailable","code":"service_unavailable",/,
  );
  const outage = (line: Line) => line.msg === "the database is unavailable";
  const refused = (line: Line) => outage(line) && /^ECONNREFUSED /.test(String(line.cause));
  await until("three lines about it", () => logFrom(start).filter(refused).length >= 3);

  server = await startEmbedded(folder, { durable: false, port });
  for (const one of gets) await until(one, async () => (await ask(one)).status === 200);
  await until("the worker to watch again", () =>
    logFrom(start).some(({ msg }) => msg === "watching the network"),
  );
  const lines = logFrom(start);
  assert.deepEqual(
    lines.filter(({ err }) => err !== undefined),
    [],
    "errors with their stacks",
  );
  for (const sameCause of Map.groupBy(lines.filter(outage), ({ cause }) => cause).values()) {
    const times = sameCause.map(({ time }) => Date.parse(String(time)));
    const pauses = times.slice(1).map((time, i) => time - (times[i] ?? 0));
    assert.ok(
      pauses.every((ms) => ms >= LEAST_PAUSE_MS),
      `${sameCause[0]?.cause}: ${pauses.join(", ")} ms apart`,
    );
  }
  assert.ok(lines.some((line) => refused(line) && Number(line.leftOut) > 0));
});
