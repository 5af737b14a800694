import assert from "node:assert/strict";
import { test } from "node:test";
import { hasPage, pagePathMapper, parseEmbedding, parsePageRefid } from "#lib/web/page/route.ts";

const REFID = "4fRk9ZqWm2TgYx7LbNc3Vd";

/** PAYMENT_URL, and how the world then writes a link's path. */
const FORMS = [
  ["https://api.example/pay", `/pay/${REFID}`],
  ["https://pay.example", `/${REFID}`],
  ["https://api.example/a/b", `/a/b/${REFID}`],
] as const;

for (const [paymentUrl, path] of FORMS) {
  test(`PAYMENT_URL=${paymentUrl}: its own address and the widget's are one page`, () => {
    const route = pagePathMapper(paymentUrl);
    for (const outer of [path, `/pay/${REFID}`]) {
      assert.equal(route(outer), `/pay/${REFID}`);
      assert.equal(route(`${outer}?network=bep20`), `/pay/${REFID}?network=bep20`);
      assert.equal(route(`${outer}/version`), `/pay/${REFID}/version`);
    }
    for (const other of ["/", "/checkout.js", "/_next/static/x.js", "/icon.svg"]) {
      assert.equal(route(other), other);
    }
  });
}

test("the page of a link is told from what lies below it", () => {
  for (const path of [`/pay/${REFID}`, `/pay/${REFID}/`, `/pay/${REFID}?a=/version`]) {
    assert.equal(parsePageRefid(path), REFID);
  }
  for (const path of [`/pay/${REFID}/version`, `/${REFID}`, "/pay/", "/pay"]) {
    assert.equal(parsePageRefid(path), null);
  }
  assert.equal(parsePageRefid("/pay/cut-short?a"), "cut-short");
});

const COLOUR = "face/c81e1e-0123456789abcdef.css";
const LOGO = `logo/${"0a".repeat(32)}.webp`;

test("a merchant's colour and logo are found wherever PAYMENT_URL puts them, and nothing else is", () => {
  for (const [paymentUrl, link] of FORMS) {
    const route = pagePathMapper(paymentUrl);
    for (const path of [COLOUR, LOGO]) {
      assert.equal(route(link.replace(REFID, path)), `/pay/${path}`, paymentUrl);
      assert.equal(route(`/pay/${path}`), `/pay/${path}`, paymentUrl);
    }
  }
  const route = pagePathMapper("https://pay.example");
  const others = ["/face/../../x.css", "/face/c8-1.css/y", "/face/x.css", "/logo/", `/${REFID}x`];
  for (const path of others) assert.equal(route(path), path);
});

test("what Next could answer besides is not asked of it", () => {
  for (const path of [
    `/pay/${REFID}`,
    "/_next/static/chunks/a.js",
    "/icon.svg?x",
    "/checkout-0.1.0-0a1b2c3d.js",
  ]) {
    assert.ok(hasPage(path), path);
  }
  for (const path of [
    "/",
    "/pay",
    "/_next/image?url=x",
    "/_next/data/x.json",
    "/_error",
    "/icon.svg/x",
    "/checkout.js.map",
  ]) {
    assert.ok(!hasPage(path), path);
  }
});

const MAY = ["https://pay.example", "https://shop.example"];
const parentOf = (parent: string) =>
  parseEmbedding(`/pay/x?parent=${encodeURIComponent(parent)}`, MAY).parent;

test("a parent counts when it may frame the page, letter for letter", () => {
  assert.equal(parentOf("https://shop.example"), "https://shop.example");
  for (const other of [
    "https://shop.example/",
    "https://shop.example.evil.example",
    "https://shop.example:8443",
    "http://shop.example",
    "https://SHOP.example",
    "null",
    "*",
    "",
  ]) {
    assert.equal(parentOf(other), null, other);
  }
});

test("a theme is light or dark, and nothing else", () => {
  const themeOf = (query: string) => parseEmbedding(`/pay/x${query}`, MAY).theme;
  assert.equal(themeOf("?theme=dark"), "dark");
  assert.equal(themeOf("?network=bep20&theme=light"), "light");
  for (const query of ["", "?theme=auto", "?theme=", "?theme=DARK", '?theme="><script>']) {
    assert.equal(themeOf(query), null, query);
  }
});
