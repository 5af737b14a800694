import assert from "node:assert/strict";
import { test } from "node:test";
import {
  canPayExactly,
  canReplaceAll,
  evaluateOutcome,
  settlementRefusal,
  wasSeen,
} from "#lib/domain/withdrawals/observe/outcome-rules.ts";
import type { TransactionObservation, WithdrawalObservation } from "#lib/domain/withdrawals/types.ts";

const EXPECTED = { token: "usdt", toAddress: "them", amount: 100n } as const;
const FINALIZED = { kind: "finalized" } as const;
const COUNTED = {
  kind: "confirmations",
  tiers: [
    { upToUsd: 100, blocks: 1 },
    { upToUsd: null, blocks: 6 },
  ],
} as const;

type Payment = readonly [address: string, amount: bigint, token?: "usdt" | "btc"];
const pays = (...payments: Payment[]) =>
  payments.map(([address, amount, token = "usdt"], position) => ({ position, token, address, amount }));

function observation(hash: string, changes: Partial<TransactionObservation> = {}): TransactionObservation {
  return { hash, namedAt: "", spends: [], block: null, onChain: null, expired: false, ...changes };
}
function mined(
  hash: string,
  height: number,
  payments: ReturnType<typeof pays>,
  { spends = [] as string[], failed = false, inconclusiveToken = null as "usdt" | "btc" | null } = {},
): TransactionObservation {
  const block = { height, hash: `b${height}` };
  return observation(hash, { onChain: { block, failed, payments, inconclusiveToken, spends } });
}
const waiting = (hash: string, spends: string[] = []) =>
  observation(hash, {
    onChain: { block: null, failed: false, payments: null, inconclusiveToken: null, spends },
  });

const at = (...observations: TransactionObservation[]): WithdrawalObservation => ({
  head: { height: 110, hash: "b110", finalizedHeight: 105 },
  finality: FINALIZED,
  transactions: observations,
});
const counted = (...observations: TransactionObservation[]): WithdrawalObservation => ({
  head: { height: 110, hash: "b110", finalizedHeight: null },
  finality: COUNTED,
  transactions: observations,
});

const EXACT = pays(["them", 100n]);
const INCONCLUSIVE = { inconclusiveToken: "usdt" } as const;
const OTHERS = pays(["x", 100n]);
const FAILED = { failed: true };
/** The spends of one input. */
const S1 = { spends: ["s:1"] };
const PAID = { kind: "paid", hash: "a" };
const OPEN = { kind: "open" };
const OTHER_AMOUNT = { kind: "amount_mismatch" };
const UNSURE = { kind: "inconclusive" };
const unpayable = (cause: "expired" | "failed" | "pays_others" | "excluded") => ({
  kind: "unpayable",
  cause,
});
const CASES: readonly (readonly [string, WithdrawalObservation, object])[] = [
  ["no transaction submitted", at(), OPEN],
  ["unknown", at(observation("a")), OPEN],
  ["unknown, and expired", at(observation("a", { expired: true })), unpayable("expired")],
  ["waiting", at(waiting("a", ["s:1"])), OPEN],
  ["paid in the final block", at(mined("a", 105, EXACT)), PAID],
  ["paid one block above it", at(mined("a", 106, EXACT)), OPEN],
  [
    "no final block known",
    {
      ...at(mined("a", 1, EXACT)),
      finality: FINALIZED,
      head: { height: 9, hash: "b", finalizedHeight: null },
    },
    OPEN,
  ],
  ["paid with the sixth confirmation", counted(mined("a", 105, EXACT)), PAID],
  ["with the fifth", counted(mined("a", 106, EXACT)), OPEN],
  ["paid among others", at(mined("a", 1, pays(["x", 5n], ["them", 100n], ["them", 7n, "btc"]))), PAID],
  ["paid in two parts", at(mined("a", 1, pays(["them", 40n], ["them", 60n]))), PAID],
  ["paid one unit less", at(mined("a", 1, pays(["them", 99n]))), OTHER_AMOUNT],
  ["paid twice as much", at(mined("a", 1, pays(["them", 100n], ["them", 100n]))), OTHER_AMOUNT],
  ["paid in another token", at(mined("a", 1, pays(["them", 100n, "btc"]))), unpayable("pays_others")],
  ["paid someone else", at(mined("a", 1, OTHERS)), unpayable("pays_others")],
  ["paid someone else, not final", at(mined("a", 106, OTHERS)), OPEN],
  ["failed", at(mined("a", 105, [], FAILED)), unpayable("failed")],
  ["failed, not final", at(mined("a", 106, [], FAILED)), OPEN],
  ["reports no payments, and not all are reported", at(mined("a", 105, [], INCONCLUSIVE)), UNSURE],
  ["the same, not final", at(mined("a", 106, [], INCONCLUSIVE)), OPEN],
  ["pays others, and not all payments are reported", at(mined("a", 1, OTHERS, INCONCLUSIVE)), UNSURE],
  ["pays the exact amount, and not all payments are reported", at(mined("a", 1, EXACT, INCONCLUSIVE)), PAID],
  [
    "pays less, and not all payments are reported",
    at(mined("a", 1, pays(["them", 99n]), INCONCLUSIVE)),
    OTHER_AMOUNT,
  ],
  [
    "all payments are reported, except those of another token",
    at(mined("a", 1, [], { inconclusiveToken: "btc" })),
    unpayable("pays_others"),
  ],
  [
    "failed, so there is nothing to report",
    at(mined("a", 1, [], { ...INCONCLUSIVE, failed: true })),
    unpayable("failed"),
  ],
  [
    "canceled by one that does not report all payments",
    at(observation("a", S1), mined("b", 1, [], { ...INCONCLUSIVE, ...S1 })),
    UNSURE,
  ],
  [
    "one does not report all payments, another pays",
    at(mined("a", 1, [], { ...INCONCLUSIVE, ...S1 }), mined("b", 1, EXACT)),
    { kind: "paid", hash: "b" },
  ],
  ["replaced, the successor pays", at(observation("b", S1), mined("a", 1, EXACT, S1)), PAID],
  ["replaced, but the earlier one pays", at(mined("a", 1, EXACT, S1), observation("b", S1)), PAID],
  ["canceled in a final block", at(observation("a", S1), mined("b", 1, [], S1)), unpayable("pays_others")],
  [
    "failed, and a submitted one took the place of the newest",
    at(mined("b", 1, [], { failed: true, ...S1 }), observation("a", S1)),
    unpayable("excluded"),
  ],
  ["canceled, not final", at(observation("a", S1), mined("b", 106, [], S1)), OPEN],
  ["another transaction of the sender is final", at(waiting("a", ["s:2"]), mined("b", 1, [], S1)), OPEN],
  [
    "a chain of three, the first can still pay",
    at(
      observation("a", { spends: ["x:0"] }),
      observation("b", { spends: ["x:0", "y:0"] }),
      mined("c", 1, [], { spends: ["y:0"] }),
    ),
    OPEN,
  ],
];

for (const [name, observation, expected] of CASES) {
  test(`${name}: ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(evaluateOutcome(EXPECTED, observation), expected);
  });
}

test("a successor replaces every transaction that can still pay, or follows ones that cannot", () => {
  const successor = waiting("n", ["s:1"]);
  assert.equal(canReplaceAll(EXPECTED, successor, at(observation("a", S1))), true);
  assert.equal(canReplaceAll(EXPECTED, successor, at(observation("a", { spends: ["s:2"] }))), false);
  assert.equal(canReplaceAll(EXPECTED, successor, at(observation("a"))), false, "nothing is known about it");
  assert.equal(canReplaceAll(EXPECTED, observation("n"), at(observation("a", S1))), false);
  assert.equal(canReplaceAll(EXPECTED, observation("n"), at(observation("a", { expired: true }))), true);
  assert.equal(canReplaceAll(EXPECTED, observation("n"), at(mined("a", 1, [], FAILED))), true);
  assert.equal(canReplaceAll(EXPECTED, observation("n"), at(mined("a", 1, EXACT))), false, "it has paid");
  assert.equal(
    canReplaceAll(EXPECTED, observation("n"), at(mined("a", 1, [], INCONCLUSIVE))),
    false,
    "it may have paid",
  );
  const mixed = at(mined("a", 1, [], FAILED), observation("b", S1));
  assert.equal(canReplaceAll(EXPECTED, successor, mixed), true);
  assert.equal(canReplaceAll(EXPECTED, waiting("n", ["s:9"]), mixed), false);
});

test("a transaction with unknown payments can still pay the exact amount", () => {
  assert.equal(canPayExactly(EXPECTED, observation("a")), true);
  assert.equal(canPayExactly(EXPECTED, waiting("a")), true);
  assert.equal(canPayExactly(EXPECTED, mined("a", 110, EXACT)), true);
  assert.equal(canPayExactly(EXPECTED, mined("a", 110, pays(["them", 101n]))), false);
  assert.equal(canPayExactly(EXPECTED, mined("a", 110, [], FAILED)), false);
  assert.equal(canPayExactly(EXPECTED, mined("a", 110, [], INCONCLUSIVE)), true);
  assert.equal(canPayExactly(EXPECTED, mined("a", 110, [], { inconclusiveToken: "btc" })), false);
  assert.equal(canPayExactly(EXPECTED, mined("a", 110, [], { ...INCONCLUSIVE, failed: true })), false);
});

test("was seen: a node reports it now, or has reported it before", () => {
  assert.equal(wasSeen(observation("a")), false);
  assert.equal(wasSeen(observation("a", { seen: false })), false);
  assert.equal(wasSeen(waiting("a")), true);
  assert.equal(wasSeen(observation("a", { seen: true })), true);
  // Rows of earlier versions have only what a node reported.
  assert.equal(wasSeen(observation("a", S1)), true);
  assert.equal(wasSeen(observation("a", { block: "b1" })), true);
});

const OTHER_ONES: readonly (readonly [string, TransactionObservation, boolean])[] = [
  ["was never seen", observation("a"), true],
  ["was seen, and no node knows it now", observation("a", { seen: true }), false],
  ["waits", waiting("a", ["s:2"]), false],
  ["waits, and the payment excludes it", waiting("a", ["s:1"]), true],
  ["was seen and has expired", observation("a", { seen: true, expired: true }), true],
  ["is in a block that is not final", mined("a", 106, []), false],
  ["failed", mined("a", 105, [], FAILED), true],
  ["paid others", mined("a", 105, OTHERS), true],
  ["paid another amount", mined("a", 105, pays(["them", 99n])), true],
  ["may have paid through a contract", mined("a", 105, [], INCONCLUSIVE), true],
  ["has paid too", mined("a", 105, EXACT), false],
];
for (const [what, other, settles] of OTHER_ONES) {
  test(`a payment ${settles ? "settles" : "does not settle"} it when the other transaction ${what}`, () => {
    const payment = mined("n", 105, EXACT, S1);
    const refusal = settles ? null : "other_transaction_may_pay";
    assert.equal(settlementRefusal(EXPECTED, payment, at(other)), refusal);
  });
}

test("only the exact amount in a final block settles", () => {
  const refusalOf = (payment: TransactionObservation) => settlementRefusal(EXPECTED, payment, at());
  assert.equal(refusalOf(mined("n", 105, EXACT)), null);
  assert.equal(refusalOf(mined("n", 106, EXACT)), "transaction_not_final");
  assert.equal(refusalOf(waiting("n")), "transaction_not_final");
  assert.equal(refusalOf(observation("n")), "transaction_not_final");
  assert.equal(refusalOf(mined("n", 106, pays(["them", 99n]))), "transaction_amount_mismatch");
  assert.equal(refusalOf(mined("n", 105, pays(["them", 100n, "btc"]))), "transaction_amount_mismatch");
  assert.equal(refusalOf(mined("n", 105, [], INCONCLUSIVE)), "transaction_amount_mismatch");
  assert.equal(refusalOf(mined("n", 105, EXACT, FAILED)), "transaction_amount_mismatch");
});
