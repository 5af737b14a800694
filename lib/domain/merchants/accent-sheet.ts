import { createHash } from "node:crypto";
import { type AccentColors, accentColors, isColor } from "./accent-rules.ts";

/** A stylesheet with a merchant's accent colors. */
export interface AccentSheet {
  /**
   * "c81e1e-0123456789abcdef.css": the color and a hash of the text, so that browsers can cache it for
   * ever.
   */
  readonly name: string;
  readonly css: string;
}

/**
 * The stylesheet of a color, "#rrggbb". The content security policy of the page allows no inline colors.
 */
export function accentSheet(color: string): AccentSheet {
  const light = block(":root:root", accentColors(color, "light"));
  const dark = accentColors(color, "dark");
  const css = [
    light,
    `@media screen and (prefers-color-scheme:dark){${block(':root:root:not([data-theme="light"])', dark)}}`,
    // Printed pages always use the light theme.
    `@media screen{${block(':root:root[data-theme="dark"]', dark)}}`,
  ].join("");
  const hash = createHash("sha256").update(css).digest("hex").slice(0, 16);
  return { name: `${color.slice(1)}-${hash}.css`, css };
}

/** The text of the stylesheet with this name. Null if the name is not of a stylesheet. */
export function readAccentSheet(name: string): string | null {
  const color = `#${name.slice(0, 6)}`;
  if (!isColor(color)) return null;
  const sheet = accentSheet(color);
  return sheet.name === name ? sheet.css : null;
}

function block(selector: string, colors: AccentColors): string {
  const { accent, accentStrong, accentSoft, onAccent } = colors;
  return `${selector}{--accent:${accent};--accent-strong:${accentStrong};--accent-soft:${accentSoft};--on-accent:${onAccent}}`;
}
