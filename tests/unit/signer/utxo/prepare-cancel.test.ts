import assert from "node:assert/strict";
import { test } from "node:test";
import { NETWORKS } from "#lib/chains/networks.ts";
import { feeRefusal } from "#lib/signer/fee-limits.ts";
import type { JournalEntry, NetworkPolicy } from "#lib/signer/types.ts";
import { prepareCancel } from "#lib/signer/utxo/prepare-replacement.ts";

const script = new Uint8Array([0, 20, ...Array(20).fill(7)]);
const RECEIVED = 5_000_000n;

/** The fee of a cancellation of a payment that paid `former`, and why it may not be spent. */
async function cancel(former: bigint, { cap, rate }: { readonly cap: bigint; readonly rate: bigint }) {
  const outputs = [
    { script, satoshis: 1_000_000n },
    { script, satoshis: RECEIVED - 1_000_000n - former },
  ];
  const deps = {
    policy: () => ({ maxFee: cap }),
    sending: {
      family: NETWORKS.bitcoin.utxo,
      fetchState: async () => ({ rate, replacementRate: 1_000n }),
    },
    spending: { findInputs: async () => [{ outpoint: "aa:0", satoshis: RECEIVED }] },
    keys: { child: () => ({ script }) },
    change: { next: () => 0, list: () => [{ outputs, change: [{ outpoint: "bb:1", index: 0 }] }] },
  };
  const entry = { hash: "bb", spends: ["aa:0"], payouts: [] } as unknown as JournalEntry;
  const draft = await prepareCancel(deps as never, entry, { own: [], waiting: [] } as never);
  assert.ok(draft);
  const policy = { feePerDay: null, sweep: null } as NetworkPolicy;
  const { spends, cost } = draft;
  const refusal = feeRefusal(policy, { kind: "cancel", spends, cost }, { own: [], at: new Date() });
  return { fee: cost.fee, refusal };
}

test("a cancellation pays the former fee and a step, though that fee paid for others or the cap is lower now", async () => {
  // 141 virtual bytes of its own and 2,000 that paid less.
  const former = 60n * 2_141n - 20_000n;
  assert.deepEqual(await cancel(former, { cap: 100_000n, rate: 60_000n }), {
    fee: former + 110n,
    refusal: null,
  });
  assert.deepEqual(await cancel(14_100n, { cap: 10_000n, rate: 60_000n }), { fee: 14_210n, refusal: null });
});

test("a cancellation pays no rate above the cap", async () => {
  const { fee, refusal } = await cancel(141n, { cap: 10_000n, rate: 500_000n });
  assert.deepEqual({ fee, refusal }, { fee: 1_100n, refusal: null });
});
