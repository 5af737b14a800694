import assert from "node:assert/strict";
import { test } from "node:test";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { parseLinkChange } from "#lib/domain/payment-links/version-queries.ts";
import { isOriginAllowed, spreadMsFor, watchStatusDiffers } from "#lib/web/realtime/rules.ts";

const own = { publicOrigins: ["https://pay.example"], host: "10.0.0.5:3000" };
const REFID = "4fRk9ZqWm2TgYx7LbNc3Vd";

test("refuses a foreign origin, and accepts ours and none", () => {
  const allowed = (origin?: string) => isOriginAllowed(origin, own);
  assert.ok(allowed());
  assert.ok(allowed("https://pay.example"));
  assert.ok(allowed("http://10.0.0.5:3000"));
  for (const foreign of [
    "null",
    "https://evil.example",
    "https://pay.example.evil.example",
    "http://pay.example",
    "",
  ]) {
    assert.ok(!allowed(foreign), foreign);
  }
});

test("accepts only 22 characters of base58 as a refid", () => {
  assert.ok(isRefid(REFID));
  for (const other of [
    undefined,
    1,
    "",
    `${REFID}a`,
    REFID.slice(1),
    `0${REFID.slice(1)}`,
    `${REFID}\n`,
    [REFID],
  ]) {
    assert.ok(!isRefid(other), String(other));
  }
});

test("parses a notification into refid, version and owner, and rejects anything else", () => {
  assert.deepEqual(parseLinkChange(`${REFID}:12`), { refid: REFID, version: 12, owner: null });
  const owner = { merchantId: 7, env: "live" };
  assert.deepEqual(parseLinkChange(`${REFID}:12:7:live`), { refid: REFID, version: 12, owner });
  for (const other of ["", REFID, `${REFID}:`, `${REFID}:-1`, `${REFID}:1:2`, "short:1", `${REFID}:1e9`]) {
    assert.equal(parseLinkChange(other), null, other);
  }
});

test("detects a difference only in the page's own networks", () => {
  const networks = ["test:bep20", "test:bitcoin"];
  assert.ok(!watchStatusDiffers({ networks, unwatched: [] }, []));
  assert.ok(!watchStatusDiffers({ networks, unwatched: [] }, ["live:bep20", "test:trc20"]));
  assert.ok(!watchStatusDiffers({ networks, unwatched: ["test:bitcoin"] }, ["test:bitcoin", "test:trc20"]));
  assert.ok(watchStatusDiffers({ networks, unwatched: [] }, ["test:bitcoin"]));
  assert.ok(watchStatusDiffers({ networks, unwatched: ["test:bep20"] }, ["test:bitcoin"]));
  assert.ok(watchStatusDiffers({ networks, unwatched: ["test:bep20"] }, []));
  assert.ok(!watchStatusDiffers({ networks: [], unwatched: [] }, ["test:bep20"]));
});

test("spreads more pages over a longer time, as a power of two of seconds", () => {
  const spreads = [0, 1, 40, 41, 80, 1_000, 5_000].map(spreadMsFor);
  assert.deepEqual(spreads, [1_000, 1_000, 1_000, 2_000, 2_000, 32_000, 128_000]);
});
