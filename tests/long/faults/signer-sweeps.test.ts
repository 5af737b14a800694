/** The signer as a process of its own, killed at every step of a sweep: everything is swept once, and its fees are in the books. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Failpoint } from "#lib/platform/failpoint.ts";
import { LONG, pick } from "#tests/support/fault-random.ts";
import { settleAllCosts } from "#tests/support/follow-all.ts";
import { prepareHost, startSigner } from "#tests/support/signer-process.ts";
import { log } from "#tests/support/watched-chain.ts";
import { SWEEP_PROCESSES, type SweepProcess } from "./sweep-process.ts";

const STEPS: readonly Failpoint[] = [
  "payout-signed",
  "payout-journaled",
  "payout-committed",
  "payout-broadcast",
];
const KILLS = LONG ? 20 : 1;
/** Steps of a sweep, each from a signer that has just begun, and what its clock moves in between. */
const MOST_STEPS = 12;
const STEP_MS = 200_000;

/** Lets signers continue until nothing is left on these addresses. */
async function finish(w: SweepProcess, addresses: readonly string[]): Promise<void> {
  const left = async () => {
    let sum = 0n;
    for (const address of addresses) sum += await w.tokens(address);
    return sum;
  };
  for (let step = 0; step < MOST_STEPS && (await left()) > 0n; step++) {
    await w.step(w.open(() => new Date(Date.now() + step * STEP_MS)));
    await w.mine(4);
  }
  assert.equal(await left(), 0n);
}

/** Lets the worker record the fees of what is final. Returns what the books say that the network has cost. */
async function settle(w: SweepProcess): Promise<bigint> {
  await w.mine(4);
  await settleAllCosts({ db: w.db, networks: w.networks, log });
  const { rows } = await w.database.database.pool.query(
    "select coalesce(-sum(balance), 0)::text as booked from ledger_accounts where code like 'costs:%'",
  );
  return BigInt(rows[0].booked);
}

for (const [at, [network, open]] of Object.entries(SWEEP_PROCESSES).entries()) {
  const steps = LONG ? STEPS : at === 0 ? STEPS.slice(1, 3) : [pick(STEPS)];
  test(`a signer on ${network} that is killed at ${steps.length} steps of a sweep moves everything once`, async (t) => {
    const w = await open(t);
    const env = await prepareHost(w);
    const before = {
      tokens: await w.tokens(w.hot),
      coins: await w.coins(w.hot),
      booked: await settle(w),
      entries: w.journal().length,
    };
    const all: string[] = [];
    let given = 0n;
    for (const step of steps)
      for (let kill = 0; kill < KILLS; kill++) {
        const paid = await w.pay();
        all.push(...paid);
        for (const address of paid) given += await w.coins(address);
        const signer = startSigner(w, { ...env, FAILPOINT: `${step}:1` });
        signer.ready.catch(() => {});
        assert.equal((await signer.ended).signal, "SIGKILL", `${step}: ${signer.said()}`);
        await w.mine(pick([0, 1, 4]));
        await finish(w, paid);
      }
    await w.step(w.open(() => new Date()));
    const gained = ((await w.tokens(w.hot)) - before.tokens) / w.unit;
    const entries = w.journal().slice(before.entries);
    t.diagnostic(
      `${network}: ${steps.length * KILLS} kills, ${all.length} addresses, ${gained} USDT, ${entries.length} transactions`,
    );
    assert.equal(gained, 100n * BigInt(all.length));
    // The cost in the books equals the cost on the chain.
    const booked = (await settle(w)) - before.booked;
    let coins = await w.coins(w.hot);
    for (const address of all) coins += await w.coins(address);
    assert.equal(before.coins + given - coins, booked);
  });
}
