import assert from "node:assert/strict";
import { test } from "node:test";
import { LANGUAGES } from "#lib/platform/languages/languages.ts";
import { widgetTexts } from "#packages/widget/src/checkout-box.ts";
import { readLink } from "#packages/widget/src/link.ts";

const REFID = "4fRk9ZqWm2TgYx7LbNc3Vd";
const HOME = "https://pay.example/checkout.js";
const SHOP = "https://shop.example";

test("takes a bare refid as a page on the script's own host", () => {
  assert.deepEqual(readLink(REFID, HOME, SHOP), {
    refid: REFID,
    isForm: false,
    origin: "https://pay.example",
    url: `https://pay.example/pay/${REFID}`,
    frameUrl: `https://pay.example/pay/${REFID}?parent=https%3A%2F%2Fshop.example`,
  });
});

test("takes a complete payment link unchanged, whatever PAYMENT_URL is", () => {
  for (const url of [`https://other.example/${REFID}`, `https://other.example/a/b/${REFID}`]) {
    const link = readLink(url, HOME, SHOP);
    assert.deepEqual([link.refid, link.origin, link.url], [REFID, "https://other.example", url]);
  }
});

test("takes the URL of a form, and its path on the script's own host", () => {
  const form = "https://pay.example/buy/4fRk9ZqWm2TgYx7LbNc3Vd";
  for (const text of [form, `/buy/${REFID}`]) {
    const link = readLink(text, HOME, SHOP);
    assert.deepEqual([link.refid, link.isForm, link.url], [REFID, true, form]);
  }
});

test("adds language and theme to the page's URL, in the frame and outside", () => {
  const link = readLink(REFID, HOME, SHOP, { locale: "fr", theme: "dark" });
  assert.equal(link.url, `https://pay.example/pay/${REFID}?lang=fr&theme=dark`);
  assert.equal(link.frameUrl, `${link.url}&parent=https%3A%2F%2Fshop.example`);
});

test("rejects anything else before a frame is created", () => {
  for (const text of [
    "",
    "4fRk9Z",
    `${REFID}x`,
    "0OIl9ZqWm2TgYx7LbNc3Vd",
    `javascript:alert(1)//${REFID}`,
    `data:text/html,<p>/${REFID}`,
    "https://pay.example/pay/",
    `https://pay.example/pay/${REFID}/version`,
  ]) {
    assert.throws(() => readLink(text, HOME, SHOP), TypeError, text);
  }
});

test("has its texts in every language of the page", () => {
  for (const [code, { dir }] of Object.entries(LANGUAGES)) {
    const words = widgetTexts(code);
    assert.equal(words.dir, dir, code);
    if (code !== "en") assert.notEqual(words.close, widgetTexts("en").close, code);
  }
  assert.deepEqual(widgetTexts("fr-CA"), widgetTexts("fr"));
  assert.deepEqual(widgetTexts("tlh"), widgetTexts("en"));
});
