import { COLORS } from "#lib/platform/look.ts";

/**
 * Makes a merchant's color readable. Every pair of text and background colors that the page builds from it
 * has a contrast of at least 4.5:1 (WCAG 2.2, success criterion 1.4.3), in the light and in the dark theme,
 * for any chosen color.
 */

/** 0 to 255 each. */
type Rgb = readonly [red: number, green: number, blue: number];

export type Theme = keyof typeof COLORS;

/** "#rrggbb" each, named like the variables of app/globals.css. */
export interface AccentColors {
  readonly accent: string;
  readonly accentStrong: string;
  readonly accentSoft: string;
  readonly onAccent: string;
}

const AA = 4.5;
/**
 * The accent has a higher contrast than required, so that its soft shade, which is also a background,
 * differs from the card.
 */
const ON_CARD = 5.2;
const STEPS = 100;
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/.test(text);
}

/** The colors of a theme for a chosen color ("#rrggbb"): as close to it as the contrast rules allow. */
export function accentColors(chosen: string, theme: Theme): AccentColors {
  const { page, card, muted } = {
    page: read(COLORS[theme].page),
    card: read(COLORS[theme].card),
    muted: read(COLORS[theme].muted),
  };
  const far = theme === "light" ? BLACK : WHITE;
  const readable = (color: Rgb) => contrast(color, card) >= ON_CARD && contrast(color, page) >= AA;
  const accent = firstMix(read(chosen), far, readable);
  // From a clear tint toward the plain card. Both colors are readable on the card.
  const soft = firstMix(
    mix(card, accent, theme === "light" ? 0.14 : 0.24),
    card,
    (ground) => contrast(accent, ground) >= AA && contrast(muted, ground) >= AA,
  );
  return {
    accent: write(accent),
    accentStrong: write(mix(accent, far, 0.2)),
    accentSoft: write(soft),
    onAccent: write(theme === "light" ? WHITE : page),
  };
}

/** The contrast ratio of two "#rrggbb" colors, 1 to 21 (WCAG 2.2). */
export function contrastRatio(a: string, b: string): number {
  return contrast(read(a), read(b));
}

function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** Relative luminance, 0 to 1 (WCAG 2.2). */
function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * Mixes `to` into `from` until `good` accepts the color, with as little of `to` as possible. Returns `to`
 * if no mixture is accepted.
 */
function firstMix(from: Rgb, to: Rgb, good: (color: Rgb) => boolean): Rgb {
  for (let step = 0; step < STEPS; step++) {
    const color = mix(from, to, step / STEPS);
    if (good(color)) return color;
  }
  return to;
}

/** Rounds to a "#rrggbb" color, so that the checked color is the displayed color. */
function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
  return [part(0), part(1), part(2)];
}

function read(color: string): Rgb {
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

function write(color: Rgb): string {
  return `#${color.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
