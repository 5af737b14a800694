import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import "#tests/support/jsx.ts";

const { PairFields } = await import("#components/console/pair-field.tsx");

const USDT = { code: "usdt.bep20", name: "USDT on BNB Smart Chain", limit: "Up to 12 USDT.", amount: "2" };
const USDC = { code: "usdc.bep20", name: "USDC on BNB Smart Chain", limit: "Up to 5 USDC.", amount: "5" };
const shown = (pairs: readonly (typeof USDT)[], isReady = true) =>
  renderToStaticMarkup(createElement(PairFields, { label: "What was paid", pairs, isReady, problem: null }));

test("shows one balance as text, which no choice cuts, and posts it", () => {
  const html = shown([USDT]);
  assert.doesNotMatch(html, /<select/);
  assert.match(html, /USDT on BNB Smart Chain/);
  assert.match(html, /<input type="hidden" name="pair" value="usdt\.bep20"/);
});

test("keeps the limit of a balance out of its choice, and begins with its amount", () => {
  const html = shown([USDT, USDC]);
  assert.match(html, /<option value="usdt\.bep20"[^>]*>USDT on BNB Smart Chain<\/option>/);
  assert.match(html, /Up to 12 USDT\./);
  assert.doesNotMatch(html, /Up to 5 USDC/);
  assert.match(html, /name="amount"[^>]*value="2"|value="2"[^>]*name="amount"/);
});

test("lets nobody choose another balance before the page's script runs, which would forget it", () => {
  assert.match(shown([USDT, USDC], false), /<select[^>]*disabled/);
  assert.doesNotMatch(shown([USDT, USDC]), /<select[^>]*disabled/);
});

test("enters the largest amount by a button that waits for the page's script", () => {
  const pair = { ...USDT, most: "12" };
  assert.match(shown([pair], false), /<button[^>]*disabled/);
  assert.doesNotMatch(shown([pair]), /<button[^>]*disabled/);
});
