import { type CSSProperties, createElement, type ReactElement, type ReactNode } from "react";
import { COLORS } from "../look.ts";
import { isArabic, shapeArabicLine } from "./arabic-rules.ts";
import { fitFontSize, keepDrawable, truncate } from "./text-rules.ts";
import type { CardTone, LinkCard } from "./types.ts";

export const CARD_WIDTH = 1_200;
export const CARD_HEIGHT = 630;
const PADDING = 72;
const INNER_WIDTH = CARD_WIDTH - 2 * PADDING;
/**
 * Maximum characters of a merchant's name. Arabic is already in visual order and must not wrap into a second
 * line.
 */
const MAX_CHARS_TWO_LINES = 60;
const MAX_CHARS_ONE_LINE = 45;
const MIN_FONT_SIZE = 30;
/** The first character of a price that Intl formats for Arabic. */
const RIGHT_TO_LEFT_MARK = "\u200f";
const LIGHT = COLORS.light;

const TONES: Record<Exclude<CardTone, "waiting">, { background: string; color: string }> = {
  good: { background: LIGHT["good-soft"], color: LIGHT.good },
  bad: { background: LIGHT["bad-soft"], color: LIGHT.bad },
};

/**
 * Lays a card out for the drawing library, which supports flexbox only. `hasGlyph` says whether the fonts
 * can draw a character, `logo` is a data URL.
 */
export function layOutCard(
  card: LinkCard,
  {
    family,
    hasGlyph,
    logo,
  }: { family: string; hasGlyph: (codePoint: number) => boolean; logo: string | null },
): ReactElement {
  const plain = (text: string, most: number) => truncate(keepDrawable(text, hasGlyph), most);
  const words = (text: string, most: number) =>
    shapeArabicLine(plain(text, most), text.startsWith(RIGHT_TO_LEFT_MARK));
  const price = words(card.price, 60);
  const { accent } = card.colors;
  const isFromRight = card.dir === "rtl";
  const row = { flexDirection: isFromRight ? "row-reverse" : "row" } as const;
  const line = isFromRight ? ({ justifyContent: "flex-end", textAlign: "right" } as const) : {};
  return box(
    {
      width: CARD_WIDTH,
      height: CARD_HEIGHT,
      flexDirection: "column",
      background: LIGHT.card,
      fontFamily: family,
    },
    box({ width: CARD_WIDTH, height: 16, background: accent }),
    box(
      { flexGrow: 1, flexDirection: "column", justifyContent: "space-between", padding: `56px ${PADDING}px` },
      box(
        { ...row, alignItems: "center", gap: 28 },
        badge(card, words(initial(plain(card.merchant, 60)), 2), logo),
        name(words(card.merchant, isArabic(card.merchant) ? MAX_CHARS_ONE_LINE : MAX_CHARS_TWO_LINES)),
      ),
      box(
        {
          ...line,
          fontSize: fitFontSize(price, INNER_WIDTH, 108, 0.62),
          fontWeight: 700,
          color: LIGHT.ink,
          letterSpacing: -2,
        },
        price,
      ),
      box(
        { flexDirection: "column", gap: 28 },
        box({ ...line, fontSize: 32, color: LIGHT.muted, lineHeight: 1.35 }, words(card.networks, 110)),
        box(
          { ...row, justifyContent: "space-between", alignItems: "center" },
          pill(words(card.state.text, 50), card),
          box({ fontSize: 28, color: LIGHT.muted }, card.test === null ? "" : words(card.test, 40)),
        ),
      ),
    ),
  );
}

function box(style: CSSProperties, ...children: ReactNode[]): ReactElement {
  return createElement("div", { style: { display: "flex", ...style } }, ...children);
}

function name(merchant: string): ReactElement {
  const fontSize = fitFontSize(merchant, INNER_WIDTH - 130, 52, 0.58);
  return box(
    {
      fontSize: Math.max(MIN_FONT_SIZE, fontSize),
      fontWeight: 700,
      color: LIGHT.ink,
      maxWidth: INNER_WIDTH - 130,
    },
    merchant,
  );
}

/**
 * The first letter in upper case. That may be two letters, which the name did not contain: "ŉ" becomes "ʼN".
 */
function initial(merchant: string): string {
  const [first = ""] = merchant;
  return first.toLocaleUpperCase("en");
}

/** The logo, or the first letter of the name. */
function badge({ colors }: LinkCard, letter: string, logo: string | null): ReactNode {
  const size = 104;
  if (logo !== null)
    return createElement("img", { src: logo, width: size, height: size, style: { borderRadius: 20 } });
  const style = {
    width: size,
    height: size,
    borderRadius: 24,
    alignItems: "center",
    justifyContent: "center",
  };
  const color = { background: colors.accent, color: colors.onAccent };
  return box({ ...style, ...color, fontSize: 56, fontWeight: 700 }, letter);
}

function pill(text: string, { state, colors }: LinkCard): ReactElement {
  const { tone } = state;
  const color = tone === "waiting" ? { background: colors.accentSoft, color: colors.accent } : TONES[tone];
  return box({ ...color, padding: "14px 30px", borderRadius: 999, fontSize: 34, fontWeight: 700 }, text);
}
