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

test("forgets everything an hour after it was made", () => {
  let at = 0;
  const made: string[] = [];
  const secretOf = rememberLast(
    2,
    (key) => {
      made.push(key);
      return key;
    },
    () => at,
  );
  secretOf("before the rotation");
  at = 3_599_999;
  secretOf("before the rotation");
  at = 3_600_000;
  secretOf("after it");
  secretOf("before the rotation");
  assert.deepEqual(made, ["before the rotation", "after it", "before the rotation"]);
});
