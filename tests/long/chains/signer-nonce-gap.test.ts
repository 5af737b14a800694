/** The widest gap of nonces that a lying node can make is filled by the signer alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { noncesOf, openNonceWorld } from "#tests/support/nonce-world.ts";
import { DESTINATION, USDT } from "#tests/support/withdrawals.ts";

test("a node that jumps a little each time makes no gap that is not filled", async (t) => {
  const w = await openNonceWorld(t);
  w.say(200, "all");
  const made = [await w.create(USDT)];
  const signer = w.start();
  await w.run(signer, 1);
  made.push(await w.create(USDT));
  for (const count of [401, 402, 600]) {
    w.say(count, "all");
    await w.run(signer, 2);
    assert.deepEqual(noncesOf(w), [["payout", 200]]);
  }
  w.say(null);
  for (let step = 0; step < 30 && w.journal().length < 202; step++) await w.run(signer, 8);
  await w.settle();
  for (const { id } of made) assert.equal((await w.row(id)).status, "completed");
  assert.equal(await w.balance(DESTINATION), 2n * USDT);
});
