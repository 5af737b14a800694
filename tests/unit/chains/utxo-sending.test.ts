/** The signer's questions to scripted nodes: answers of bitcoind, and of a dogecoind 1.14, which is not available here. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NETWORKS } from "#lib/chains/networks.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { type CoreAnswer, type CoreNode, getResult } from "#lib/chains/utxo/core-client.ts";
import {
  broadcastRaw,
  fetchSendState,
  fetchUnspent,
  findRefusal,
  UNKNOWN_REFUSAL,
} from "#lib/chains/utxo/sending.ts";

/** A node that answers each method so. */
function scripted(answers: Readonly<Record<string, unknown>>): CoreNode {
  const answer = (method: string): CoreAnswer => {
    const given = answers[method];
    if (given === undefined) return { ok: false, code: -32_601, message: "Method not found" };
    return given instanceof Error
      ? { ok: false, code: Number(given.cause), message: given.message }
      : { ok: true, result: given };
  };
  return {
    batch: async (calls) => calls.map(({ method }) => answer(method)),
    batchSize: () => 100,
    call: async (method) => getResult(answer(method), method),
  };
}
const refusing = (code: number, message: string) => new Error(message, { cause: code });

test("the fee is the estimate, and at least what the node relays and the chain's floor", async () => {
  const info = {
    getmempoolinfo: { mempoolminfee: 0.00001, minrelaytxfee: 0.00001 },
    getnetworkinfo: { incrementalfee: 0.00001 },
  };
  const bitcoin = NETWORKS.bitcoin.utxo;
  const state = (feerate: unknown) =>
    fetchSendState(scripted({ ...info, estimatesmartfee: { feerate } }), bitcoin);
  assert.deepEqual(await state(0.00012345), { rate: 12_345n, replacementRate: 1_000n });
  assert.deepEqual(
    await state(undefined),
    { rate: 1_000n, replacementRate: 1_000n },
    "a young chain has no estimate",
  );
  const doge = scripted({
    getmempoolinfo: { mempoolminfee: 0.001 },
    estimatesmartfee: { feerate: -1 },
    getnetworkinfo: { incrementalfee: 0.0001 },
  });
  assert.deepEqual(await fetchSendState(doge, NETWORKS.dogecoin.utxo), {
    rate: 1_000_000n,
    replacementRate: 1_000_000n,
  });
});

test("reads amounts exactly, also those that a float changes", async () => {
  const output = (value: unknown) => ({
    value,
    confirmations: 3,
    scriptPubKey: { hex: "76a9" },
    coinbase: false,
  });
  const read = async (value: unknown) =>
    (await fetchUnspent(scripted({ gettxout: output(value) }), [`${"a".repeat(64)}:1`], { waiting: true }))
      .values()
      .next().value?.satoshis;
  assert.equal(await read(0.1), 10_000_000n);
  assert.equal(await read(20_999_999.9769), 2_099_999_997_690_000n);
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
  assert.equal(await read(rawJSON("123456789012.12345678")), 12_345_678_901_212_345_678n);
  await assert.rejects(read("1"), NodeError);
  assert.equal(
    (await fetchUnspent(scripted({ gettxout: null }), [`${"a".repeat(64)}:1`], { waiting: true })).size,
    0,
  );
});

test("a transaction is relayed when only its signatures are missing, and some nodes cannot say", async () => {
  const refusal = (result: object) => findRefusal(scripted({ testmempoolaccept: [result] }), "00");
  assert.equal(await refusal({ allowed: true }), null);
  for (const reason of [
    "mandatory-script-verify-flag-failed (Signature must be zero for failed CHECK(MULTI)SIG operation)",
    "mempool-script-verify-flag-failed (Script failed an OP_EQUALVERIFY operation)",
  ])
    assert.equal(await refusal({ allowed: false, "reject-reason": reason }), null);
  assert.equal(await refusal({ allowed: false, "reject-reason": "dust" }), "dust");
  assert.equal(
    await refusal({ allowed: false, "reject-reason": "txn-mempool-conflict" }),
    "txn-mempool-conflict",
  );
  assert.equal(await findRefusal(scripted({}), "00"), UNKNOWN_REFUSAL);
});

test("a node that has a transaction has accepted it", async () => {
  for (const [code, message] of [
    [-27, "Transaction outputs already in utxo set"],
    [-27, "transaction already in block chain"],
    [-25, "txn-already-known"],
  ] as const)
    await broadcastRaw(scripted({ sendrawtransaction: refusing(code, message) }), "00");
  const conflict = refusing(-26, "txn-mempool-conflict");
  await assert.rejects(broadcastRaw(scripted({ sendrawtransaction: conflict }), "00"), NodeError);
});
