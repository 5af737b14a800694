import assert from "node:assert/strict";
import { test } from "node:test";
import { decideFate } from "#lib/chains/fate.ts";

const says = (result: "final" | "known" | "absent" | "unknown") => ({ ok: true, result }) as const;
const SILENT = { ok: false } as const;

test("a transaction is dead only if every node answers, none knows it, and one has all its blocks", () => {
  assert.equal(decideFate([says("absent")]), "dead");
  assert.equal(decideFate([says("absent"), says("unknown")]), "dead");
  for (const doubt of [SILENT, says("known")])
    assert.equal(decideFate([says("absent"), doubt]), "open", JSON.stringify(doubt));
  assert.equal(decideFate([says("unknown"), says("unknown")]), "open");
  for (const other of [SILENT, says("absent"), says("known")])
    assert.equal(decideFate([other, says("final")]), "final");
});
