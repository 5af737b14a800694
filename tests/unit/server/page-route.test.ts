import assert from "node:assert/strict";
import { test } from "node:test";
import { linkOfPage, pageRoute } from "#lib/server/page-route.ts";

const REFID = "4fRk9ZqWm2TgYx7LbNc3Vd";

/** PAYMENT_URL, and how the world then writes a link's path. */
const FORMS = [
  ["https://api.example/pay", `/pay/${REFID}`],
  ["https://pay.example", `/${REFID}`],
  ["https://api.example/a/b", `/a/b/${REFID}`],
] as const;

for (const [paymentUrl, path] of FORMS) {
  test(`PAYMENT_URL=${paymentUrl}: its own address and the widget's are one page`, () => {
    const route = pageRoute(paymentUrl);
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
    assert.equal(linkOfPage(path), REFID);
  }
  for (const path of [`/pay/${REFID}/version`, `/pay/${REFID}x`, "/pay/short", `/${REFID}`, "/pay/"]) {
    assert.equal(linkOfPage(path), null);
  }
});
