import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  decideFirstSeen,
  type FirstSeen,
  type RecordedPayment,
} from "#lib/domain/deposits/record/first-seen-rules.ts";
import type { TransferObservation } from "#lib/domain/deposits/types.ts";

const START = new Date("2026-03-01T12:00:00.000Z");
const seconds = (count: number) => new Date(START.getTime() + count * 1_000);

interface Transaction {
  readonly spends: readonly string[];
  /** Address id and amount of each output. */
  readonly outputs: readonly (readonly [addressId: number, amount: bigint])[];
}

type Seen = { readonly observation: TransferObservation; readonly firstSeen: FirstSeen };

/** Observes these transactions one after the other, one a second, as the watcher records them. */
function observeAll(transactions: readonly Transaction[]): Seen[][] {
  const seen: Seen[][] = [];
  for (const [at, { spends, outputs }] of transactions.entries()) {
    const observations = outputs.map(
      ([addressId, amount], position): TransferObservation => ({
        ...{ txHash: `tx${at}`, position, token: "btc", addressId, amount, spends },
        ...{ merchantId: 1, sender: null, unmatchedReason: null, block: null },
      }),
    );
    const earlier = seen
      .flat()
      .filter(({ observation }) => observation.spends.some((one) => spends.includes(one)));
    const groups = Map.groupBy(
      earlier,
      ({ observation }) => `${observation.txHash} ${observation.addressId}`,
    );
    const recorded = [...groups.values()].map((group): RecordedPayment => {
      const { txHash, addressId, token } = group[0]!.observation;
      const times = group.map(({ firstSeen }) => firstSeen.firstSeenAt.getTime());
      const amount = group.reduce((sum, { observation }) => sum + observation.amount, 0n);
      return { txHash, addressId, token, amount, seenAt: new Date(Math.max(...times)) };
    });
    const spenders = new Map(earlier.map(({ observation }) => [observation.txHash, observation.spends]));
    const decided = decideFirstSeen(observations, recorded, spenders, seconds(at));
    seen.push(observations.map((observation) => ({ observation, firstSeen: decided.get(observation)! })));
  }
  return seen;
}

const whole = (at: number) => ({ firstSeenAt: seconds(at), earlyAmount: 0n, earlySeenAt: null });
const parts = (at: number, amount: bigint, early: number) => ({
  firstSeenAt: seconds(at),
  earlyAmount: amount,
  earlySeenAt: seconds(early),
});
const decide = (...transactions: Transaction[]) =>
  observeAll(transactions).map((outputs) => outputs.map(({ firstSeen }) => firstSeen));

test("a transaction that replaces another keeps its time if it pays no more", () => {
  const first = { spends: ["a", "b"], outputs: [[1, 100n]] } as const;
  const bumped = { spends: ["b", "a", "c"], outputs: [[1, 100n]] } as const;
  const less = { spends: ["a", "b", "d"], outputs: [[1, 90n]] } as const;
  assert.deepEqual(decide(first, bumped, less), [[whole(0)], [whole(0)], [whole(0)]]);
});

test("what it pays beyond the replaced amount is first seen now", () => {
  const small = { spends: ["a"], outputs: [[1, 6n]] } as const;
  const large = { spends: ["a"], outputs: [[1, 100n]] } as const;
  assert.deepEqual(decide(small, large), [[whole(0)], [parts(1, 6n, 0)]]);
  // A fee bump of the large one keeps the large one's time.
  assert.deepEqual(decide(small, large, large).at(-1), [whole(1)]);
});

test("outputs to one address share what was paid there before", () => {
  const first = { spends: ["a"], outputs: [[1, 100n]] } as const;
  const split = {
    spends: ["a"],
    outputs: [
      [1, 70n],
      [1, 70n],
      [1, 70n],
    ],
  } as const;
  assert.deepEqual(decide(first, split), [[whole(0)], [whole(0), parts(1, 30n, 0), whole(1)]]);
});

test("another address inherits nothing", () => {
  const first = { spends: ["a"], outputs: [[1, 100n]] } as const;
  const other = { spends: ["a"], outputs: [[2, 100n]] } as const;
  assert.deepEqual(decide(first, other), [[whole(0)], [whole(1)]]);
});

test("two transactions that spend different inputs of one do not both inherit from it", () => {
  const first = { spends: ["a", "b"], outputs: [[1, 100n]] } as const;
  const one = { spends: ["a"], outputs: [[1, 100n]] } as const;
  const two = { spends: ["b"], outputs: [[1, 100n]] } as const;
  assert.deepEqual(decide(first, one, two), [[whole(0)], [whole(1)], [whole(2)]]);
});

test("no history makes an amount older than it was seen at its address, and a fee bump loses nothing", () => {
  const output = fc.tuple(fc.constantFrom(1, 2), fc.bigInt(1n, 100n));
  const transaction = fc.record({
    spends: fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { minLength: 1 }),
    outputs: fc.array(output, { minLength: 1, maxLength: 4 }),
  });
  const paid = (outputs: Transaction["outputs"], address: number) =>
    outputs.reduce((sum, [to, amount]) => (to === address ? sum + amount : sum), 0n);
  fc.assert(
    fc.property(fc.array(transaction, { minLength: 1, maxLength: 8 }), (history) => {
      const seen = observeAll(history);
      for (const [at, { spends }] of history.entries()) {
        for (const address of [1, 2]) {
          const outputs = (seen[at] ?? []).filter(({ observation }) => observation.addressId === address);
          for (let since = 0; since < at; since++) {
            const claimed = outputs.reduce((sum, { observation, firstSeen }) => {
              if (firstSeen.firstSeenAt <= seconds(since)) return sum + observation.amount;
              return (firstSeen.earlySeenAt ?? seconds(at)) <= seconds(since)
                ? sum + firstSeen.earlyAmount
                : sum;
            }, 0n);
            // Each replaced transaction conflicts with all that could be mined next to this one.
            const replaced = history
              .slice(0, since + 1)
              .filter((one) => one.spends.every((o) => spends.includes(o)));
            const amounts = replaced.map((one) => paid(one.outputs, address));
            const most = amounts.toSorted((a, b) => Number(b - a))[0] ?? 0n;
            assert.ok(claimed <= most, `${claimed} of ${most}`);
          }
          for (const { observation, firstSeen } of outputs) {
            assert.ok(firstSeen.earlyAmount < observation.amount);
            assert.equal(firstSeen.earlyAmount > 0n, firstSeen.earlySeenAt !== null);
          }
        }
      }
      const bumped = observeAll([...history, history.at(-1)!]).at(-1)!;
      assert.ok(bumped.every(({ firstSeen }) => firstSeen.firstSeenAt < seconds(history.length)));
    }),
    { numRuns: 2_000 },
  );
});
