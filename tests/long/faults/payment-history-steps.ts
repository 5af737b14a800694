import fc from "fast-check";

export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const step = fc.record({
  kind: fc.constantFrom(
    "pay",
    "pay",
    "replace",
    "replace",
    "mine",
    "mine",
    "revert",
    "drop",
    "view",
    "price",
  ),
  minutes: fc.constantFrom(0, 0, 1, 5, 14, 16, 21, 40),
  choice: fc.nat(63),
  /** The outpoints that a transaction spends, as bits. */
  inputs: fc.integer({ min: 1, max: 15 }),
  /** Basis points of what a link costs, for one output or two. 0: 600 satoshi. */
  pays: fc.array(fc.constantFrom(0, 1, 3_000, 5_000, 9_940, 9_951, 10_000, 10_000, 12_000), {
    minLength: 1,
    maxLength: 2,
  }),
  /** How far a block's clock is behind ours. */
  skew: fc.constantFrom(0, 0, 1, 10),
  /** USD of one BTC, in thousands. 0: there is no rate. */
  price: fc.constantFrom(20, 40, 60, 80, 100, 120, 0),
});
export const history = fc.record({
  steps: fc.array(step, { minLength: 3, maxLength: 16 }),
  underBps: fc.constantFrom(0, 0, 50, 200),
  latePolicy: fc.constantFrom("hold" as const, "accept" as const),
});
export type History = typeof history extends fc.Arbitrary<infer T> ? T : never;
