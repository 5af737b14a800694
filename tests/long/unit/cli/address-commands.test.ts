import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { asc } from "drizzle-orm";
import { startSolanaNode } from "#lib/demo/solana-node/start-solana-node.ts";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { runCli } from "#tests/support/run-cli.ts";
import { solanaAddress } from "#tests/support/solana.ts";

let t: TestDatabase;
let folder: string;

before(async () => {
  t = await testDatabase();
  folder = mkdtempSync(join(tmpdir(), "paylink-pool-"));
});
after(async () => {
  rmSync(folder, { recursive: true });
  await t.close();
});

function importing(name: string, text: string, ...more: string[]) {
  const file = join(folder, name);
  writeFileSync(file, text);
  return runCli(
    { DATABASE_URL: t.url },
    "addresses",
    "import",
    "--network",
    "solana",
    "--file",
    file,
    ...more,
  );
}

test("addresses import accepts the offline output of wallet new, and records it", async () => {
  const made = runCli({ DATA_DIR: folder }, "wallet", "new", "--solana", "3");
  assert.equal(made.status, 0, made.stderr);
  const { pools, accounts } = made.json() as {
    pools: { env: string; addresses: { address: string; path: string }[] }[];
    accounts: { network: string }[];
  };
  assert.deepEqual(
    pools.map(({ env, addresses }) => [env, addresses.length]),
    [
      ["live", 3],
      ["test", 3],
    ],
  );
  assert.ok(
    accounts.every(({ network }) => network !== "solana"),
    "no public key derives its addresses",
  );
  const [live] = pools;
  const lines = live!.addresses.map(({ address, path }) => `${address} ${path}`);
  const done = importing("live.txt", lines.join("\n"));
  assert.equal(done.status, 0, done.stderr);
  const counts = { imported: 3, known: 0, repeated: 0, size: 3, left: 3 };
  assert.deepEqual(done.json(), { env: "live", network: "solana", ...counts });
  const [entry] = await t.db.select().from(auditLog).orderBy(asc(auditLog.id));
  assert.deepEqual([entry?.action, entry?.subject], ["addresses.import", "pool:live:solana"]);
  assert.deepEqual(entry?.details, { imported: 3, known: 0, size: 3 });
});

test("rejects a file with any other content as a whole, and reports the line", async () => {
  const refused = importing("bad.txt", `${solanaAddress(0)}\nnonsense\n`, "--env", "test");
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /nothing was imported:\n {2}line 2 is not a valid address/);
  assert.equal(refused.stdout, "");
  const absent = runCli(
    { DATABASE_URL: t.url },
    ...["addresses", "import", "--network", "solana", "--file", join(folder, "none.txt")],
  );
  assert.equal(absent.status, 1);
  assert.match(absent.stderr, /--file cannot be read: check the path/);
  const derived = runCli(
    { DATABASE_URL: t.url },
    "addresses",
    "import",
    "--network",
    "bitcoin",
    "--file",
    "x",
  );
  assert.equal(derived.status, 2, "only networks whose addresses are imported");
});

test("networks shows how many addresses are left in the pool", async () => {
  const node = await startSolanaNode({ finalizedLag: 0 });
  node.chain.mine(4);
  // In another process, because this one must answer requests meanwhile.
  const on = { TEST_SOLANA_RPC_URL: node.url, TEST_SOLANA_CHAIN: "development", DATABASE_URL: t.url };
  const child = spawn(process.execPath, ["lib/cli/main.ts", "networks"], {
    env: { PATH: process.env.PATH, NODE_ENV: "test", ...on },
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  await new Promise((done) => child.once("close", done));
  const rows = JSON.parse(output) as Record<string, unknown>[];
  const row = (env: string, network = "solana") =>
    rows.find((one) => one.env === env && one.network === network);
  const shown = { env: "test", network: "solana", on: true, node_height: 4, error: null };
  assert.deepEqual(row("test"), { ...row("test"), ...shown, pool: { size: 0, left: 0, level: "empty" } });
  assert.deepEqual(row("live")?.pool, { size: 3, left: 3, level: "well" });
  assert.equal(row("live", "bitcoin")?.pool, null);
  await node.stop();
});
