import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { folderOfFile } from "#tests/support/folders.ts";
import { openTestCli } from "#tests/support/run-cli.ts";
import { solanaAddress } from "#tests/support/solana.ts";
import { readLastDecision } from "./decisions.ts";

const t = await databaseOfFile();
const folder = folderOfFile();

const variables = () => ({ DATABASE_URL: t.url, USER: "ada" });
const cli = openTestCli(variables);
/** The command that imports a file with this text. */
function importing(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return `addresses import --network solana --file ${file}`;
}

test("addresses import accepts the offline output of wallet new, and records it", async () => {
  const made = (await openTestCli(() => ({ DATA_DIR: folder })).run("wallet new --solana 3")).json() as {
    pools: { env: string; addresses: { address: string; path: string }[] }[];
    accounts: { network: string }[];
  };
  assert.deepEqual(
    made.pools.map(({ env, addresses }) => [env, addresses.length]),
    [
      ["live", 3],
      ["test", 3],
    ],
  );
  assert.ok(
    made.accounts.every(({ network }) => network !== "solana"),
    "no public key derives its addresses",
  );
  const lines = made.pools[0]!.addresses.map(({ address, path }) => `${address} ${path}`);
  const counts = { imported: 3, known: 0, repeated: 0, size: 3, left: 3 };
  const done = await cli.answer(importing("live.txt", lines.join("\n")));
  assert.deepEqual(done, { env: "live", network: "solana", ...counts });
  assert.deepEqual(await readLastDecision(t.db), {
    actor: "operator:ada",
    action: "addresses.import",
    subject: "pool:live:solana",
    details: { imported: 3, known: 0, size: 3 },
  });
});

test("rejects a file with any other content as a whole, and reports the line", async () => {
  const bad = importing("bad.txt", `${solanaAddress(0)}\nnonsense\n`);
  await cli.refuses({
    [`${bad} --env test`]: /nothing was imported:\n {2}line 2 is not a valid address/,
    [`addresses import --network solana --file ${join(folder, "none.txt")}`]:
      "--file cannot be read: check the path",
  });
  // Only networks whose addresses are imported have a pool.
  await cli.misuses(/'bitcoin' is invalid/, "addresses import --network bitcoin --file x");
});
