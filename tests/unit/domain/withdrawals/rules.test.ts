import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { NETWORKS } from "#lib/chains/networks.ts";
import { encodeXAddress } from "#lib/chains/xrp/address.ts";
import { fromStatusNumber, toStatusNumber, WITHDRAWAL_STATUSES } from "#lib/domain/withdrawal-status.ts";
import { isUnsafeDestination } from "#lib/domain/withdrawals/create/is-unsafe-destination.ts";
import {
  nextWithdrawalStatus,
  sendAmountRefusal,
  WITHDRAWAL_TRANSITIONS,
  withdrawalCauses,
} from "#lib/domain/withdrawals/rules.ts";
import type { WithdrawalStatus } from "#lib/domain/withdrawals/types.ts";

/**
 * One row for each status, in the order of WITHDRAWAL_TRANSITIONS: sent, replaced, paid, abandoned,
 * abandoned_unpayable, released.
 */
const TABLE: Readonly<Record<WithdrawalStatus, readonly string[]>> = {
  pending: [
    "processing",
    "withdrawal_not_sent",
    "withdrawal_not_sent",
    "refund_queued",
    "refund_queued",
    "withdrawal_not_sent",
  ],
  processing: [
    "withdrawal_already_sent",
    "processing",
    "completed",
    "withdrawal_may_still_pay",
    "refund_queued",
    "withdrawal_not_abandoned",
  ],
  failed: Array.from({ length: 6 }, () => "withdrawal_failed"),
  completed: Array.from({ length: 6 }, () => "withdrawal_completed"),
  refund_queued: [...Array.from({ length: 5 }, () => "withdrawal_abandoned"), "failed"],
};

for (const status of WITHDRAWAL_STATUSES) {
  for (const [i, fact] of WITHDRAWAL_TRANSITIONS.entries()) {
    const expected = TABLE[status][i];
    test(`${status}, ${fact}: ${expected}`, () => {
      const next = nextWithdrawalStatus(status, fact);
      assert.equal(next.ok ? next.status : next.reason, expected);
    });
  }
}

test("the numbers of the statuses are those of the interface document", () => {
  assert.deepEqual(
    WITHDRAWAL_STATUSES.map((status) => [status, toStatusNumber(status)]),
    [
      ["pending", 0],
      ["processing", 1],
      ["failed", 2],
      ["completed", 3],
      ["refund_queued", 5],
    ],
  );
  for (const status of WITHDRAWAL_STATUSES) assert.equal(fromStatusNumber(toStatusNumber(status)), status);
  assert.throws(() => fromStatusNumber(4));
});

test("no sequence of transitions pays and releases, or does either twice", () => {
  const facts = fc.array(fc.constantFrom(...WITHDRAWAL_TRANSITIONS), { maxLength: 30 });
  fc.assert(
    fc.property(facts, (happening) => {
      let status: WithdrawalStatus = "pending";
      const ends: string[] = [];
      for (const fact of happening) {
        const moved = nextWithdrawalStatus(status, fact);
        if (!moved.ok) continue;
        status = moved.status;
        if (fact === "paid" || fact === "released") ends.push(fact);
      }
      assert.ok(ends.length <= 1, ends.join());
    }),
  );
});

test("an amount has the chain's precision and is within the limits, both included", () => {
  const limits = { minimum: 100n, maximum: 1_000n, step: 10n };
  assert.equal(sendAmountRefusal(100n, limits), null);
  assert.equal(sendAmountRefusal(1_000n, limits), null);
  assert.equal(sendAmountRefusal(90n, limits), "send_amount_below_minimum");
  assert.equal(sendAmountRefusal(1_010n, limits), "send_amount_above_maximum");
  assert.equal(sendAmountRefusal(105n, limits), "send_amount_too_fine");
});

test("every ledger transfer of a withdrawal has its own cause", () => {
  const names = [1, 11].flatMap((id) => Object.values(withdrawalCauses({ id })));
  assert.ok(names.length > 0);
  assert.equal(new Set(names).size, names.length);
});

test("an address without a known key is refused on each network, whatever tag it has", () => {
  const xrp = (account: string, tag: number | null) => encodeXAddress({ account, tag }, "live");
  const burning: Readonly<Record<string, readonly string[]>> = {
    erc20: [`0x${"0".repeat(36)}dead`, `0x${"0".repeat(39)}1`],
    trc20: ["T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb", "TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy"],
    solana: ["1".repeat(32), `1nc1nerator${"1".repeat(32)}`],
    xrp: [xrp("rrrrrrrrrrrrrrrrrNAMEtxvNvQ", 7), xrp("rrrrrrrrrrrrrrrrrrrrBZbvji", null)],
  };
  const usual: Readonly<Record<string, string>> = {
    erc20: `0x${"1".repeat(40)}`,
    trc20: "TKzxdSv2FZKQrEqkKVgp5DcwEXBEKMg2Ax",
    solana: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
    xrp: xrp("rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh", 7),
  };
  assert.ok(
    isUnsafeDestination(NETWORKS.bitcoin, "live", "bc1pfeessrawgf"),
    "pay to anchor: anyone can spend it",
  );
  assert.ok(isUnsafeDestination(NETWORKS.bitcoin, "test", "bcrt1pfeesnyr2tx"), "also of a private chain");
  assert.equal(
    isUnsafeDestination(NETWORKS.bitcoin, "live", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
    false,
  );
  for (const network of ["erc20", "trc20", "solana", "xrp"] as const) {
    for (const address of burning[network] ?? [])
      assert.ok(isUnsafeDestination(NETWORKS[network], "live", address), address);
    assert.equal(isUnsafeDestination(NETWORKS[network], "live", usual[network] ?? ""), false, network);
  }
});
