import assert from "node:assert/strict";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
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

const MODEL = {
  title: "Pay now",
  paid: ({ merchant }: { merchant: string }) => `${merchant} has been paid`,
  count: (n: number, m: number) => `${n} of ${m}`,
  lost: (networks: readonly string[]) => `We cannot see ${networks.join(" and ")}`,
  wait: ({ wait }: { wait: { count: number } }) => `${wait.count} minutes`,
  steps: { send: "Send", done: "Done" },
};
const GOOD = {
  title: "Payer",
  paid: ({ merchant }: { merchant: string }) => `${merchant} est payé`,
  count: (n: number, m: number) => `${n} sur ${m}`,
  lost: (networks: readonly string[]) => `Invisible : ${networks.join(" et ")}`,
  wait: ({ wait }: { wait: { count: number } }) => `durée : ${wait.count}`,
  steps: { send: "Envoyer", done: "Fait" },
};
const FILLED = { wait: [[{ wait: { count: 7 } }]] };

test("reports each kind of fault in a translation", () => {
  assert.deepEqual(faultsOf(MODEL, GOOD, { values: FILLED }), []);
  const { title: _, ...untitled } = GOOD;
  const planted: [object, string][] = [
    [untitled, "title: missing"],
    [{ ...GOOD, steps: { send: "Envoyer" } }, "steps.done: missing"],
    [{ ...GOOD, more: "Plus" }, "more: no such text"],
    [{ ...GOOD, title: "" }, "title: empty"],
    [{ ...GOOD, title: "Payer " }, "title: stray blanks"],
    [{ ...GOOD, steps: { ...GOOD.steps, send: "Send" } }, "steps.send: not translated"],
    [{ ...GOOD, paid: MODEL.paid }, "paid: not translated"],
    [{ ...GOOD, paid: () => "C’est payé" }, "paid: leaves out ‹merchant›"],
    [
      { ...GOOD, paid: ({ merchant, shop }: Record<string, string>) => `${merchant}, ${shop}` },
      "paid: has a value nobody gives it",
    ],
    [{ ...GOOD, paid: "Payé" }, "paid: missing"],
    [{ ...GOOD, count: (n: number) => `${n} en tout` }, "count: leaves out ‹1›"],
    [{ ...GOOD, wait: () => "quelque temps" }, "wait: leaves out 7"],
    [{ ...GOOD, lost: () => "Invisible" }, "lost: leaves out ‹0›"],
  ];
  for (const [texts, fault] of planted) assert.deepEqual(faultsOf(MODEL, texts, { values: FILLED }), [fault]);
  assert.deepEqual(faultsOf(MODEL, { ...GOOD, title: MODEL.title }, { same: ["title"], values: FILLED }), []);
  assert.equal(faultsOf(MODEL, GOOD, { same: ["title"], values: FILLED }).length, 1);
});

test("reports an unused text, however the others are accessed", () => {
  const folder = mkdtempSync(join(tmpdir(), "paylink-texts-"));
  const file = join(folder, "page.tsx");
  const uses = (source: string) => {
    writeFileSync(file, source);
    return unusedTexts(MODEL, [file]);
  };
  try {
    const all = [...textsByPath(MODEL).keys()];
    assert.deepEqual(uses("export const a = { title: 1, send: done };"), all);
    assert.deepEqual(uses("title(paid.count(lost)); steps.send; steps.done;"), all);
    const most =
      "f(texts.title, props.texts.paid({}), textsOf(a).count(1, 2)); const { lost, wait } = texts;";
    assert.deepEqual(uses(most), ["steps.send", "steps.done"]);
    assert.deepEqual(uses(`${most} texts.steps.send;`), ["steps.done"]);
    assert.deepEqual(uses(`${most} const { send: a } = texts.steps;`), ["steps.done"]);
    assert.deepEqual(uses(`${most} const { steps } = texts; steps.done;`), ["steps.send"]);
    assert.deepEqual(uses(`${most} texts.steps[stage];`), []);
    assert.deepEqual(uses(`${most} <Part texts={texts.steps} />;`), []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
