import assert from "node:assert/strict";
import { test } from "node:test";
import { NodeError } from "#lib/chains/node-error.ts";
import { fetchPrices, type TronNode } from "#lib/chains/tron/sending.ts";

const PARAMETERS = {
  getEnergyFee: 100,
  getTransactionFee: 1_000,
  getCreateNewAccountFeeInSystemContract: 1_000_000,
  getCreateAccountFee: 100_000,
  getMaxFeeLimit: 15_000_000_000,
};

/** Reads the prices of a node whose parameters are changed. */
function read(changes: Readonly<Record<string, unknown>> = {}) {
  const chainParameter = Object.entries({ ...PARAMETERS, ...changes }).map(([key, value]) => ({
    key,
    value,
  }));
  const text = JSON.stringify({ chainParameter });
  const line = { name: "node", hide: (said: string) => said, post: async () => ({ status: 200, text }) };
  return fetchPrices({ line } as unknown as TronNode);
}

test("reads prices, and how much dearer the energy of a contract can become", async () => {
  assert.deepEqual(await read(), {
    ...{ energy: 100n, bandwidth: 1_000n, newAccount: 1_000_000n, newAccountBandwidth: 100_000n },
    ...{ energyIncrease: 2_000n, maxFeeLimit: 15_000_000_000n },
  });
  assert.equal((await read({ getDynamicEnergyIncreaseFactor: 500 })).energyIncrease, 500n);
});

test("a price of energy that is 0, less, no number or missing is no answer", async () => {
  for (const wrong of [0, -1, "100 sun", null, 1.5, 1e30, undefined])
    await assert.rejects(read({ getEnergyFee: wrong }), NodeError, String(wrong));
});
