import assert from "node:assert/strict";
import { test } from "node:test";
import { HOLD_TEXTS, holdText } from "#components/console/hold-texts.ts";
import type { HoldReason } from "#lib/signer/types.ts";

/** A reason that is missing here does not compile. */
const REASONS: Readonly<Record<HoldReason, true>> = {
  no_node_that_pays: true,
  merchant_disabled: true,
  not_in_policy: true,
  above_per_transfer: true,
  above_per_day: true,
  above_per_merchant_per_day: true,
  destination_not_allowed: true,
  approvals_missing: true,
  destination_unsafe: true,
  network_fee_too_high: true,
  gas_too_high: true,
  destination_failed: true,
  above_fee_per_day: true,
  hot_balance_too_low: true,
  would_fail: true,
  amount_not_exact: true,
  nonce_not_mine: true,
  changed: true,
  below_minimum: true,
  signed_otherwise: true,
  paid_before: true,
};

test("the console has words for each reason of the signer, and the same for all others", () => {
  assert.deepEqual(Object.keys(HOLD_TEXTS).toSorted(), Object.keys(REASONS).toSorted());
  assert.equal(holdText("constructor"), holdText("<script>"));
});
