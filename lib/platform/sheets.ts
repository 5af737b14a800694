import { type CellValue, writeXlsxStream } from "hucre/xlsx";

/** A column of a file. An `amount` is decimal text: a spreadsheet gets it as a number where that is exact. */
export type SheetColumn = readonly [name: string, kind: "text" | "amount" | "time"];
export type SheetRow = readonly (string | Date | null)[];

export const SHEET_FORMATS = ["csv", "xlsx"] as const;
export type SheetFormat = (typeof SHEET_FORMATS)[number];

export const SHEET_TYPES: Readonly<Record<SheetFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** A number of a spreadsheet has 15 digits: an amount with more stays text. */
const EXACT_DIGITS = 15;
/** Characters that XML 1.0 cannot contain. */
const NO_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/**
 * A file of rows that are read as fast as the receiver takes them, a part at a time. The memory does not grow with the number of
 * rows. An error that `parts` throws ends the stream with an error: the receiver sees that the file is cut.
 */
export function sheetStream(
  format: SheetFormat,
  { name, columns }: { readonly name: string; readonly columns: readonly SheetColumn[] },
  parts: AsyncGenerator<readonly SheetRow[]>,
): ReadableStream<Uint8Array> {
  if (format === "csv") return csvStream(columns, parts);
  const header = columns.map(([title, kind]) => ({
    header: title,
    width: kind === "text" ? 24 : 20,
    ...(kind === "time" && { numFmt: "yyyy-mm-dd hh:mm:ss" }),
  }));
  const options = { name, columns: header, freezePane: { rows: 1 } };
  return writeXlsxStream(cellsOf(columns, parts), options);
}

async function* cellsOf(
  columns: readonly SheetColumn[],
  parts: AsyncIterable<readonly SheetRow[]>,
): AsyncGenerator<CellValue[]> {
  for await (const part of parts) {
    for (const row of part) yield row.map((value, at) => toCell(value, columns[at]?.[1] ?? "text"));
  }
}

function toCell(value: string | Date | null, kind: SheetColumn[1]): CellValue {
  if (typeof value !== "string") return value;
  if (kind === "amount" && value.replace(/\D/g, "").length <= EXACT_DIGITS) return Number(value);
  return value.replaceAll(NO_XML, "");
}

function csvStream(
  columns: readonly SheetColumn[],
  parts: AsyncGenerator<readonly SheetRow[]>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(BYTE_ORDER_MARK + csvLine(columns.map(([title]) => title))));
    },
    async pull(controller) {
      const { value, done } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value.map(csvLine).join("")));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

/** A program that opens the file takes a text with one of these at its start for a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/**
 * Where a comma is the decimal point, the program splits at semicolons, also within the quotes of a text that does not begin a line. It
 * then takes the part after a semicolon or an end of a line for a cell of its own, which may be a formula.
 */
const INNER_FORMULA = /([;\t\r\n]["\s]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
/** It marks the file as UTF-8: without it, some read names and addresses in another encoding. */
const BYTE_ORDER_MARK = "\ufeff";
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
