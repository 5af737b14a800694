/** The signer as a process of its own, with a database role of its own, killed at every step: each withdrawal is paid, once. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isSignerRunning } from "#lib/domain/withdrawals/signer/signer-lock.ts";
import { listSignerAccounts } from "#lib/domain/withdrawals/signer/signer-queries.ts";
import type { Failpoint } from "#lib/platform/failpoint.ts";
import { LONG, pick } from "#tests/support/fault-random.ts";
import {
  prepareHost,
  type SignerProcessWorld,
  startSigner,
  writePassphrase,
} from "#tests/support/signer-process.ts";
import { solanaProcessWorld } from "#tests/support/signer-solana.ts";
import { evmProcessWorld, signerWorld, toProcessWorld } from "#tests/support/signer-world.ts";
import { xrpProcessWorld } from "#tests/support/signer-xrp.ts";
import { tronProcessWorld } from "#tests/support/tron-signer-world.ts";
import { until } from "#tests/support/until.ts";
import { SETUPS, utxoProcessWorld } from "#tests/support/utxo-world.ts";
import { openDumps } from "./dumps.ts";

/** A world of each family. In the short form only the first is killed at every step, and of the UTXO family there is one network. */
const WORLDS: Readonly<Record<string, (t: TestContext) => Promise<SignerProcessWorld>>> = {
  bep20: evmProcessWorld,
  solana: solanaProcessWorld,
  xrp: xrpProcessWorld,
  trc20: tronProcessWorld,
  bitcoin: (t) => utxoProcessWorld(t, SETUPS.bitcoin),
  ...(LONG && { litecoin: (t: TestContext) => utxoProcessWorld(t, SETUPS.litecoin) }),
};
const STEPS: readonly Failpoint[] = [
  "payout-signed",
  "payout-journaled",
  "payout-stored",
  "payout-committed",
  "payout-broadcast",
];
const KILLS = LONG ? 20 : 1;

const dumps = openDumps();

/** Backs up a database. Returns what loses it and restores it. */
async function backUp({ database: { url }, folder }: SignerProcessWorld): Promise<() => Promise<void>> {
  const dump = join(folder, "paylink.dump");
  await dumps.dump(url, dump);
  return () => dumps.restore(url, dump);
}

for (const [at, [network, open]] of Object.entries(WORLDS).entries()) {
  const steps = LONG || at === 0 ? STEPS : (["payout-committed", "payout-broadcast"] as const);
  test(`a signer on ${network} that is killed at each of ${steps.length} steps, and whose database is restored, pays each withdrawal once`, async (t) => {
    const w = await open(t);
    const env = await prepareHost(w);
    let [made, restored] = [0n, 0];
    for (const step of steps)
      for (let kill = 0; kill < KILLS; kill++) {
        await w.ask();
        await w.ask();
        made += 2n;
        const restore = kill === 0 && (LONG || step === "payout-broadcast") ? await backUp(w) : null;
        const signer = startSigner(w, { ...env, FAILPOINT: `${step}:${w.isBatched ? 1 : pick([1, 2])}` });
        signer.ready.catch(() => {});
        assert.equal((await signer.ended).signal, "SIGKILL", `${step}: ${signer.said()}`);
        await w.mine(pick([0, 1, 4]));
        if (restore === null) continue;
        // The worker completes what was paid, and the database forgets all of it.
        await w.settle();
        await restore();
        restored += 1;
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
    const paid = await w.received();
    t.diagnostic(
      `${network}: ${steps.length * KILLS} kills, ${restored} restored, ${made} withdrawals, paid ${paid / w.unit}`,
    );
    assert.equal(paid, made * w.unit);
    await w.booksAgree();
  });
}

test("of two signers on one database one works, and the other says why it does not", async (t) => {
  const w = await evmProcessWorld(t);
  const env = await prepareHost(w);
  assert.equal(await isSignerRunning(w.database.database.db), false);
  const first = startSigner(w, env);
  await first.ready;
  assert.equal(await isSignerRunning(w.database.database.db), true);
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
  await until("it to say which account it pays from", async () => {
    const [account] = await listSignerAccounts(w.database.database.db, "test");
    return account?.network === "bep20" && account.address.startsWith("0x");
  });
  third.child.kill("SIGTERM");
  await third.ended;
});

test("the signer does not start with the server's secrets, a wrong passphrase or a key that is not the configured one", async (t) => {
  const w = await evmProcessWorld(t);
  const env = await prepareHost(w);
  const refused = async (changes: Record<string, string>, message: RegExp) =>
    assert.rejects(startSigner(w, { ...env, ...changes }).ready, message);
  await refused({ SECRET_KEY: "a secret key for tests, at least 32 long" }, /without the server's secrets/);
  writePassphrase(w, "another passphrase");
  await refused({}, /the passphrase is wrong/);
  writePassphrase(w);
  const foreign =
    "xpub6CFtfy4QXsEUW5CtgE7mZe1Lvs15Yw7ctjdyaDRy89JdhtyM1wFf8uY2BdyJ3JmAFfrHdw77hEit1ebVXxB2dytGAvq9mmQJ2c83G1q8P7A";
  await refused({ TEST_BEP20_XPUB: foreign }, /do not derive the configured key of test bep20/);
});

test("the signer's database role can neither create withdrawals nor change what they pay nor touch the books", async (t) => {
  const world = await signerWorld(t);
  const { id } = await world.create();
  const env = await prepareHost(toProcessWorld(world));
  const { openDatabase } = await import("#lib/platform/db/connection.ts");
  const own = openDatabase(env.DATABASE_URL ?? "");
  t.after(() => own.close());
  for (const statement of [
    `update withdrawals set to_address = '0x0' where id = ${id}`,
    `update withdrawals set amount = amount * 2 where id = ${id}`,
    "insert into withdrawals (refid) values ('1')",
    `insert into payout_signatures values (${id}, 'ada', 'x')`,
    `insert into withdrawal_approvals values (${id}, 1, '{}')`,
    "select * from passkeys",
    "update ledger_accounts set balance = 0",
    "select * from users",
    "delete from audit_log",
    "update outgoing_transactions set raw = ''",
  ])
    await assert.rejects(own.pool.query(statement), /permission denied/, statement);
});
