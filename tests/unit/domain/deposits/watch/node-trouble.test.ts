import assert from "node:assert/strict";
import { test } from "node:test";
import type { NetworkData } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { followFinality, isStaleHead } from "#lib/domain/deposits/watch/node-trouble.ts";
import type { FinalityProgress } from "#lib/domain/network-status/types.ts";

const AT = new Date("2026-03-01T12:00:00Z");
const after = (seconds: number) => new Date(AT.getTime() + seconds * 1_000);

test("the newest block may be 20 block times old, and a minute at least", () => {
  const limits = { bitcoin: 12_000, litecoin: 3_000, dogecoin: 1_200, erc20: 240, xrp: 80 };
  const all: readonly NetworkData[] = Object.values(NETWORKS);
  for (const data of all) {
    const limit = (limits as Record<string, number>)[data.code] ?? 60;
    assert.ok(!isStaleHead({ time: AT }, data, after(limit)), data.code);
    assert.ok(isStaleHead({ time: AT }, data, after(limit + 1)), data.code);
  }
});

test("a head without a time, of the future, or of a development chain is never stale", () => {
  assert.ok(!isStaleHead({ time: null }, NETWORKS.bep20, AT));
  assert.ok(!isStaleHead({}, NETWORKS.bep20, AT));
  assert.ok(!isStaleHead({ time: after(1_000) }, NETWORKS.bep20, AT));
  assert.ok(!isStaleHead({ time: AT }, { ...NETWORKS.bep20, isDevelopment: true }, after(100_000)));
});

const NONE: FinalityProgress = { finalizedHeight: null, finalizedSince: null, finalityLate: false };
const notGrown = (finalizedHeight: number | null): FinalityProgress => ({
  ...{ finalizedHeight, finalizedSince: AT, finalityLate: false },
});

test("finality is late when it did not advance for five delays while blocks come", () => {
  const seen = (height: number, finalizedHeight: number | null, seconds: number) =>
    followFinality(notGrown(90), { height, finalizedHeight }, NETWORKS.bep20, after(seconds));
  assert.deepEqual(
    followFinality(NONE, { height: 92, finalizedHeight: 90 }, NETWORKS.bep20, AT),
    notGrown(90),
  );
  assert.deepEqual(seen(200, 91, 90), { ...notGrown(91), finalizedSince: after(90) });
  assert.equal(seen(200, 90, 60).finalityLate, false);
  assert.deepEqual(seen(200, 90, 61), { ...notGrown(90), finalityLate: true });
  assert.equal(seen(100, 90, 61).finalityLate, false, "the head does not advance either");
  assert.equal(seen(200, 85, 61).finalityLate, true, "it went back");
  assert.equal(seen(200, null, 61).finalityLate, true, "the node forgot it");
  const slow = (seconds: number) =>
    followFinality(notGrown(90), { height: 300, finalizedHeight: 90 }, NETWORKS.trc20, after(seconds));
  assert.deepEqual([slow(285).finalityLate, slow(286).finalityLate], [false, true]);
});

test("no final block at all is as late, and none where confirmations are counted or blocks come on demand", () => {
  const head = { height: 300, finalizedHeight: null };
  const first = followFinality(NONE, head, NETWORKS.bep20, AT);
  assert.deepEqual(first, notGrown(null));
  assert.equal(followFinality(first, head, NETWORKS.bep20, after(61)).finalityLate, true);
  const development = { ...NETWORKS.bep20, isDevelopment: true };
  assert.equal(followFinality(first, head, development, after(61)).finalityLate, false);
  assert.deepEqual(followFinality(first, head, NETWORKS.bitcoin, after(61)), NONE);
});
