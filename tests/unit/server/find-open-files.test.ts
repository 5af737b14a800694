import assert from "node:assert/strict";
import { test } from "node:test";
import { isOpen } from "#lib/server/find-open-files.ts";

const open = (mode: number, uid: number, gid: number, isFile = true) =>
  isOpen({ mode, uid, gid, isFile: () => isFile });

test("a file is open if others may read or change it; the group of root's file may read it", () => {
  assert.equal(open(0o600, 1000, 1000), false);
  assert.equal(open(0o640, 1000, 1000), true);
  assert.equal(open(0o640, 0, 1000), false);
  assert.equal(open(0o660, 0, 1000), true);
  assert.equal(open(0o644, 0, 1000), true);
  assert.equal(open(0o640, 0, 0), true);
  assert.equal(open(0o750, 0, 1000, false), true);
});
