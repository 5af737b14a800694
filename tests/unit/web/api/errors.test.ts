import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ERRORS, type ErrorText, listErrorCodes } from "#lib/web/api/errors.ts";

test("a code has one text and one status, and is a plain word", () => {
  const texts = new Map<string, string>();
  for (const [reason, { code = reason, status, message }] of Object.entries<ErrorText>(ERRORS)) {
    assert.match(code, /^[a-z]+(?:_[a-z0-9]+)*$/);
    const text = `${status} ${message}`;
    assert.equal(texts.get(code) ?? text, text, code);
    texts.set(code, text);
  }
  assert.deepEqual(new Set(listErrorCodes().map(({ code }) => code)), new Set(texts.keys()));
});

test("docs/integrate/error-codes.md has every code, with its status and its text", () => {
  const page = readFileSync(new URL("../../../../docs/integrate/error-codes.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `([a-z0-9_]+)` \| (\d+) \| `(.+?)` \|/gm)];
  assert.deepEqual(
    rows.map(([, code, status, text]) => [code, Number(status), text]),
    listErrorCodes().map(({ code, status, message }) => [code, status, message]),
  );
});
