import type { LanguageCode } from "#lib/platform/languages/languages.ts";
import { COLORS, FONTS, SPACE, TYPE } from "#lib/platform/look.ts";

/** A mail before its form: the same content as plain text and as HTML. */
export interface MailDocument {
  readonly language: LanguageCode;
  readonly dir: "ltr" | "rtl";
  readonly subject: string;
  /** Sentences before the table. */
  readonly sentences: readonly string[];
  /** Labels with their values. */
  readonly rows: readonly (readonly [label: string, value: string])[];
  /** The page that the reader can open; null: none. */
  readonly link: { readonly label: string; readonly url: string } | null;
  /** Why the mail comes, and how it stops. */
  readonly footer: readonly string[];
  /** The link that stops such mails. Null: nobody can stop them. */
  readonly stop: { readonly label: string; readonly url: string } | null;
}

const LONGEST_LINE = 300;

/**
 * A text of a stranger as one line: without control characters (line breaks too), direction marks and lone surrogates, at
 * most 300 characters. Marks that our own sentences need are added after it.
 */
export function oneLine(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu, " ")
    .replace(/\s+/gu, " ")
    .trim();
  return plain.length <= LONGEST_LINE ? plain : `${[...plain].slice(0, LONGEST_LINE - 1).join("")}…`;
}

/** The text with every character escaped that HTML treats specially, in texts and in quoted attributes. */
export function escapeHtml(text: string): string {
  const named: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"']/g, (character) => named[character] ?? "&#39;");
}

/** The plain text part. */
export function renderText({ sentences, rows, link, footer, stop }: MailDocument): string {
  const parts = [
    sentences.join("\n\n"),
    rows.map(([label, value]) => `${label}: ${value}`).join("\n"),
    link === null ? "" : `${link.label}:\n${link.url}`,
    ["-- ", ...footer, ...(stop === null ? [] : [`${stop.label}:`, stop.url])].join("\n"),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Mail programs read no variables and few stylesheets, so each element has its values. */
const { ink, muted, line, card, accent } = COLORS.light;
const FONT = `font-family:${FONTS.sans.replaceAll('"', "'")}`;
const font = ([size, height]: readonly [size: number, height: number]) =>
  `font-size:${size}px;line-height:${height}px`;
const space = (times: number) => `${times * SPACE}px`;

/** The HTML part: no pictures, no scripts, nothing that a mail program fetches. */
export function renderHtml(mail: MailDocument): string {
  const { language, dir, subject, sentences, rows, link, footer, stop } = mail;
  const side = dir === "rtl" ? "right" : "left";
  const cell = (style: string, text: string) =>
    `<td style="padding:${space(1.5)} 0;text-align:${side};vertical-align:top;${style}">${escapeHtml(text)}</td>`;
  const table = rows
    .map(
      ([label, value]) =>
        `<tr>${cell(`padding-inline-end:${space(4)};color:${muted}`, label)}${cell("word-break:break-word", value)}</tr>`,
    )
    .join("");
  const anchor = ({ label, url }: { label: string; url: string }) =>
    `<a href="${escapeHtml(url)}" style="color:${accent}">${escapeHtml(label)}</a>`;
  return [
    `<!doctype html><html lang="${language}" dir="${dir}"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="margin:0;padding:${space(6)};background:${card};color:${ink};${FONT};${font(TYPE.base)}">`,
    `<div style="max-width:560px;margin:0 auto">`,
    ...sentences.map((text) => `<p style="margin:0 0 ${space(4)}">${escapeHtml(text)}</p>`),
    rows.length === 0 ? "" : `<table role="presentation" style="border-collapse:collapse">${table}</table>`,
    link === null ? "" : `<p style="margin:${space(5)} 0">${anchor(link)}</p>`,
    `<div style="margin-top:${space(8)};padding-top:${space(4)};border-top:1px solid ${line};color:${muted};${font(TYPE.sm)}">`,
    ...footer.map((text) => `<p style="margin:0 0 ${space(2)}">${escapeHtml(text)}</p>`),
    `${stop === null ? "" : `<p style="margin:0">${anchor(stop)}</p>`}</div></div></body></html>`,
  ].join("\n");
}
