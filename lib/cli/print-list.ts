import { type Command, InvalidArgumentError, Option } from "commander";
import { type Cli, CONTROL_CHARACTERS } from "./cli.ts";
import { parseWholeNumber } from "./options.ts";

const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 500;

export interface FormatOptions {
  readonly table?: true;
  readonly json?: true;
}

export interface ListOptions extends FormatOptions {
  readonly limit: number;
}

/** `--table` and `--json`: a table on a terminal, JSON for programs, unless one of the two is given. */
export function addFormatOptions(command: Command): Command {
  return command
    .addOption(new Option("--table", "as a table, the default on a terminal").conflicts("json"))
    .option("--json", "as JSON, the default elsewhere, with every field");
}

/** `--limit`, `--table` and `--json` of a list. */
export function addListOptions(command: Command, limit = DEFAULT_LIMIT): Command {
  return addFormatOptions(
    command.option("--limit <count>", `at most this many, up to ${MAX_LIMIT}`, parseLimit, limit),
  );
}

function parseLimit(text: string): number {
  const limit = parseWholeNumber(text);
  if (limit < 1 || limit > MAX_LIMIT) throw new InvalidArgumentError(`It must be from 1 to ${MAX_LIMIT}.`);
  return limit;
}

/**
 * Prints a page of a list: a table of these columns, or JSON with every field. `rows` has one row more than the limit if there is
 * another page. `next` is how to get that page, from the last row of this one.
 */
export function printList<Row extends object>(
  cli: Cli,
  rows: readonly Row[],
  options: ListOptions,
  { columns, next }: { columns: readonly (keyof Row & string)[]; next: (last: Row) => string },
): void {
  const page = rows.slice(0, options.limit);
  printRows(cli, page, options, columns);
  const last = page.at(-1);
  if (last !== undefined && rows.length > page.length) cli.printMessage(`there are more: ${next(last)}`);
}

/** Prints rows as a table of these columns, or as JSON with every field. */
export function printRows<Row extends object>(
  cli: Cli,
  rows: readonly Row[],
  { table, json }: FormatOptions,
  columns: readonly (keyof Row & string)[],
): void {
  if (!table && (json || !cli.stdout.isTTY)) {
    cli.print(rows);
    return;
  }
  const lines = [columns, ...rows.map((row) => columns.map((column) => formatCell(row[column])))];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? "").length)));
  for (const line of lines) {
    const text = line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ");
    cli.stdout.write(`${text.trimEnd()}\n`);
  }
}

function formatCell(value: unknown): string {
  if (value === null) return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value instanceof Date) return value.toISOString().replace(/\.\d{3}Z$/, "Z");
  const text =
    typeof value === "object"
      ? Object.entries(value)
          .map(([name, one]) => `${name}=${one}`)
          .join(" ")
      : String(value);
  return text.replace(CONTROL_CHARACTERS, "?");
}
