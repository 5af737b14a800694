import assert from "node:assert/strict";
import { test } from "node:test";
import { decidePayout, formRefusal, type PayoutFacts } from "#lib/signer/payout-rules.ts";
import { openSignedDay } from "#lib/signer/policy-rules.ts";
import type { JournalEntry, Payout, Policy } from "#lib/signer/types.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const PAYOUT: Payout = {
  env: "test",
  network: "bep20",
  refid: "w1",
  merchantId: 1,
  token: "usdt",
  amount: 5n,
  to: "to-1",
};
const OTHER: Payout = { ...PAYOUT, refid: "w2", to: "to-2" };
const PAID: JournalEntry = {
  at: NOW,
  kind: "payout",
  env: "test",
  network: "bep20",
  payouts: [PAYOUT],
  moves: [],
  spends: ["one:1"],
  expires: null,
  hash: "h1",
  raw: "raw",
};
const CANCEL: JournalEntry = { ...PAID, kind: "cancel", hash: "h2" };

/** Allows 10 in a transfer, 20 in a day and 18 of them for one merchant. Above 7 one of the approvers must sign. */
const usdt = { perTransfer: 10n, perDay: 20n, perMerchantPerDay: 18n, autoUpTo: 7n, allowOnly: null };
const POLICY = {
  networks: new Map([["test.bep20", { tokens: new Map([["usdt", usdt]]) }]]),
  approvals: { needed: 1, from: new Map() },
} as unknown as Policy;

const CHAIN = { mostWaiting: 2, mostFailed: 2, checkPayout: () => null };
const journalOf = (
  entries: readonly JournalEntry[],
  outcomes: Readonly<Record<string, "dead" | "failed" | "final">> = {},
) => ({
  listOfWithdrawal: () => entries,
  outcomeOf: (hash: string) => outcomes[hash] ?? null,
});
const dayOf = (amounts: readonly bigint[], merchantId = 1) => {
  const payouts = amounts.map((amount, at) => ({ ...OTHER, refid: `day-${at}`, amount, merchantId }));
  return openSignedDay([{ ...PAID, payouts }], NOW);
};
const failed = openSignedDay(
  [
    {
      ...PAID,
      payouts: [
        { ...OTHER, to: "to-1" },
        { ...OTHER, refid: "w3", to: "to-1" },
      ],
    },
  ],
  NOW,
  () => "failed",
);
const UNSAFE = { ...CHAIN, checkPayout: () => "destination_unsafe" as const };
const lost = { has: () => true };
const notDue = { isDue: () => false };

/** Decides about 5 for an address of its own: nodes were asked, and nothing holds it back but the changes. A hold is its reason. */
function decide(changes: Partial<PayoutFacts>, payout: Partial<Payout> = {}) {
  const facts: PayoutFacts = {
    journal: journalOf([]),
    policy: POLICY,
    chain: CHAIN,
    day: openSignedDay([], NOW),
    waiting: [],
    group: [],
    approvers: null,
    isMerchantActive: true,
    lost: { has: () => false },
    turns: { isDue: () => true },
    ...changes,
  };
  const action = decidePayout(facts, { ...PAYOUT, ...payout });
  if (action.kind === "restore") return `restore ${action.entry.hash}`;
  return action.kind === "hold" ? action.reason : action.kind;
}

/** Each: the situation, the action, what differs from a payout that joins, and what differs in the payout. */
const SITUATIONS: readonly (readonly [string, string, Partial<PayoutFacts>, Partial<Payout>?])[] = [
  ["nothing holds it back", "join", {}],
  ["nodes were not asked", "observe", { waiting: null }],
  ["no more may wait", "end", { waiting: [PAID, PAID] }],
  ["one more may wait", "join", { waiting: [PAID] }],
  // Transactions that were signed before.
  ["its transaction waits", "restore h1", { journal: journalOf([PAID]) }],
  ["its transaction is final", "restore h1", { journal: journalOf([PAID], { h1: "final" }) }],
  [
    "its second one waits",
    "restore h3",
    { journal: journalOf([PAID, { ...PAID, hash: "h3" }], { h1: "dead" }) },
  ],
  [
    "its transaction waits, whatever else holds",
    "restore h1",
    { journal: journalOf([PAID]), chain: UNSAFE, turns: notDue, waiting: [PAID, PAID] },
  ],
  ["its transaction is being canceled", "pass", { journal: journalOf([PAID, CANCEL]) }],
  ["its cancellation is dead", "restore h1", { journal: journalOf([PAID, CANCEL], { h2: "dead" }) }],
  ["its transaction is dead", "join", { journal: journalOf([PAID], { h1: "dead" }) }],
  ["it was canceled", "join", { journal: journalOf([PAID, CANCEL], { h1: "dead", h2: "final" }) }],
  ["its transaction moved nothing", "join", { journal: journalOf([PAID], { h1: "failed" }) }],
  // The merchant.
  ["its merchant is disabled", "merchant_disabled", { isMerchantActive: false }, { amount: 8n }],
  ["it is disabled, nodes were not asked", "merchant_disabled", { isMerchantActive: false, waiting: null }],
  [
    "its merchant was disabled after its transaction was signed",
    "restore h1",
    { journal: journalOf([PAID]), isMerchantActive: false },
  ],
  // The policy.
  ["another network", "not_in_policy", {}, { network: "erc20" }],
  ["too much for a transfer", "above_per_transfer", {}, { amount: 11n }],
  ["the day is used up", "above_per_day", { day: dayOf([8n, 8n], 2) }],
  ["the day has just room", "join", { day: dayOf([8n, 7n], 2) }],
  ["the merchant's day is used up", "above_per_merchant_per_day", { day: dayOf([7n, 7n]) }],
  ["the group uses up the day", "above_per_day", { day: dayOf([8n], 2), group: [{ ...OTHER, amount: 8n }] }],
  ["the group leaves room", "join", { day: dayOf([8n], 2), group: [{ ...OTHER, amount: 7n }] }],
  [
    "the day counts its own dead transaction once",
    "join",
    { day: openSignedDay([{ ...PAID, payouts: [{ ...PAYOUT, amount: 18n }] }], NOW) },
  ],
  // Reasons in their order: policy, chain, failed payments, lost payments.
  ["policy before chain", "above_per_transfer", { chain: UNSAFE }, { amount: 11n }],
  ["chain before failed payments", "destination_unsafe", { chain: UNSAFE, day: failed, lost }],
  ["failed payments before a lost one", "destination_failed", { day: failed, lost }],
  ["failed payments to another address", "join", { day: failed }, { to: "to-9" }],
  [
    "failed payments, where blocks contain none",
    "join",
    { day: failed, chain: { mostWaiting: 2, checkPayout: () => null } },
  ],
  // Approvals.
  ["above what needs no approval", "verify", {}, { amount: 8n }],
  ["no approver has signed", "approvals_missing", { approvers: [] }, { amount: 8n }],
  ["an approver has signed", "join", { approvers: ["ada"] }, { amount: 8n }],
  [
    "an approver has signed, nodes were not asked",
    "observe",
    { approvers: ["ada"], waiting: null },
    { amount: 8n },
  ],
  [
    "nothing is verified for what the day holds",
    "above_per_day",
    { day: dayOf([8n, 8n], 2) },
    { amount: 8n },
  ],
  [
    "an approver cannot exceed the day",
    "above_per_day",
    { day: dayOf([8n, 8n], 2), approvers: ["ada"] },
    { amount: 8n },
  ],
  [
    "nothing is verified for an unsafe address that needs no approval",
    "destination_unsafe",
    { chain: UNSAFE },
  ],
  ["it may have been paid before", "verify", { lost }],
  ["it may have been paid before, and no approver has signed", "paid_before", { lost, approvers: [] }],
  ["it may have been paid before, and an approver has signed", "join", { lost, approvers: ["ada"] }],
  // Its place in the group, and its turn.
  ["the group pays another address", "join", { group: [OTHER] }],
  ["the group pays the same address", "pass", { group: [{ ...OTHER, to: "to-1" }] }],
  ["the group pays the same reference", "pass", { group: [{ ...OTHER, refid: "w1" }] }],
  ["nodes were asked about it a short time ago", "pass", { turns: notDue }],
  ["nodes are not asked before its turn", "pass", { turns: notDue, waiting: null }],
  ["its turn changes no reason", "above_per_transfer", { turns: notDue }, { amount: 11n }],
  ["what is held ends no step", "above_per_transfer", { waiting: [PAID, PAID] }, { amount: 11n }],
  ["what is not due ends no step", "pass", { turns: notDue, waiting: [PAID, PAID] }],
];

test("each situation of a withdrawal has its action", () => {
  const found = SITUATIONS.map(([name, , facts, payout]) => [name, decide(facts, payout)]);
  assert.deepEqual(
    found,
    SITUATIONS.map(([name, action]) => [name, action]),
  );
});

test("more approvers than one are needed where the policy says so", () => {
  const policy = { ...POLICY, approvals: { needed: 2, from: new Map() } };
  for (const [approvers, amount, isLost, action] of [
    [["ada"], 8n, false, "approvals_missing"],
    [["ada"], 5n, true, "paid_before"],
    [["ada", "bob"], 8n, true, "join"],
  ] as const)
    assert.equal(decide({ policy, approvers, lost: { has: () => isLost } }, { amount }), action);
});

test("what is no payment on the network is refused by its form", () => {
  const place = {
    env: "test",
    network: "bep20",
    addresses: { canonicalize: (text: string) => text.toLowerCase() },
  } as const;
  assert.equal(formRefusal(place, PAYOUT), null);
  assert.equal(formRefusal(place, { ...PAYOUT, network: "erc20" }), "not_in_policy");
  assert.equal(formRefusal(place, { ...PAYOUT, env: "live" }), "not_in_policy");
  assert.equal(formRefusal(place, { ...PAYOUT, to: "TO-1" }), "destination_unsafe");
  for (const amount of [0n, -1n]) assert.equal(formRefusal(place, { ...PAYOUT, amount }), "below_minimum");
});
