/** The sections that benches write into docs/performance.md. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Figure } from "#tests/bench/report.ts";
import { composeSection, replaceSection } from "#tests/bench/write-results.ts";

const FIGURES: readonly Figure[] = [
  { what: "requests a second", figure: "1,590", isRatio: false },
  { what: "to the bare route", figure: "0.53", isRatio: true, goal: { text: ">= 0.7", met: false } },
];
const mark = (isBusy: boolean) => ({ machine: "2 cores", date: "2026-11-28", isBusy });

test("ratios come first, and alone where the machine did other work", () => {
  const quiet = composeSection("links", FIGURES, mark(false));
  assert.ok(quiet.startsWith("## links\n\n`npm run bench -- links`, 2026-11-28, 2 cores\n"));
  assert.ok(
    quiet.indexOf("| to the bare route | 0.53 | >= 0.7: missed |") < quiet.indexOf("| requests a second |"),
  );
  assert.doesNotMatch(composeSection("links", FIGURES, mark(true)), /requests a second/);
});

test("a section replaces its own alone, or is added at the end", () => {
  const page = "# Performance\n\n## api\n\nold\n\n## links\n\nold\n";
  const section = composeSection("api", FIGURES, mark(true));
  const once = replaceSection(page, "api", section);
  assert.equal(once, `# Performance\n\n${section}\n## links\n\nold\n`);
  assert.equal(replaceSection(once, "api", section), once);
  assert.ok(replaceSection(page, "crowd", composeSection("crowd", [], mark(true))).includes("\n## crowd\n"));
});
