import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeXAddress } from "#lib/chains/xrp/address.ts";
import { MAX_CUSTOMER_TEXT } from "#lib/domain/merchants/customer-rules.ts";
import { readSearch } from "#lib/domain/payment-links/search/search-text.ts";

const ACCOUNTS = ["rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh", "rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B"];
const addressesOf = (begins: string) => readSearch({ begins })?.addresses;

test("an X-address is searched for whole, because those of one account begin alike", () => {
  for (const account of ACCOUNTS)
    for (const env of ["live", "test"] as const) {
      const address = encodeXAddress({ account, tag: 7 }, env);
      assert.deepEqual(addressesOf(address), [address, address.toLowerCase()]);
      assert.deepEqual(addressesOf(address.slice(0, 40)), []);
      if (env === "live") assert.deepEqual(addressesOf(address.slice(0, 8)), []);
    }
});

test("the first characters of another address are searched for, and a whole address of Solana that begins like one", () => {
  for (const begins of [
    "TVjsyZ7f",
    "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf",
    "0x1111",
    "bc1qxy",
    `X7${"a".repeat(41)}`,
  ])
    assert.deepEqual(addressesOf(begins)?.[0], begins);
});

test("a reference is searched for whatever characters it has, as plugins of shops send it", () => {
  for (const begins of ["cal-booking-7", "wc_order_13", "Order 13", "a".repeat(200)])
    assert.equal(readSearch({ begins })?.reference, begins);
});

test("the longest order id, e-mail address and name are searched for as a whole", () => {
  const longest = "a".repeat(MAX_CUSTOMER_TEXT);
  const email = `${"a".repeat(MAX_CUSTOMER_TEXT - 4)}@b.c`;
  assert.equal(readSearch("7".repeat(256))?.reference, "7".repeat(256));
  assert.equal(readSearch(email)?.email, email);
  assert.deepEqual(readSearch(`${longest} ${longest}`)?.name?.split, { first: longest, last: longest });
  assert.equal(readSearch(`${longest} ${longest}a`), null, "longer than any text that a link has");
});

test("an amount with a point before three digits is searched for as each currency means it", () => {
  const amounts = readSearch({ begins: "1.000" })?.amounts ?? [];
  const unitsOf = (code: "eur" | "kwd") => amounts.find(({ currencies }) => currencies.includes(code))?.units;
  assert.deepEqual([unitsOf("eur"), unitsOf("kwd")], [100_000n, 1_000n]);
});
