import assert from "node:assert/strict";
import { test } from "node:test";
import { fateOf } from "#lib/chains/xrp/sending.ts";

const says = (result: "final" | "known" | "absent" | "unknown") => ({ ok: true, result }) as const;
const SILENT = { ok: false } as const;

test("a transaction is dead only if every server answers, none knows it, and one has all its ledgers", () => {
  assert.equal(fateOf([says("absent")]), "dead");
  assert.equal(fateOf([says("absent"), says("unknown")]), "dead");
  for (const doubt of [SILENT, says("known")])
    assert.equal(fateOf([says("absent"), doubt]), "open", JSON.stringify(doubt));
  assert.equal(fateOf([says("unknown"), says("unknown")]), "open");
  for (const other of [SILENT, says("absent"), says("known")])
    assert.equal(fateOf([other, says("final")]), "final");
});
