import assert from "node:assert/strict";
import { test } from "node:test";
import { hintUnknown, joinHints } from "#lib/web/api/unknown-fields.ts";

const known = new Set(["amount", "constructor"]);

test("names the fields that an operation does not have, each once", () => {
  assert.equal(hintUnknown(["amount", "constructor"], known), undefined);
  assert.equal(hintUnknown(["amount", "Amount", "sum", "sum"], known), "Fields without effect: Amount, sum.");
});

test("fits into a header, whatever the names are", () => {
  const names = ["", "a\r\nset-cookie: x", "\u202eé\ud800", "x".repeat(60_000), ..."0123456789"];
  const hint = hintUnknown(names, known) ?? "";
  assert.match(hint, /^[\x20-\x7e]{1,300}$/);
  assert.equal(hint, `Fields without effect: "", a??set-cookie:?x, ???, ${"x".repeat(40)}..., 0 and 9 more.`);
});

test("joins two hints", () => {
  assert.equal(joinHints("a.", "b."), "a. b.");
  assert.equal(joinHints("a.", undefined), "a.");
  assert.equal(joinHints(undefined, "b."), "b.");
});
