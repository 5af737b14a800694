import assert from "node:assert/strict";
import { test } from "node:test";
import type { LinkState } from "#lib/domain/types.ts";
import { type LinkStatus, type Peer, readPageMessage, sendMessage } from "#packages/widget/src/messages.ts";

// Does not compile if the widget's states differ from the domain's.
const _states: Record<LinkState, LinkStatus> & Record<LinkStatus, LinkState> = {
  open: "open",
  awaiting: "awaiting",
  partial: "partial",
  detected: "detected",
  completed: "completed",
  overpaid: "overpaid",
  failed: "failed",
  expired: "expired",
};

const REFID = "4fRk9ZqWm2TgYx7LbNc3Vd";
const ORIGIN = "https://pay.example";

/** A window that records the messages posted to it. */
function aWindow() {
  const posted: [unknown, unknown][] = [];
  const it = { postMessage: (data: unknown, to: unknown) => posted.push([data, to]) };
  return { window: it as unknown as Window, posted };
}

const { window } = aWindow();
const peer: Peer = { origin: ORIGIN, window, refid: REFID };
const data = { paylink: 1, refid: REFID, type: "ready", status: "open", title: "Pay" };

test("accepts a message from the peer", () => {
  assert.deepEqual(readPageMessage({ origin: ORIGIN, source: window, data }, peer), data);
});

test("compares complete origins, and rejects similar ones", () => {
  for (const origin of [
    "https://pay.example.evil.example",
    "https://evilpay.example",
    "http://pay.example",
    "https://pay.example:8443",
    "https://PAY.example",
    "null",
    "*",
    "",
  ]) {
    assert.equal(readPageMessage({ origin, source: window, data }, peer), null, origin);
  }
});

test("rejects another window of the same origin, and a message without a window", () => {
  assert.equal(readPageMessage({ origin: ORIGIN, source: aWindow().window, data }, peer), null);
  assert.equal(readPageMessage({ origin: ORIGIN, source: null, data }, peer), null);
  assert.equal(readPageMessage({ origin: ORIGIN, source: null, data }, { ...peer, window: null }), null);
});

test("rejects another protocol, version or link, and data that is not an object", () => {
  for (const other of [
    null,
    undefined,
    "ready",
    7,
    [],
    {},
    { ...data, paylink: 2 },
    { ...data, paylink: "1" },
    { ...data, paylink: undefined },
    { ...data, refid: "1111111111111111111111" },
    { ...data, refid: undefined },
  ]) {
    assert.equal(readPageMessage({ origin: ORIGIN, source: window, data: other }, peer), null);
  }
});

test("accepts any link from the frame of a form, which creates one", () => {
  const other = { ...data, refid: "1111111111111111111111" };
  const ofForm = { ...peer, refid: null };
  assert.equal(readPageMessage({ origin: ORIGIN, source: window, data: other }, ofForm), other);
  assert.equal(
    readPageMessage({ origin: "https://shop.example", source: window, data: other }, ofForm),
    null,
  );
});

test("sends protocol and link to the exact origin of the peer", () => {
  const { window: other, posted } = aWindow();
  sendMessage({ ...peer, window: other }, { type: "hello" });
  assert.deepEqual(posted, [[{ paylink: 1, refid: REFID, type: "hello" }, ORIGIN]]);
  // A message to a removed frame is lost, without an error.
  sendMessage({ ...peer, window: null }, { type: "hello" });
});
