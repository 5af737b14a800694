/** A person paid a withdrawal that the signer had signed, too, and that no node had yet. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { EvmSending } from "#lib/chains/evm/sending.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { mine, sendEvmUsdt } from "#tests/support/anvil.ts";
import { signerWorld } from "#tests/support/signer-world.ts";
import { operatorSteps } from "#tests/support/withdrawal-steps.ts";
import { DESTINATION, USDT } from "#tests/support/withdrawals.ts";

test("what was settled with a payment by hand is not paid by the signer, too, and the next ones are paid", async (t) => {
  const w = await signerWorld(t);
  const { adapter, networks, db } = w;
  const broadcast = async () => Promise.reject(new NodeError("unreachable", "the node is down"));
  const sending = { ...(adapter.sending as EvmSending), broadcast };
  const mute = Object.assign(Object.create(adapter), { sending });
  const { id, refid } = await w.create(3n * USDT);
  await w.step(w.start(undefined, { networks: { ...networks, all: () => [mute] } }));
  assert.equal((await w.row(id)).status, "processing");
  const txHash = await sendEvmUsdt(w.url, DESTINATION, 3n * USDT);
  await mine(w.url, 4);
  assert.ok((await operatorSteps({ db, networks }).settle(refid, txHash)).ok);
  const signer = w.start();
  for (let again = 0; again < 3; again++) {
    await w.step(signer);
    await mine(w.url, 4);
  }
  assert.equal(await w.balance(DESTINATION), 3n * USDT);
  assert.deepEqual(
    w.journal().map(({ kind }) => kind),
    ["payout", "cancel"],
  );
  const next = await w.create(USDT);
  await w.step(signer);
  await w.settle();
  assert.equal((await w.row(next.id)).status, "completed");
  assert.equal(await w.balance(DESTINATION), 4n * USDT);
});
