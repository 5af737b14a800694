import assert from "node:assert/strict";
import { test } from "node:test";
import {
  boundProven,
  type Claim,
  chooseNonce,
  countUnused,
  findGap,
  type Jump,
  mostProven,
} from "#lib/signer/evm/nonce-rules.ts";

const own = (...nonces: number[]) => nonces.map((nonce) => ({ spends: [`0xhot:${nonce}`] }));
const look = (mined: number, height: number, finalHeight = height - 12) => ({
  ...{ mined, height, finalHeight },
  upTo: 0,
});

test("the next nonce comes after the own ones and those that final blocks have, never from a mere claim", () => {
  const next = (claim: Claim | null, ...[mined, height, proven]: [number, number, number]) =>
    chooseNonce(own(0, 1), look(mined, height), { proven, claim });
  assert.deepEqual(next(null, 0, 100, 0), { nonce: 2, claim: null });
  assert.deepEqual(next(null, 2, 100, 2), { nonce: 2, claim: null });
  assert.deepEqual(
    next(null, 9, 100, 9),
    { nonce: 9, claim: null },
    "the journal lacks them, and they are final",
  );
  const claim = { mined: 9, height: 100 };
  assert.deepEqual(next(null, 9, 100, 2), { nonce: null, claim });
  assert.deepEqual(next(claim, 9, 131, 2), { nonce: null, claim }, "nodes may be apart");
  assert.deepEqual(next(claim, 9, 132, 2), { nonce: 2, claim }, "refuted");
  assert.deepEqual(next(claim, 9, 132, 9), { nonce: 9, claim: null }, "confirmed");
  const newer = { mined: 11, height: 132 };
  assert.deepEqual(next(claim, 11, 132, 9), { nonce: null, claim: newer }, "confirmed, and claimed again");
  assert.deepEqual(next(claim, 2, 101, 2), { nonce: 2, claim: null }, "another node claims nothing");
});

test("a nonce is believed at once up to the widest gap that what waits may wait behind", () => {
  assert.equal(mostProven([], []), 200);
  assert.equal(mostProven(own(0, 1), []), 202);
  assert.equal(mostProven(own(0, 1, 2, 3), own(2, 3)), 204);
  assert.equal(mostProven(own(200), own(200)), 201, "a second gap above the first adds to it");
  assert.equal(
    mostProven(own(0, 200, 200), own(200)),
    202,
    "a replacement has the nonce of what it replaces",
  );
  assert.equal(mostProven(own(5_000), []), 5_201);
});

test("a nonce above it is believed after an hour, and one far above it never", () => {
  const start = Date.UTC(2026, 0, 1);
  const at = (minutes: number) => new Date(start + minutes * 60_000);
  const bound = (proven: number, jump: Jump | null, minutes: number) =>
    boundProven(210, proven, jump, at(minutes));
  assert.deepEqual(bound(0, null, 0), { proven: 0, jump: null });
  assert.deepEqual(bound(210, null, 0), { proven: 210, jump: null });
  const jump = { to: 211, since: at(0) };
  assert.deepEqual(bound(211, null, 0), { proven: null, jump });
  assert.deepEqual(bound(250, jump, 59), { proven: null, jump }, "others send more meanwhile");
  assert.deepEqual(bound(250, jump, 60), { proven: 250, jump });
  assert.deepEqual(bound(210, jump, 30), { proven: 210, jump: null }, "a right answer ends it");
  const higher = { to: 5_000, since: at(60) };
  assert.deepEqual(bound(5_000, jump, 60), { proven: null, jump: higher });
  assert.deepEqual(bound(4_000, higher, 200), { proven: null, jump: { to: 4_000, since: at(200) } });
  const never = { to: 1_000_211, since: at(0) };
  assert.deepEqual(bound(1_000_211, never, 9_999), { proven: null, jump: never });
});

test("a gap counts unused nonces, not the own transactions among them", () => {
  assert.equal(countUnused(own(0, 1), [], 2), 0);
  assert.equal(countUnused(own(200, 201, 201), own(200, 201), 0), 200);
  assert.equal(countUnused(own(0, 1, 5, 7), own(5, 7), 2), 4);
  assert.equal(countUnused(own(0, 1, 5, 7), own(1, 5, 7), 1), 4);
  for (const mined of [11, 610, 810])
    assert.equal(countUnused(own(10, 1_010), own(1_010), mined), 999, `a node says ${mined}`);
  const filled = [1_010, ...Array.from({ length: 200 }, (_, at) => 810 + at)];
  assert.equal(
    countUnused(own(10, ...filled), own(...filled), 610),
    799,
    "what fills it makes no other part small",
  );
});

test("a gap is the lowest unused nonce that an own transaction waits behind", () => {
  assert.equal(findGap(own(0, 1, 2), 1), null);
  assert.equal(findGap(own(0, 1, 5), 2), 2);
  assert.equal(findGap(own(0, 2, 1, 5, 3), 2), 4);
  assert.equal(findGap(own(0, 1, 5), 6), null, "used by others");
  assert.equal(findGap(own(0, 1, 5), 1), 2);
  assert.equal(findGap([], 3), null);
});
