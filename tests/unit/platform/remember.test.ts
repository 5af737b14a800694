import assert from "node:assert/strict";
import { test } from "node:test";
import { rememberLast } from "#lib/platform/remember.ts";

test("makes the text of a key once, and again only after as many new keys as it keeps", () => {
  const made: string[] = [];
  const textOf = rememberLast(2, (key) => {
    made.push(key);
    return key.toUpperCase();
  });
  assert.deepEqual(["a", "b", "a", "b"].map(textOf), ["A", "B", "A", "B"]);
  assert.deepEqual(made, ["a", "b"]);
  assert.equal(textOf("c"), "C");
  assert.deepEqual([textOf("b"), textOf("a")], ["B", "A"]);
  assert.deepEqual(made, ["a", "b", "c", "a"]);
});

test("tries again after an error", () => {
  let works = false;
  const textOf = rememberLast(2, () => {
    if (!works) throw new Error("not yet");
    return "made";
  });
  assert.throws(() => textOf("a"), /not yet/);
  works = true;
  assert.equal(textOf("a"), "made");
});
