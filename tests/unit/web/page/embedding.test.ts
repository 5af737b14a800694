import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEmbedding } from "#lib/web/page/embedding.ts";

const MAY = ["https://pay.example", "https://shop.example"];
const parentOf = (parent: string) =>
  parseEmbedding(`/pay/x?parent=${encodeURIComponent(parent)}`, MAY).parent;

test("a parent counts when it may frame the page, letter for letter", () => {
  assert.equal(parentOf("https://shop.example"), "https://shop.example");
  for (const other of [
    "https://shop.example/",
    "https://shop.example.evil.example",
    "https://shop.example:8443",
    "http://shop.example",
    "https://SHOP.example",
    "null",
    "*",
    "",
  ]) {
    assert.equal(parentOf(other), null, other);
  }
});

test("a theme is light or dark, and nothing else", () => {
  const themeOf = (query: string) => parseEmbedding(`/pay/x${query}`, MAY).theme;
  assert.equal(themeOf("?theme=dark"), "dark");
  assert.equal(themeOf("?network=bep20&theme=light"), "light");
  for (const query of ["", "?theme=auto", "?theme=", "?theme=DARK", '?theme="><script>']) {
    assert.equal(themeOf(query), null, query);
  }
});
