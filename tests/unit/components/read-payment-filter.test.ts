import assert from "node:assert/strict";
import { test } from "node:test";
import {
  filterQuery,
  isAmountUnread,
  linksOf,
  readPaymentFilter,
} from "#app/console/m/read-payment-filter.ts";

const owner = { merchantId: 1, env: "test", timeZone: "UTC" } as const;
const read = (query: Readonly<Record<string, unknown>>) => readPaymentFilter((name) => query[name]);

test("a range of amounts is read as people type it, in its currency", () => {
  for (const [query, least, most] of [
    [{ currency: "ngn", least: "16,000", most: "₦20.000,50" }, 1_600_000n, 2_000_050n],
    [{ currency: "ngn", least: "0.5", most: "" }, 50n, null],
    [{ currency: "jpy", most: "1000" }, null, 1_000n],
    [{ currency: "kwd", least: "1.234", most: "1.2345" }, 1_234n, null],
  ] as const) {
    const filter = read(query);
    assert.deepEqual(linksOf(owner, filter).amount, { currency: query.currency, least, most });
    // The URL of the next page and of the export says the same.
    assert.deepEqual(read(Object.fromEntries(filterQuery(filter))), filter);
  }
});

test("a currency without an amount, and an amount without a currency, are no filter", () => {
  for (const query of [
    { currency: "ngn", least: "", most: " " },
    { currency: "ngn", least: "-1", most: "much" },
    { least: "5" },
    { currency: "gold", least: "5" },
    { currency: ["ngn"], least: "5" },
  ])
    assert.equal(linksOf(owner, read(query)).amount, null, JSON.stringify(query));
});

test("an amount that cannot be read is no filter, and the page says so", () => {
  const isUnread = (query: Readonly<Record<string, unknown>>) =>
    isAmountUnread((name) => query[name], read(query));
  for (const typed of [".5", "5.", "-1", "much"])
    assert.ok(isUnread({ currency: "ngn", least: typed, most: "" }));
  for (const typed of ["", " ", "16,000"]) assert.ok(!isUnread({ currency: "ngn", least: typed }));
});

test("a searched text is not cut, so that it finds no other link", () => {
  for (const search of ["7".repeat(256), "a".repeat(2_000)]) assert.equal(read({ search }).search, search);
});

test("a form or a device is chosen by its number", () => {
  assert.deepEqual(linksOf(owner, read({ by: "form-12" })).seller, { kind: "form", id: 12 });
  assert.deepEqual(linksOf(owner, read({ by: "device-3" })).seller, { kind: "device", id: 3 });
  for (const by of ["form-0", "form-1x", "link-1", "form-9999999999999999", "", ["form-1"]])
    assert.equal(linksOf(owner, read({ by })).seller, null, String(by));
});
