import { LINK_PAIRS, pairCode } from "#lib/chains/networks.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import type { ProfileChanges } from "#lib/domain/merchants/update-merchant.ts";
import { merchantPairs } from "#lib/domain/payment-links/availability-rules.ts";

/** The parts of the page. Each is a form of its own. */
export const SECTIONS = ["appearance", "payments", "websites"] as const;
export type SettingsSection = (typeof SECTIONS)[number];

/** The fields of the forms as text. `pair:<code>` is the pair's place in the list, or empty. */
export type SettingsValues = Readonly<Record<string, string>>;

/** Why settings were not saved. The message belongs to the field. */
export interface SettingsProblem {
  readonly field: string;
  readonly text: string;
}

const percentText = (bps: number) => String(bps / 100);

/** The merchant's settings as the forms show them. */
export function showSettings(merchant: Merchant): SettingsValues {
  const offered = merchantPairs(merchant).map(pairCode);
  return {
    name: merchant.name,
    support: merchant.support ?? "",
    accent: merchant.accent ?? "",
    latePolicy: merchant.latePolicy,
    toleranceUnder: percentText(merchant.toleranceUnderBps),
    toleranceUnderMax: String(merchant.toleranceUnderMax ?? ""),
    toleranceOver: percentText(merchant.toleranceOverBps),
    roundStablecoins: merchant.roundStablecoins ? "1" : "0",
    markup: percentText(merchant.rateMarkupBps),
    fixedRates: (merchant.fixedRates ?? "").replaceAll(",", "\n"),
    origins: merchant.allowOrigins.join("\n"),
    timeZone: merchant.timeZone,
    displayCurrency: merchant.displayCurrency,
    ...Object.fromEntries(
      LINK_PAIRS.map(pairCode).map((code) => {
        const place = offered.indexOf(code);
        return [`pair:${code}`, place < 0 ? "" : String(place + 1)];
      }),
    ),
  };
}

/** The field of the form and the message for each field of the merchant that breaks a rule. */
export const PROBLEMS = {
  invalid_name: { field: "name", text: "Enter a name of 1 to 200 characters." },
  invalid_support: {
    field: "support",
    text: "Enter an e-mail address, an https address, or a telephone number that begins with +.",
  },
  invalid_accent: { field: "accent", text: "Enter a color like #c81e1e." },
  invalid_latePolicy: { field: "latePolicy", text: "Choose one of the two." },
  invalid_toleranceUnderBps: { field: "toleranceUnder", text: "Enter 0 to 99.99 percent." },
  invalid_toleranceUnderMax: {
    field: "toleranceUnderMax",
    text: "Enter a whole number, or nothing for no limit.",
  },
  invalid_toleranceOverBps: { field: "toleranceOver", text: "Enter 0 to 100 percent." },
  invalid_roundStablecoins: { field: "roundStablecoins", text: "Choose one of the two." },
  invalid_rateMarkupBps: { field: "markup", text: "Enter 0 to 100 percent." },
  invalid_fixedRates: { field: "fixedRates", text: "Enter one rate in each line, like usdt/ngn=1600." },
  invalid_paymentPairs: { field: "pairs", text: "Offer at least one." },
  invalid_timeZone: { field: "timeZone", text: "Choose a time zone of the list." },
  invalid_displayCurrency: { field: "displayCurrency", text: "Choose a currency of the list." },
  invalid_allowOrigins: {
    field: "origins",
    text: "Enter at most 50 addresses like https://shop.example, without a path, one in each line.",
  },
} as const satisfies Readonly<Record<string, SettingsProblem>>;

const orNull = (text: string) => (text === "" ? null : text);
const linesOf = (text: string) =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Basis points of a percentage with at most two decimals. NaN for any other text, which the rules refuse. */
function readPercent(text: string): number {
  const [, whole, decimals = ""] = /^([0-9]{1,3})(?:\.([0-9]{1,2}))?$/.exec(text) ?? [];
  return whole === undefined ? Number.NaN : Number(whole) * 100 + Number(decimals.padEnd(2, "0"));
}

/** A whole number; null: nothing was entered. NaN for any other text, which the rules refuse. */
function readWhole(text: string): number | null {
  if (text === "") return null;
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

/** The pairs in the order of their places. Equal places keep the order of the page. */
function readPairs(read: (name: string) => string): string[] {
  return LINK_PAIRS.map(pairCode)
    .map((code) => ({ code, place: read(`pair:${code}`).trim() }))
    .filter(({ place }) => place !== "")
    .sort((a, b) => Number(a.place) - Number(b.place))
    .map(({ code }) => code);
}

/** The changes that a posted form asks for. The rules of each field are the merchant's (schema.ts). */
export function readSettings(section: SettingsSection, read: (name: string) => string): ProfileChanges {
  const text = (name: string) => read(name).trim();
  switch (section) {
    case "appearance":
      return {
        name: text("name"),
        support: orNull(text("support")),
        accent: orNull(text("accent").toLowerCase()),
      };
    case "payments":
      return {
        latePolicy: text("latePolicy") as Merchant["latePolicy"],
        toleranceUnderBps: readPercent(text("toleranceUnder")),
        toleranceUnderMax: readWhole(text("toleranceUnderMax")),
        toleranceOverBps: readPercent(text("toleranceOver")),
        roundStablecoins: text("roundStablecoins") === "1",
        rateMarkupBps: readPercent(text("markup")),
        fixedRates: orNull(linesOf(read("fixedRates").toLowerCase()).join(",")),
        paymentPairs: readPairs(read),
      };
    case "websites":
      return { allowOrigins: linesOf(read("origins")) };
  }
}
