import { styleText } from "node:util";

type Style = "red" | "green" | "bold" | "dim";

/** Colored text on a terminal that supports it, plain text elsewhere. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}
