import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { chooseLanguage, readRequestedLanguage } from "#lib/platform/languages/choose-language.ts";
import { LANGUAGE_CODES } from "#lib/platform/languages/languages.ts";

const choose = (lang: string | null, acceptLanguage?: string) => chooseLanguage({ lang, acceptLanguage });

test("follows the browser's languages in their order, by their primary subtag", () => {
  assert.equal(choose(null), "en");
  assert.equal(choose(null, "fr-CI,fr;q=0.9,en-US;q=0.8,en;q=0.7"), "fr");
  assert.equal(choose(null, "pt-BR"), "pt");
  assert.equal(choose(null, "en;q=0.4, ar-EG;q=0.9"), "ar");
  // An explicit weight on a later language does not move it before the first.
  assert.equal(choose(null, "en-US, fr;q=0.7, en;q=0.3"), "en");
  assert.equal(choose(null, "de-DE,de;q=0.9,sw;q=0.2"), "sw");
  assert.equal(choose(null, "de, zh-Hant-TW"), "en");
  assert.equal(choose(null, "fr;q=0, es;q=0.1"), "es");
  for (const nonsense of ["", "*", ";;;", ",", "fr;q=x", "__proto__", "\u0000"]) {
    assert.ok(["en", "fr"].includes(choose(null, nonsense)), nonsense);
  }
});

test("prefers ?lang= over the browser, and ignores it for an unknown language", () => {
  assert.equal(choose("fr", "ar"), "fr");
  assert.equal(choose("PT-br", "ar"), "pt");
  assert.equal(choose("de", "ar"), "ar");
  assert.equal(choose("", "ar"), "ar");
  assert.equal(choose("constructor", "ar"), "ar");
  assert.equal(readRequestedLanguage(undefined), null);
});

test("answers in one of its languages, whatever a visitor sends", () => {
  const tag = fc.oneof(fc.constantFrom<string>(...LANGUAGE_CODES), fc.string());
  const header = fc.array(fc.tuple(tag, fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 6 });
  fc.assert(
    fc.property(tag, header, (lang, accepted) => {
      const acceptLanguage = accepted.map(([name, weight]) => `${name};q=${weight}`).join(",");
      assert.ok(LANGUAGE_CODES.includes(chooseLanguage({ lang, acceptLanguage })));
    }),
  );
});
