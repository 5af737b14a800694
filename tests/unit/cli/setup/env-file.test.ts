import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEnv } from "node:util";
import { mergeEnv } from "#lib/cli/setup/env-file.ts";

test("a value is written so that Node, systemd and a shell read the same", () => {
  assert.equal(mergeEnv("A=1\nB=2", { B: "a#b", C: "x y" }), "A=1\nB='a#b'\nC=x y\n");
  assert.equal(mergeEnv("", { A: "it's" }), `A="it's"\n`);
  assert.equal(mergeEnv("", { A: "1" }), "A=1\n");
  assert.equal(mergeEnv("A=1\nA=2\n", { A: "3" }), "A=3\n");
  assert.equal(mergeEnv("A=1\nB=2\nA=3\n", { A: null, C: null }), "B=2\n");
});

test("a value is read back as it was given, or refused", () => {
  const values = [
    "",
    "a b",
    " a ",
    "it's",
    'say "hi"',
    "a#b",
    "a\\nb",
    "$HOME",
    "`id`",
    "é",
    "it's #1",
    "a=b",
  ];
  for (const value of values)
    assert.deepEqual({ ...parseEnv(mergeEnv("B=1\n", { A: value })) }, { A: value, B: "1" });
  for (const value of [`it's "quoted"`, "it's $HOME", "it's `id`", "it's a\\nb", `'"`])
    assert.throws(() => mergeEnv("B=1\n", { A: value }), /value of A .* %27/, value);
});

test("a line that the quotes of the file swallow is refused", () => {
  assert.throws(() => mergeEnv("B='open\n", { A: "it's" }), /A would not be read back/);
  assert.throws(() => mergeEnv("B='\nA=1\n'\n", { A: "2" }), /A would not be read back/);
});
