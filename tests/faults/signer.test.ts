/** The signer as a process of its own, with a database role of its own, killed at every step: each withdrawal is paid, once. */
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isSignerRunning } from "#lib/domain/withdrawals/signer-lock.ts";
import type { Failpoint } from "#lib/platform/failpoint.ts";
import { signerFiles } from "#lib/signer/host-files.ts";
import { sealMnemonic } from "#lib/signer/key-file.ts";
import { mine, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { LONG, pick } from "#tests/support/fault-random.ts";
import { restrict } from "#tests/support/restricted-role.ts";
import {
  ACCOUNT_KEY,
  policyText,
  type SignerWorld,
  signerWorld,
  WORDS,
} from "#tests/support/signer-world.ts";
import { until } from "#tests/support/until.ts";
import { DESTINATION, USDT } from "#tests/support/withdrawals.ts";

const STEPS: readonly Failpoint[] = [
  "payout-signed",
  "payout-journaled",
  "payout-stored",
  "payout-committed",
  "payout-broadcast",
];
const KILLS = LONG ? 20 : 1;
const PASSPHRASE = "correct horse battery";
const ROOT = join(import.meta.dirname, "../..");

/** Writes the files of a signer's host. */
async function prepare(w: SignerWorld): Promise<Record<string, string>> {
  const files = signerFiles(w.folder);
  writeFileSync(files.key, sealMnemonic(WORDS, PASSPHRASE), { mode: 0o600 });
  writeFileSync(files.policy, policyText(), { mode: 0o600 });
  writeFileSync(join(w.folder, "passphrase"), `${PASSPHRASE}\n`, { mode: 0o600 });
  return {
    DATABASE_URL: await restrict(
      w.database.database.pool,
      w.database.url,
      `signer_${randomUUID().slice(0, 8)}`,
      "signer",
    ),
    TEST_BEP20_RPC_URL: w.url,
    TEST_BEP20_XPUB: ACCOUNT_KEY,
    TEST_BEP20_USDT_CONTRACT: USDT_ADDRESS,
    TEST_BEP20_CHAIN_ID: "97",
  };
}

/** Starts `paylink signer run`. */
function startSigner(w: SignerWorld, env: Record<string, string>) {
  const words = ["signer", "run", "--dir", w.folder, "--passphrase-file", join(w.folder, "passphrase")];
  const child = fork(join(ROOT, "lib/cli/main.ts"), words, {
    env: { NODE_ENV: "test", PATH: process.env.PATH, ...env },
    cwd: w.folder,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part: Buffer) => (said += part));
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once("exit", (code, signal) => resolve({ code, signal })),
  );
  const ready = new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve());
    void ended.then(({ code }) => reject(new Error(`the signer ended with ${code}: ${said}`)));
  });
  return { child, ended, ready, said: () => said };
}

test(`a signer that is killed at each of ${STEPS.length} steps pays each withdrawal once`, async (t) => {
  const w = await signerWorld(t);
  const env = await prepare(w);
  let made = 0;
  for (const step of STEPS)
    for (let kill = 0; kill < KILLS; kill++) {
      await w.create(1n * USDT);
      await w.create(1n * USDT);
      made += 2;
      const signer = startSigner(w, { ...env, FAILPOINT: `${step}:${pick([1, 2])}` });
      signer.ready.catch(() => {});
      assert.equal((await signer.ended).signal, "SIGKILL", `${step}: ${signer.said()}`);
      await mine(w.url, pick([0, 1, 4]));
    }
  const signer = startSigner(w, env);
  await signer.ready;
  await until("all withdrawals to be completed", async () => {
    await w.settle();
    const { rows } = await w.database.database.pool.query(
      "select count(*) as n from withdrawals where status <> 3",
    );
    return Number(rows[0].n) === 0;
  });
  signer.child.kill("SIGTERM");
  assert.equal((await signer.ended).code, 0, signer.said());
  const paid = await w.balance(DESTINATION);
  t.diagnostic(`${STEPS.length * KILLS} kills, ${made} withdrawals, paid ${paid / USDT} USDT of ${made}`);
  assert.equal(paid, BigInt(made) * USDT);
  await w.booksAgree();
});

test("of two signers on one database one works, and the other says why it does not", async (t) => {
  const w = await signerWorld(t);
  const env = await prepare(w);
  assert.equal(await isSignerRunning(w.db), false);
  const first = startSigner(w, env);
  await first.ready;
  assert.equal(await isSignerRunning(w.db), true);
  const second = startSigner(w, env);
  await assert.rejects(second.ready, /another signer works on this database/);
  // The lock ends with the connection: then this one must end, and another can work.
  await w.database.database.pool.query(
    `select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
  );
  assert.equal((await first.ended).code, 1);
  const third = startSigner(w, env);
  await third.ready;
  third.child.kill("SIGTERM");
  await third.ended;
});

test("the signer does not start with the server's secrets, a wrong passphrase or a key that is not the configured one", async (t) => {
  const w = await signerWorld(t);
  const env = await prepare(w);
  const refused = async (changes: Record<string, string>, message: RegExp) =>
    assert.rejects(startSigner(w, { ...env, ...changes }).ready, message);
  await refused({ SECRET_KEY: "a secret key for tests, at least 32 long" }, /without the server's secrets/);
  writeFileSync(join(w.folder, "passphrase"), "another passphrase");
  await refused({}, /the passphrase is wrong/);
  writeFileSync(join(w.folder, "passphrase"), PASSPHRASE);
  const foreign =
    "xpub6CFtfy4QXsEUW5CtgE7mZe1Lvs15Yw7ctjdyaDRy89JdhtyM1wFf8uY2BdyJ3JmAFfrHdw77hEit1ebVXxB2dytGAvq9mmQJ2c83G1q8P7A";
  await refused({ TEST_BEP20_XPUB: foreign }, /do not derive the configured key of test bep20/);
});

test("the signer's database role can neither create withdrawals nor change what they pay nor touch the books", async (t) => {
  const w = await signerWorld(t);
  const { id } = await w.create();
  const env = await prepare(w);
  const { openDatabase } = await import("#lib/platform/db/connection.ts");
  const own = openDatabase(env.DATABASE_URL ?? "");
  t.after(() => own.close());
  for (const statement of [
    `update withdrawals set to_address = '0x0' where id = ${id}`,
    `update withdrawals set amount = amount * 2 where id = ${id}`,
    "insert into withdrawals (refid) values ('1')",
    `insert into payout_signatures values (${id}, 'ada', 'x')`,
    "update ledger_accounts set balance = 0",
    "select * from users",
    "delete from audit_log",
    "update outgoing_transactions set raw = ''",
  ])
    await assert.rejects(own.pool.query(statement), /permission denied/, statement);
});
