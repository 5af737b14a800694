/** The page around an invoice, in a shop's frame. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

const SCRIPT = readFileSync(
  join(import.meta.dirname, "../../../../lib/web/greenfield/modal/frame.js"),
  "utf8",
);
const ORIGIN = "https://pay.example.com";

/** Loads the page, lets the payment page say something, and returns what the shop hears and where the page goes. */
function hear(message: object, { isFramed, origins }: { isFramed: boolean; origins?: readonly string[] }) {
  const heard: unknown[] = [];
  const left: string[] = [];
  let listener: (event: object) => void = () => {};
  const inner = { postMessage: () => {} };
  const page = { contentWindow: inner, src: "" };
  const around = { postMessage: (data: unknown, target: string) => heard.push([data, target]) };
  const window: Record<string, unknown> = {
    addEventListener: (_: string, work: typeof listener) => {
      listener = work;
    },
  };
  window.parent = isFramed ? around : window;
  const location = { origin: ORIGIN, ancestorOrigins: origins, assign: (url: string) => left.push(url) };
  const document = { querySelector: () => page, body: { dataset: { refid: "R1" } }, referrer: "" };
  runInNewContext(SCRIPT, { window, location, document, URL });
  listener({ data: { paylink: 1, refid: "R1", ...message }, origin: ORIGIN, source: inner });
  return { heard, left };
}

const outcome = { type: "outcome", url: "https://shop.example.com/done" };

test("a shop is asked to close the frame, also by a browser that does not say who frames a page", () => {
  const known = hear(outcome, { isFramed: true, origins: ["https://shop.example.com"] });
  assert.deepEqual(known, { heard: [["close", "https://shop.example.com"]], left: [] });
  assert.deepEqual(hear(outcome, { isFramed: true }), { heard: [["close", "*"]], left: [] });
});

test("a page that nobody frames leads back to the shop", () => {
  const { url } = outcome;
  assert.deepEqual(hear(outcome, { isFramed: false }), { heard: [], left: [url] });
  assert.deepEqual(hear({ type: "close", url: "javascript:1" }, { isFramed: false }).left, []);
});
