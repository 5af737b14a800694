import assert from "node:assert/strict";
import { test } from "node:test";
import { timelineOf } from "#lib/domain/payment-links/view/timeline.ts";

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 24, 10, minutes));
type Link = Parameters<typeof timelineOf>[0];

const payment = (fields: Partial<Link["payments"][number]>) =>
  ({ txHash: "0x1", position: 0, status: "credited", ...fields }) as Link["payments"][number];
const link = (fields: Partial<Link>): Link => ({
  createdAt: at(0),
  expiresAt: at(30),
  completedAt: null,
  state: "open",
  quotes: [],
  payments: [],
  ...fields,
});
const kindsOf = (shown: Link) => timelineOf(shown).map(({ kind, at: when }) => [kind, when.getUTCMinutes()]);

test("a paid link was created, priced, its payment seen and credited, and it was paid, in this order", () => {
  // The price was known before the link.
  const quotes = [{ rateAt: new Date(at(0).getTime() - 60_000) }] as unknown as Link["quotes"];
  const payments = [payment({ firstSeenAt: at(2), confirmedAt: at(5) })];
  assert.deepEqual(kindsOf(link({ quotes, payments, completedAt: at(5), state: "completed" })), [
    ["created", 0],
    ["priced", 0],
    ["seen", 2],
    ["credited", 5],
    ["paid", 5],
  ]);
});

test("refunds are among the events: asked for, and how they ended", () => {
  const refund = {
    network: "bep20",
    token: "usdt",
    amount: 1n,
    reason: null,
    createdAt: at(6),
    processedAt: at(8),
  } as const;
  const refunds = [
    { ...refund, id: 1, status: "completed" },
    { ...refund, id: 2, status: "processing", createdAt: at(7) },
    { ...refund, id: 3, status: "failed", createdAt: at(9), processedAt: at(10) },
  ];
  const entries = timelineOf(link({ completedAt: at(5), state: "completed" }), refunds);
  assert.deepEqual(
    entries.map(({ kind, at: when }) => [kind, when.getUTCMinutes()]),
    [
      ["created", 0],
      ["paid", 5],
      ["refund_asked", 6],
      ["refund_asked", 7],
      ["refunded", 8],
      ["refund_asked", 9],
      ["refund_failed", 10],
    ],
  );
});

test("what the chain dropped is only seen, and an unpaid link ends with its time", () => {
  const payments = [payment({ status: "dropped", firstSeenAt: at(2), confirmedAt: at(3) })];
  assert.deepEqual(kindsOf(link({ payments, state: "expired" })), [
    ["created", 0],
    ["seen", 2],
    ["expired", 30],
  ]);
});

test("a payment is never seen before its link, also if the clock of its block is behind", () => {
  const payments = [payment({ status: "seen", firstSeenAt: at(-3) })];
  assert.deepEqual(kindsOf(link({ payments, state: "awaiting" })), [
    ["created", 0],
    ["seen", 0],
  ]);
});
