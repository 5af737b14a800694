import { createHash } from "node:crypto";
import { type AccentColours, accentColours, isColour } from "./accent-rules.ts";

/** A stylesheet with a merchant's accent colours. */
export interface AccentSheet {
  /**
   * "c81e1e-0123456789abcdef.css": the colour and a hash of the text, so that browsers can cache it for
   * ever.
   */
  readonly name: string;
  readonly css: string;
}

/**
 * The stylesheet of a colour, "#rrggbb". The content security policy of the page allows no inline colours.
 */
export function accentSheet(colour: string): AccentSheet {
  const light = block(":root:root", accentColours(colour, "light"));
  const dark = accentColours(colour, "dark");
  const css = [
    light,
    `@media screen and (prefers-color-scheme:dark){${block(':root:root:not([data-theme="light"])', dark)}}`,
    // Printed pages always use the light theme.
    `@media screen{${block(':root:root[data-theme="dark"]', dark)}}`,
  ].join("");
  const hash = createHash("sha256").update(css).digest("hex").slice(0, 16);
  return { name: `${colour.slice(1)}-${hash}.css`, css };
}

/** The text of the stylesheet with this name. Null if the name is not of a stylesheet. */
export function readAccentSheet(name: string): string | null {
  const colour = `#${name.slice(0, 6)}`;
  if (!isColour(colour)) return null;
  const sheet = accentSheet(colour);
  return sheet.name === name ? sheet.css : null;
}

function block(selector: string, colours: AccentColours): string {
  const { accent, accentStrong, accentSoft, onAccent } = colours;
  return `${selector}{--accent:${accent};--accent-strong:${accentStrong};--accent-soft:${accentSoft};--on-accent:${onAccent}}`;
}
