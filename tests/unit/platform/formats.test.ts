import assert from "node:assert/strict";
import { test } from "node:test";
import { dateFormat, listFormat, numberFormat, relativeFormat } from "#lib/platform/formats.ts";

test("keeps one formatter for a locale and options", () => {
  const cents = () => numberFormat("fr", { minimumFractionDigits: 2 });
  assert.equal(cents(), cents());
  assert.notEqual(cents(), numberFormat("en", { minimumFractionDigits: 2 }));
  assert.notEqual(cents(), numberFormat("fr", { minimumFractionDigits: 3 }));
  assert.equal(cents().format(9.5), "9,50");
});

test("formats as Intl does", () => {
  const at = new Date("2026-11-24T14:15:16Z");
  const options = { dateStyle: "long", timeStyle: "short", timeZone: "Africa/Lagos" } as const;
  for (const locale of ["en", "fr", "ar"]) {
    assert.equal(dateFormat(locale, options).format(at), new Intl.DateTimeFormat(locale, options).format(at));
    assert.equal(
      relativeFormat(locale, {}).format(-3, "minute"),
      new Intl.RelativeTimeFormat(locale).format(-3, "minute"),
    );
    const names = ["A", "B", "C"];
    assert.equal(listFormat(locale, {}).format(names), new Intl.ListFormat(locale).format(names));
  }
});
