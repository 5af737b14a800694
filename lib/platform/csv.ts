/** A program that opens the file takes a text with one of these at its start for a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** One line of a CSV file (RFC 4180), with its end. Texts that a spreadsheet would run as formulas begin with an apostrophe. */
export function csvLine(values: readonly (string | Date | null)[]): string {
  return `${values.map(field).join(",")}\r\n`;
}

function field(value: string | Date | null): string {
  const text = value instanceof Date ? value.toISOString() : (value ?? "");
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
