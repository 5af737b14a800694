import assert from "node:assert/strict";
import { test } from "node:test";
import { judge, maySucceed, seemsToPay } from "#lib/domain/withdrawals/outcome-rules.ts";
import type { Observation, Sighting } from "#lib/domain/withdrawals/types.ts";

const OWED = { token: "usdt", toAddress: "them", amount: 100n } as const;
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

function sighting(hash: string, changes: Partial<Sighting> = {}): Sighting {
  return { hash, namedAt: "", spends: [], block: null, seen: null, expired: false, ...changes };
}
function mined(
  hash: string,
  height: number,
  payments: ReturnType<typeof pays>,
  { spends = [] as string[], failed = false, untold = null as "usdt" | "btc" | null } = {},
): Sighting {
  const block = { height, hash: `b${height}` };
  return sighting(hash, { seen: { block, failed, payments, untold, spends } });
}
const waiting = (hash: string, spends: string[] = []) =>
  sighting(hash, { seen: { block: null, failed: false, payments: null, untold: null, spends } });

const at = (...sightings: Sighting[]): Observation => ({
  head: { height: 110, hash: "b110", finalizedHeight: 105 },
  finality: FINALIZED,
  sightings,
});
const counted = (...sightings: Sighting[]): Observation => ({
  head: { height: 110, hash: "b110", finalizedHeight: null },
  finality: COUNTED,
  sightings,
});

const EXACT = pays(["them", 100n]);
const UNTOLD = { untold: "usdt" } as const;
const PAID = { kind: "paid", hash: "a" };
const CASES: readonly (readonly [string, Observation, object])[] = [
  ["nothing named", at(), { kind: "open" }],
  ["unknown", at(sighting("a")), { kind: "open" }],
  ["unknown, and expired", at(sighting("a", { expired: true })), { kind: "dead" }],
  ["waiting", at(waiting("a", ["s:1"])), { kind: "open" }],
  ["paid in the final block", at(mined("a", 105, EXACT)), PAID],
  ["paid one block above it", at(mined("a", 106, EXACT)), { kind: "open" }],
  [
    "no final block known",
    {
      ...at(mined("a", 1, EXACT)),
      finality: FINALIZED,
      head: { height: 9, hash: "b", finalizedHeight: null },
    },
    { kind: "open" },
  ],
  ["paid with the sixth confirmation", counted(mined("a", 105, EXACT)), PAID],
  ["with the fifth", counted(mined("a", 106, EXACT)), { kind: "open" }],
  ["paid among others", at(mined("a", 1, pays(["x", 5n], ["them", 100n], ["them", 7n, "btc"]))), PAID],
  ["paid in two parts", at(mined("a", 1, pays(["them", 40n], ["them", 60n]))), PAID],
  ["paid one unit less", at(mined("a", 1, pays(["them", 99n]))), { kind: "paid_otherwise" }],
  ["paid twice as much", at(mined("a", 1, pays(["them", 100n], ["them", 100n]))), { kind: "paid_otherwise" }],
  ["paid in another token", at(mined("a", 1, pays(["them", 100n, "btc"]))), { kind: "dead" }],
  ["paid somebody else", at(mined("a", 1, pays(["x", 100n]))), { kind: "dead" }],
  ["paid somebody else, not final", at(mined("a", 106, pays(["x", 100n]))), { kind: "open" }],
  ["failed", at(mined("a", 105, [], { failed: true })), { kind: "dead" }],
  ["failed, not final", at(mined("a", 106, [], { failed: true })), { kind: "open" }],
  ["nothing that is told, not all of it is", at(mined("a", 105, [], UNTOLD)), { kind: "untold" }],
  ["the same, not final", at(mined("a", 106, [], UNTOLD)), { kind: "open" }],
  ["pays others, not all is told", at(mined("a", 1, pays(["x", 100n]), UNTOLD)), { kind: "untold" }],
  ["pays what is owed, not all is told", at(mined("a", 1, EXACT, UNTOLD)), PAID],
  ["pays less, not all is told", at(mined("a", 1, pays(["them", 99n]), UNTOLD)), { kind: "paid_otherwise" }],
  ["all but another token is told", at(mined("a", 1, [], { untold: "btc" })), { kind: "dead" }],
  [
    "failed, so that there is nothing to tell",
    at(mined("a", 1, [], { ...UNTOLD, failed: true })),
    { kind: "dead" },
  ],
  [
    "called back by one that does not tell all",
    at(sighting("a", { spends: ["s:1"] }), mined("b", 1, [], { ...UNTOLD, spends: ["s:1"] })),
    { kind: "untold" },
  ],
  [
    "not all is told of one, another pays",
    at(mined("a", 1, [], { ...UNTOLD, spends: ["s:1"] }), mined("b", 1, EXACT)),
    { kind: "paid", hash: "b" },
  ],
  [
    "replaced, the successor pays",
    at(sighting("b", { spends: ["s:1"] }), mined("a", 1, EXACT, { spends: ["s:1"] })),
    PAID,
  ],
  [
    "replaced, but the former pays",
    at(mined("a", 1, EXACT, { spends: ["s:1"] }), sighting("b", { spends: ["s:1"] })),
    PAID,
  ],
  [
    "called back for good",
    at(sighting("a", { spends: ["s:1"] }), mined("b", 1, [], { spends: ["s:1"] })),
    { kind: "dead" },
  ],
  [
    "called back, not final",
    at(sighting("a", { spends: ["s:1"] }), mined("b", 106, [], { spends: ["s:1"] })),
    { kind: "open" },
  ],
  [
    "another of the sender's is final",
    at(waiting("a", ["s:2"]), mined("b", 1, [], { spends: ["s:1"] })),
    { kind: "open" },
  ],
  [
    "a chain of three, the first still free",
    at(
      sighting("a", { spends: ["x:0"] }),
      sighting("b", { spends: ["x:0", "y:0"] }),
      mined("c", 1, [], { spends: ["y:0"] }),
    ),
    { kind: "open" },
  ],
];

for (const [name, observation, expected] of CASES) {
  test(`${name}: ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(judge(OWED, observation), expected);
  });
}

test("a successor takes the place of every living one, or follows the dead", () => {
  const successor = waiting("n", ["s:1"]);
  assert.equal(maySucceed(OWED, successor, at(sighting("a", { spends: ["s:1"] }))), true);
  assert.equal(maySucceed(OWED, successor, at(sighting("a", { spends: ["s:2"] }))), false);
  assert.equal(maySucceed(OWED, successor, at(sighting("a"))), false, "nothing is known of it");
  assert.equal(maySucceed(OWED, sighting("n"), at(sighting("a", { spends: ["s:1"] }))), false);
  assert.equal(maySucceed(OWED, sighting("n"), at(sighting("a", { expired: true }))), true);
  assert.equal(maySucceed(OWED, sighting("n"), at(mined("a", 1, [], { failed: true }))), true);
  assert.equal(maySucceed(OWED, sighting("n"), at(mined("a", 1, EXACT))), false, "it has paid");
  assert.equal(maySucceed(OWED, sighting("n"), at(mined("a", 1, [], UNTOLD))), false, "it may have paid");
  const mixed = at(mined("a", 1, [], { failed: true }), sighting("b", { spends: ["s:1"] }));
  assert.equal(maySucceed(OWED, successor, mixed), true);
  assert.equal(maySucceed(OWED, waiting("n", ["s:9"]), mixed), false);
});

test("what the chain does not tell, or not yet, is no reason to doubt", () => {
  assert.equal(seemsToPay(OWED, sighting("a")), true);
  assert.equal(seemsToPay(OWED, waiting("a")), true);
  assert.equal(seemsToPay(OWED, mined("a", 110, EXACT)), true);
  assert.equal(seemsToPay(OWED, mined("a", 110, pays(["them", 101n]))), false);
  assert.equal(seemsToPay(OWED, mined("a", 110, [], { failed: true })), false);
  assert.equal(seemsToPay(OWED, mined("a", 110, [], UNTOLD)), true);
  assert.equal(seemsToPay(OWED, mined("a", 110, [], { untold: "btc" })), false);
  assert.equal(seemsToPay(OWED, mined("a", 110, [], { ...UNTOLD, failed: true })), false);
});
