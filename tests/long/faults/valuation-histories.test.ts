/** Random histories of payments. HISTORIES sets their number, FAULT_SEED repeats them. */
import { test } from "node:test";
import fc from "fast-check";
import { LONG, SEED } from "#tests/support/fault-random.ts";
import { HistoryModel } from "./payment-histories.ts";
import { history } from "./payment-history-steps.ts";

const HISTORIES = Number(process.env.HISTORIES ?? (LONG ? 100_000 : 3_000));

test(`${HISTORIES} histories of replacements, reorgs and quotes give nobody an old price or a cheaper link`, () => {
  const startedAt = Date.now();
  const property = fc.property(history, (given) => new HistoryModel(given).run());
  fc.assert(property, { numRuns: HISTORIES, seed: SEED });
  console.log(`${HISTORIES} histories in ${Date.now() - startedAt} ms, seed ${SEED}`);
});
