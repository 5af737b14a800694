import assert from "node:assert/strict";
import { test } from "node:test";
import { type AddressUse, mayAllocate } from "#lib/domain/wallets/address-limit-rules.ts";

const NEW_SHOP = { allowed: 10_000, count: 0, paid: 0, paidAnywhere: 0, hasOthers: true } as const;
const may = (use: Partial<AddressUse>) => mayAllocate({ ...NEW_SHOP, ...use }, null);

test("allows the setting's number of addresses before the first payment, and 1,000 more for each paid one", () => {
  assert.equal(may({ count: 9_999 }), true);
  assert.equal(may({ count: 10_000 }), false);
  assert.equal(may({ count: 11_000, paid: 1, paidAnywhere: 1 }), true);
  assert.equal(may({ count: 11_001, paid: 1, paidAnywhere: 1 }), false);
  assert.equal(may({ count: 11_000, paid: 0, paidAnywhere: 1 }), false);
});

test("never refuses a shop of 5,000 links a day of which one in five hundred is paid, on another network", () => {
  for (let day = 1; day <= 3_650; day++) {
    assert.ok(may({ count: 5_000 * day, paidAnywhere: 10 * (day - 1) }), `on day ${day}`);
  }
});

test("leaves the low rest of a pool to merchants with fewer unpaid addresses", () => {
  const low = { size: 500, left: 50 };
  const holds = (count: number, changes: Partial<AddressUse> = {}) =>
    mayAllocate({ ...NEW_SHOP, count, ...changes }, low);
  assert.equal(holds(49), true);
  assert.equal(holds(50), false);
  assert.equal(holds(450, { paid: 401, paidAnywhere: 401 }), true, "paid ones do not count");
  assert.equal(holds(450, { hasOthers: false }), true, "the only merchant may have all");
  assert.equal(mayAllocate({ ...NEW_SHOP, count: 450 }, { size: 500, left: 51 }), true);
});
