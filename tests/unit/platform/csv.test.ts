import assert from "node:assert/strict";
import { test } from "node:test";
import { csvLine } from "#lib/platform/sheets.ts";

test("quotes what needs it, and writes times in UTC and nothing for null", () => {
  assert.equal(
    csvLine(["a", 'b "c", d', "two\nlines", null, new Date("2026-11-24T04:00:00Z")]),
    'a,"b ""c"", d","two\nlines",,2026-11-24T04:00:00.000Z\r\n',
  );
});

test("no text is a formula, and a number stays one", () => {
  assert.equal(
    csvLine(["-12.50", "+1", "=1+1", "@x", "\tx", "-2+3"]),
    `-12.50,"'+1","'=1+1","'@x","'\tx","'-2+3"\r\n`,
  );
});

/** The cells that a program makes of a line that it splits at `separator`: quotes count only where a cell begins. */
function cellsAt(line: string, separator: string): string[] {
  const cells = [""];
  let isQuoted = false;
  let isStart = true;
  for (const character of line) {
    const last = cells.length - 1;
    if (isStart && character === '"') isQuoted = true;
    else if (isQuoted && character === '"') isQuoted = false;
    else if (!isQuoted && (character === separator || character === "\n" || character === "\r"))
      cells.push("");
    else cells[last] += character;
    isStart = !isQuoted && (character === separator || character === "\n" || character === "\r");
  }
  return cells;
}

test("no part of a text is a formula where the program splits at semicolons", () => {
  const texts = [
    "a;=1+1",
    "a; +1",
    'a";=1+1',
    'a;"=1+1"',
    "a;\t=1+1",
    "a\n=1+1",
    "a\r\n@x",
    ";-1+1",
    "a;b;=c",
    "\uff1d1+1",
    "a;\uff0b1",
  ];
  for (const text of texts)
    for (const separator of [",", ";", "\t"]) {
      const cells = cellsAt(csvLine(["first", text, "last"]), separator);
      for (const cell of cells)
        assert.doesNotMatch(
          cell.replace(/^["\s]+/, ""),
          /^[=+\-@\uff1d\uff0b]/,
          `${JSON.stringify(text)} at ${separator}`,
        );
    }
  assert.equal(csvLine(["a;b", "x; y", "1;2"]), '"a;b","x; y","1;2"\r\n');
});
