/** A program that opens the file takes a text with one of these at its start for a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/**
 * Where a comma is the decimal point, the program splits at semicolons, also within the quotes of a text that does not begin a line. It
 * then takes the part after a semicolon or an end of a line for a cell of its own, which may be a formula.
 */
const INNER_FORMULA = /([;\t\r\n]["\s]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
/** It marks the file as UTF-8: without it, some read names and addresses in another encoding. */
export const BYTE_ORDER_MARK = "\ufeff";
const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** One line of a CSV file (RFC 4180), with its end. Texts that a spreadsheet would run as formulas begin with an apostrophe. */
export function csvLine(values: readonly (string | Date | null)[]): string {
  return `${values.map(field).join(",")}\r\n`;
}

function field(value: string | Date | null): string {
  const text = value instanceof Date ? value.toISOString() : (value ?? "");
  const inner = text.replaceAll(INNER_FORMULA, "$1'");
  const harmless = FORMULA.test(inner) && !NUMBER.test(inner) ? `'${inner}` : inner;
  return /[",;\r\n']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
