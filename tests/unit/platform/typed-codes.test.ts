import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTypedCode, readTypedCode } from "#lib/platform/typed-codes.ts";

test("a typed code is read however people type it, and nothing else is", () => {
  const code = formatTypedCode(Uint8Array.from({ length: 12 }, (_, i) => i * 23 + 1));
  assert.match(code, /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
  const plain = code.replaceAll("-", "");
  assert.equal(readTypedCode(code), plain);
  assert.equal(readTypedCode(` ${code.toLowerCase().replaceAll("-", " ")} `), plain);
  assert.equal(readTypedCode("oi1l-0000-0000"), "011100000000");
  for (const wrong of ["", "0000-0000-000", "0000-0000-00000", "0000-0000-000U", "é".repeat(12)])
    assert.equal(readTypedCode(wrong), null, wrong);
});
