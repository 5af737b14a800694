import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { english } from "#components/checkout/texts/en.ts";
import { textsOf } from "#components/checkout/texts.ts";
import { hostTextsOf } from "#components/home/texts.ts";
import { mailTextsOf } from "#lib/domain/mail/texts.ts";
import { LANGUAGE_CODES, type LanguageCode, languageData } from "#lib/platform/languages/languages.ts";
import { faultsOf, textsByPath, unusedTexts } from "./texts-check.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** Texts that are rightly identical to the English ones. */
const SAME: Partial<Record<LanguageCode, string[]>> = {
  fr: ["secondsShort", "transaction"],
  pt: ["daysShort", "secondsShort"],
  es: ["daysShort", "secondsShort"],
};

/** One number of each kind that a language's plural rules may distinguish. */
const COUNTS = [3, 10, 20, 100];
const WAITS = (["seconds", "minute", "hour"] as const).flatMap((unit) =>
  COUNTS.map((count) => ({ unit, count })),
);
const VALUES = {
  usualWait: WAITS.map((wait) => [wait]),
  networkSpeed: [true, false].flatMap((orMore) => WAITS.map((wait) => [{ wait, orMore }])),
};

const sources = globSync(["app/**/*.{ts,tsx}", "components/**/*.{ts,tsx}"], { cwd: ROOT })
  .filter((path) => !path.startsWith("components/checkout/texts/"))
  .map((path) => join(ROOT, path));

for (const code of LANGUAGE_CODES.filter((code) => code !== "en")) {
  test(`${languageData(code).name}: every text exists, is trimmed, is translated and has the values of the English one`, () => {
    assert.deepEqual(faultsOf(english, textsOf(code), { same: SAME[code], values: VALUES }), []);
    assert.deepEqual(faultsOf(hostTextsOf("en"), hostTextsOf(code), {}), []);
  });
}

for (const code of LANGUAGE_CODES.filter((code) => code !== "en")) {
  test(`${languageData(code).name}: every text of a payer's mail exists and is translated`, () => {
    const same = code === "fr" ? ["transaction"] : [];
    assert.deepEqual(faultsOf(mailTextsOf("en"), mailTextsOf(code), { same }), []);
    assert.equal(mailTextsOf(code).locale, textsOf(code).locale);
  });
}

test("includes a button's visible word in its accessible name (WCAG 2.5.3)", () => {
  for (const code of LANGUAGE_CODES) {
    const { copy, copyAmount, copyAddress } = textsOf(code);
    for (const name of [copyAmount, copyAddress]) {
      assert.ok(name.toLowerCase().includes(copy.toLowerCase()), `${code}: "${copy}" is not in "${name}"`);
    }
  }
});

test("has no empty English text and no stray spaces", () => {
  assert.deepEqual(
    faultsOf(english, english, { same: [...textsByPath(english).keys()], values: VALUES }),
    [],
  );
});

test("uses every text on the page", () => {
  assert.deepEqual(unusedTexts(english, sources), []);
});

test("has a locale with plural rules in Intl for every language, and the direction of its script", () => {
  for (const code of LANGUAGE_CODES) {
    const { locale } = textsOf(code);
    assert.equal(new Intl.Locale(locale).language, code);
    assert.deepEqual(Intl.PluralRules.supportedLocalesOf(locale), [locale]);
    const { name, dir } = languageData(code);
    assert.equal(dir, /\p{Script=Arabic}/u.test(name) ? "rtl" : "ltr");
  }
});

test("shows amounts in Arabic with the digits that wallets accept", () => {
  for (const code of LANGUAGE_CODES) {
    const { locale, progress } = textsOf(code);
    assert.match(new Intl.NumberFormat(locale).format(12_345), /^[0-9.,\s]+$/u, code);
    assert.match(progress.confirming(1, 3), /1.*3/, code);
  }
});

test("keeps a Latin name in its place in an Arabic sentence", () => {
  const text = textsOf("ar").explanations.overpaid({ merchant: "Kola & Sons (Lagos)", excess: "1.5 USDT" });
  assert.match(text, /\u2068Kola & Sons \(Lagos\)\u2069/);
  assert.match(text, /\u20661\.5 USDT\u2069/);
});
