/** Files of rows: what a spreadsheet program reads back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { streamXlsxRows } from "hucre/xlsx";
import { type SheetColumn, type SheetRow, sheetStream } from "#lib/platform/sheets.ts";
import { until } from "#tests/support/until.ts";

const COLUMNS: readonly SheetColumn[] = [
  ["at", "time"],
  ["note", "text"],
  ["amount", "amount"],
];

async function* inParts(rows: readonly SheetRow[]): AsyncGenerator<readonly SheetRow[]> {
  for (const row of rows) yield [row];
}

const readXlsx = async (rows: readonly SheetRow[]) => {
  const file = await new Response(
    sheetStream("xlsx", { name: "rows", columns: COLUMNS }, inParts(rows)),
  ).bytes();
  return (await Array.fromAsync(streamXlsxRows(file))).map(({ values }) => values);
};

test("a spreadsheet gets texts as texts, exact amounts as numbers, and others as text", async () => {
  const at = new Date("2026-11-24T10:00:00Z");
  const rows = await readXlsx([
    [at, "=HYPERLINK(1)", "12.5"],
    [null, "000123", "-0.000001"],
    [at, "a\u0000b\u000bc\ud800 \u{1f600}<&>", "0.123456789012345678"],
  ]);
  assert.deepEqual(rows.slice(1), [
    [at, "=HYPERLINK(1)", 12.5],
    [null, "000123", -0.000_001],
    [at, "abc \u{1f600}<&>", "0.123456789012345678"],
  ]);
  assert.deepEqual(rows[0], ["at", "note", "amount"]);
});

test("no part of a file is a formula", async () => {
  const rows: readonly SheetRow[] = [[null, "=1+1", "1"]];
  const file = await new Response(
    sheetStream("xlsx", { name: "rows", columns: COLUMNS }, inParts(rows)),
  ).bytes();
  const [, row] = await Array.fromAsync(streamXlsxRows(file));
  assert.equal(row?.values[1], "=1+1");
  const csv = await new Response(
    sheetStream("csv", { name: "rows", columns: COLUMNS }, inParts(rows)),
  ).bytes();
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(csv);
  assert.equal(text, `\ufeffat,note,amount\r\n,"'=1+1",1\r\n`, "the byte order mark says that it is UTF-8");
});

test("rows that cannot be read end the file with an error, in both formats", async () => {
  async function* broken(): AsyncGenerator<readonly SheetRow[]> {
    yield [[null, "a", "1"]];
    throw new Error("the database is gone");
  }
  for (const format of ["csv", "xlsx"] as const) {
    const file = new Response(sheetStream(format, { name: "rows", columns: COLUMNS }, broken()));
    await assert.rejects(file.bytes(), /the database is gone/, format);
  }
});

test("a receiver that stops ends the reading", async () => {
  for (const format of ["csv", "xlsx"] as const) {
    let [isStarted, isEnded] = [false, false];
    async function* endless(): AsyncGenerator<readonly SheetRow[]> {
      isStarted = true;
      try {
        for (;;) yield [[null, "a".repeat(1_000), "1"]];
      } finally {
        isEnded = true;
      }
    }
    const reader = sheetStream(format, { name: "rows", columns: COLUMNS }, endless()).getReader();
    while (!isStarted) await reader.read();
    await reader.read();
    await reader.cancel();
    await until(`${format} to end its reading`, () => isEnded);
  }
});
