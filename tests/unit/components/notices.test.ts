import assert from "node:assert/strict";
import { test } from "node:test";
import { NOTICES, readNotice } from "#components/console/notices.ts";

test("a text of a URL is a notice only if there is one of this name", () => {
  for (const code of Object.keys(NOTICES)) assert.equal(readNotice(code), code);
  const names = Object.getOwnPropertyNames(Object.prototype);
  for (const code of [...names, "", "x", undefined, ["signed_out"]])
    assert.equal(readNotice(code), null, String(code));
});
