import { createHash } from "node:crypto";
import { type AccentColours, accentColours, isColour } from "./accent-rules.ts";

/** A stylesheet that gives the page a merchant's accent. */
export interface AccentSheet {
  /** "c81e1e-0123456789abcdef.css": the colour, and a hash of the text, so that a copy may be kept for ever. */
  readonly name: string;
  readonly css: string;
}

/** The sheet of a colour, "#rrggbb". The policy of the page allows no colour in its own markup. */
export function accentSheet(colour: string): AccentSheet {
  const light = block(":root:root", accentColours(colour, "light"));
  const dark = accentColours(colour, "dark");
  const css = [
    light,
    `@media screen and (prefers-color-scheme:dark){${block(':root:root:not([data-theme="light"])', dark)}}`,
    // Paper is always light.
    `@media screen{${block(':root:root[data-theme="dark"]', dark)}}`,
  ].join("");
  const hash = createHash("sha256").update(css).digest("hex").slice(0, 16);
  return { name: `${colour.slice(1)}-${hash}.css`, css };
}

/** The text of the sheet with this name, or null when nothing has this name. */
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
