import { styleText } from "node:util";

type Style = "red" | "green" | "bold" | "dim";

/** Coloured text where standard output is a terminal that shows it, plain text elsewhere. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}
