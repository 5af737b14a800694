/** Custody of a bitcoin network against its outputs: deposits that payouts spend, their change, and their fees. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "drizzle-orm";
import { checkChain } from "#lib/domain/proof/check-chain.ts";
import { settleAllCosts } from "#tests/support/follow-all.ts";
import { NEW_BITCOIN, utxoWorld } from "#tests/support/utxo-world.ts";
import { log } from "#tests/support/watched-chain.ts";

test("payouts from deposits and their change agree with custody in flight and when final", async (t) => {
  const w = await utxoWorld(t, NEW_BITCOIN);
  const prove = async () => {
    // The watcher's place: what it recorded are the deposits above.
    await w.db.execute(sql`insert into watch_cursors (env, network, height, hash, node_height)
      values ('test', 'bitcoin', ${await w.bitcoin.height()}, 'x', 0)
      on conflict (env, network) do update set height = excluded.height`);
    const deps = { db: w.db, networks: w.networks, also: () => [], waitMs: 0, onProgress: () => {} };
    const [proof] = await checkChain(deps);
    assert.equal(proof?.error, null);
    return proof!.tokens.find(({ token }) => token === "btc")!;
  };
  await w.deposit([100, 50, 20]);
  assert.equal((await prove()).difference, 0n);
  const signer = w.start();
  for (let round = 0; round < 2; round++) {
    await w.create(30);
    await w.create(5);
    await w.step(signer);
    assert.equal((await prove()).difference, 0n, "it waits");
    await w.bitcoin.mine(1);
    const flying = await prove();
    assert.equal(flying.difference, 0n);
    assert.deepEqual(flying.inFlight.map(({ reason }) => reason).sort(), [
      "fee_not_booked",
      "withdrawal_not_completed",
      "withdrawal_not_completed",
    ]);
    await w.settle();
    await settleAllCosts({ db: w.db, networks: w.networks, log });
    const settled = await prove();
    assert.deepEqual([settled.difference, settled.inFlight], [0n, []]);
  }
  await w.booksAgree();
});
