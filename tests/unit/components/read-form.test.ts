/** The fields of the editor of a form. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readForm, showForm } from "#app/console/m/[merchant]/[env]/forms/read-form.ts";

const endOf = (day: string, before: Date | null, timeZone = "UTC") =>
  readForm(
    (name) => (name === "expiresAt" ? day : ""),
    before && { expiresAt: before, currency: "ngn" },
    timeZone,
  ).expiresAt?.toISOString() ?? null;

test("editing a form keeps its end, unless another day is chosen", () => {
  const before = new Date("2026-12-24T15:30:00.000Z");
  assert.equal(endOf("2026-12-24", before), "2026-12-24T15:30:00.000Z");
  assert.equal(endOf("2026-12-25", before), "2026-12-25T23:59:59.000Z");
  assert.equal(endOf("2026-12-24", null), "2026-12-24T23:59:59.000Z");
  assert.equal(endOf("", before), null);
  assert.equal(endOf("2026-02-30", null), null);
  // It is the 25th already in Auckland.
  assert.equal(endOf("2026-12-25", before, "Pacific/Auckland"), "2026-12-24T15:30:00.000Z");
  assert.equal(endOf("2026-12-24", before, "Pacific/Auckland"), "2026-12-24T10:59:59.000Z");
});

test("the editor says when a form ends, also where its last day is not whole in this zone", () => {
  const form = {
    ...{ currency: "ngn", amount: null, minimumAmount: null, maximumAmount: null, totalLimit: null },
    ...{ suggestedAmounts: [], ask: [], fields: [], expiresAt: new Date("2026-12-24T23:59:59Z") },
  } as unknown as Parameters<typeof showForm>[0];
  const shown = (zone: string) => [showForm(form, zone).expiresAt, showForm(form, zone).end];
  assert.deepEqual(shown("UTC"), ["2026-12-24", "2026-12-24 23:59"]);
  assert.deepEqual(shown("Africa/Lagos"), ["2026-12-25", "2026-12-25 00:59"]);
});

test("an amount is read with the decimals of the form's currency", () => {
  const fields = (currency: string) => (name: string) =>
    ({ amount: "1.000", suggestedAmounts: "2.500 4", currency })[name] ?? "";
  const amountsOf = ({ amount, suggestedAmounts }: ReturnType<typeof readForm>) => [
    amount,
    ...suggestedAmounts,
  ];
  assert.deepEqual(amountsOf(readForm(fields("kwd"), null, "UTC")), ["1.000", "2.500", "4"]);
  assert.deepEqual(amountsOf(readForm(fields("eur"), null, "UTC")), ["1,000", "2,500", "4"]);
  const before = { expiresAt: null, currency: "kwd" } as const;
  assert.deepEqual(amountsOf(readForm(fields(""), before, "UTC")), ["1.000", "2.500", "4"]);
});
