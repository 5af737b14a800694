import assert from "node:assert/strict";
import { test } from "node:test";
import { pageOfBoth } from "#components/console/page-of-both.ts";

test("a page of both environments is kept, and a single thing leads to its list", () => {
  const pages = {
    "": "overview",
    payments: "payments",
    "money/withdrawals": "money/withdrawals",
    "money/withdrawals/rules": "money/withdrawals/rules",
    "money/withdrawals/W12ab34": "money/withdrawals",
    "payments/SXAY6vLs79MZMrbMBkiHSi/refund": "payments",
    "customers/12": "customers",
    "developers/events/12": "developers",
    "developers/keys/3": "developers",
    "members/7": "members",
    "forms/new": "forms/new",
  };
  for (const [page, both] of Object.entries(pages)) assert.equal(pageOfBoth(page), both, page);
});
