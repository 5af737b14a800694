/** The signer pays withdrawals by itself on a real EVM node, within its policy, and each once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { outgoingTransactions, withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { mine, rpc, sendEvmUsdt } from "#tests/support/anvil.ts";
import { policyText, signerWorld } from "#tests/support/signer-world.ts";
import { DESTINATION, USDT } from "#tests/support/withdrawals.ts";

test("pays what is pending, in one step, and the worker completes it", async (t) => {
  const w = await signerWorld(t);
  const signer = w.start();
  const made = [await w.create(), await w.create(2n * USDT), await w.create(3n * USDT)];
  await w.step(signer);
  assert.deepEqual([...signer.held], []);
  const nonces = w.journal().map(({ nonce, refid, amount }) => [nonce, refid, amount]);
  assert.deepEqual(
    nonces,
    made.map(({ refid, amount }, nonce) => [nonce, refid, amount]),
  );
  for (const { id } of made) assert.equal((await w.row(id)).status, 1);
  await w.step(signer);
  await w.settle();
  for (const { id } of made) assert.equal((await w.row(id)).status, 3);
  assert.equal(await w.balance(DESTINATION), 15n * USDT);
  for (let again = 0; again < 3; again++) await w.step(w.start());
  await w.settle();
  assert.equal(await w.balance(DESTINATION), 15n * USDT);
  assert.equal(w.journal().length, 3);
  await w.booksAgree();
});
