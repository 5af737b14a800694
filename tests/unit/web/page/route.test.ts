import assert from "node:assert/strict";
import { test } from "node:test";
import {
  hasPage,
  isUploadPath,
  pagePathMapper,
  parseEmbedding,
  parsePageRefid,
} from "#lib/web/page/route.ts";

const REFID = "4fRk9ZqWm2TgYx7LbNc3Vd";

/** PAYMENT_URL and the public form of a link's path. */
const FORMS = [
  ["https://api.example/pay", `/pay/${REFID}`],
  ["https://pay.example", `/${REFID}`],
  ["https://api.example/a/b", `/a/b/${REFID}`],
] as const;

for (const [paymentUrl, path] of FORMS) {
  test(`PAYMENT_URL=${paymentUrl}: the public path and the inner path lead to the same page`, () => {
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

test("distinguishes the page of a link from the paths below it", () => {
  for (const path of [`/pay/${REFID}`, `/pay/${REFID}/`, `/pay/${REFID}?a=/version`]) {
    assert.equal(parsePageRefid(path), REFID);
  }
  for (const path of [`/pay/${REFID}/version`, `/${REFID}`, "/pay/", "/pay"]) {
    assert.equal(parsePageRefid(path), null);
  }
  assert.equal(parsePageRefid("/pay/cut-short?a"), "cut-short");
});

const COLOR = "accent/c81e1e-0123456789abcdef.css";
const LOGO = `logo/${"0a".repeat(32)}.webp`;

test("maps a merchant's color and logo below PAYMENT_URL, and nothing else", () => {
  for (const [paymentUrl, link] of FORMS) {
    const route = pagePathMapper(paymentUrl);
    for (const path of [COLOR, LOGO]) {
      assert.equal(route(link.replace(REFID, path)), `/pay/${path}`, paymentUrl);
      assert.equal(route(`/pay/${path}`), `/pay/${path}`, paymentUrl);
    }
  }
  const route = pagePathMapper("https://pay.example");
  const others = ["/accent/../../x.css", "/accent/c8-1.css/y", "/accent/x.css", "/logo/", `/${REFID}x`];
  for (const path of others) assert.equal(route(path), path);
});

test("does not reach other paths of Next", () => {
  const files = new Set(["checkout.js", "checkout-0.1.0-0a1b2c3d.js"]);
  for (const path of [
    "/",
    "/?lang=fr",
    "/status",
    `/pay/${REFID}`,
    `/pay/${REFID}/?a=b/c`,
    `/pay/${REFID}/version`,
    `/pay/${REFID}/sent?pair=bep20:usdt`,
    `/pay/${REFID}/preview.png?v=1`,
    "/pay/accent/c81e1e-0123456789abcdef.css",
    `/pay/logo/${"0a".repeat(32)}.webp`,
    "/_next/static/chunks/a.js",
    "/icon.svg?x",
    "/checkout.js?x",
    "/checkout-0.1.0-0a1b2c3d.js",
  ]) {
    assert.ok(hasPage(path, files), path);
  }
  for (const path of [
    "//",
    "/status/x",
    "/pay",
    "/pay/",
    `/pay/${REFID}/nothing`,
    `/pay/${REFID}/version/x`,
    `/pay/${REFID}/sent/x`,
    "/pay/accent/x/y",
    "/_next/image?url=x",
    "/_next/data/x.json",
    "/_error",
    "/icon.svg/x",
    "/checkout.js.map",
    "/checkout-0.0.9-00000000.js",
    "/bare",
  ]) {
    assert.ok(!hasPage(path, files), path);
  }
});

const MAY = ["https://pay.example", "https://shop.example"];
const parentOf = (parent: string) =>
  parseEmbedding(`/pay/x?parent=${encodeURIComponent(parent)}`, MAY).parent;

test("accepts a parent only if it equals an allowed origin exactly", () => {
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

test("accepts only light and dark as theme", () => {
  const themeOf = (query: string) => parseEmbedding(`/pay/x${query}`, MAY).theme;
  assert.equal(themeOf("?theme=dark"), "dark");
  assert.equal(themeOf("?network=bep20&theme=light"), "light");
  for (const query of ["", "?theme=auto", "?theme=", "?theme=DARK", '?theme="><script>']) {
    assert.equal(themeOf(query), null, query);
  }
});

test("a logo is uploaded at one path; forms of all others are checked before Next reads them", () => {
  const base = "/console/m/3f2b0c1e-1f7d-4a58-9c55-0a4b6c1d2e3f";
  for (const env of ["live", "test"]) assert.ok(isUploadPath(`${base}/${env}/settings/logo`));
  const others = ["/console/m/x/settings/logo", "/console/m/settings/logo", `${base}/test/a/settings/logo`];
  const near = [`${base}/prod/settings/logo`, `${base}/test/settings/logo/`, `${base}/test/settings/logo?a`];
  for (const path of [...others, ...near, "/console/sign-in/settings/logo"])
    assert.ok(!isUploadPath(path), path);
});
