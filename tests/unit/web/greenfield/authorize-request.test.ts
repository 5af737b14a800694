import assert from "node:assert/strict";
import { test } from "node:test";
import { LINK_PAIRS } from "#lib/chains/networks.ts";
import { findPaymentMethod, paymentMethodId } from "#lib/chains/payment-method.ts";
import { parseStoreId, storeIdOf } from "#lib/domain/store-id.ts";
import { readAuthorizeRequest } from "#lib/web/greenfield/authorize-request.ts";
import { readRounded } from "#lib/web/greenfield/read-amount.ts";
import { pageHeaders } from "#lib/web/page/headers.ts";
import { parseKeyOrigin } from "#lib/web/page/route.ts";

const read = (query: string) => readAuthorizeRequest(new URLSearchParams(query));

test("a request for a key has each known permission once, and names every other", () => {
  const view = "btcpay.store.canviewinvoices";
  assert.deepEqual(read(`permissions=${view}:abc&permissions=${view}&permissions=unrestricted&strict=true`), {
    name: "",
    permissions: [view],
    unknown: ["unrestricted"],
    redirect: null,
  });
  assert.equal(read("applicationName=My%0A%E2%80%AEshop").name, "My shop");
  assert.equal(read("redirect=javascript:alert(1)").redirect, "malformed");
  assert.equal(read("redirect=https://shop.example/a").redirect, "https://shop.example/a");
});

test("the authorize page alone may send a form to the plugin's origin", () => {
  const path = (redirect: string) => `/console/authorize?redirect=${encodeURIComponent(redirect)}`;
  assert.equal(parseKeyOrigin(path("https://shop.example/a?b=c")), "https://shop.example");
  for (const other of [
    path("javascript:alert(1)"),
    path("https://shop.example;script-src *"),
    "/console/authorize",
    "/console/account?redirect=https://shop.example",
  ])
    assert.equal(parseKeyOrigin(other), null, other);
  const policy = pageHeaders("x", { dev: false, formOrigin: "https://shop.example" });
  assert.match(policy["content-security-policy"] ?? "", /form-action 'self' https:\/\/shop\.example;/);
  assert.match(pageHeaders("x", { dev: false })["content-security-policy"] ?? "", /form-action 'self';/);
});

test("every pair has a method id of letters, digits and dashes, which is found again as plugins write it", () => {
  for (const pair of LINK_PAIRS) {
    const id = paymentMethodId(pair);
    assert.match(id, /^[A-Z0-9]+-[A-Z0-9]+$/);
    assert.equal(findPaymentMethod(id.toLowerCase().replace("-", "_")), pair);
  }
  assert.deepEqual(findPaymentMethod("BTC"), { network: "bitcoin", token: "btc" });
  for (const unknown of ["", "USDT", "BTC-LN", "XMR-CHAIN"]) assert.equal(findPaymentMethod(unknown), null);
});

test("a store id has letters and digits alone, and says the environment", () => {
  const code = "6f9619ff-8b86-d011-b42d-00c04fc964ff";
  for (const env of ["live", "test"] as const) {
    const id = storeIdOf(code, env);
    assert.match(id, /^[0-9a-z]+$/);
    assert.deepEqual(parseStoreId(id), { code, env });
  }
  assert.equal(parseStoreId(code), null);
});

test("amounts of shops are rounded half up, and what is no amount above 0 is refused", () => {
  assert.equal(readRounded("12.345", 2), 1235n);
  assert.equal(readRounded("0.005", 2), 1n);
  assert.equal(readRounded("1e12", 2), 10n ** 14n);
  for (const bad of ["0", "0.004", "-1", "", "1,5", "NaN", "1000000000000.01"])
    assert.equal(readRounded(bad, 2), null, bad);
});
