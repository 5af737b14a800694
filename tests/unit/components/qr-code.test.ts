import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import "#tests/support/jsx.ts";
import { readCode } from "#tests/support/read-code.ts";

const { QrCode } = await import("#components/ui/qr-code.tsx");

test("another library reads the code's text", () => {
  const text =
    "ethereum:0x55d398326f99059fF775485246999027B3197955@56/transfer?address=0x71C7656EC7ab88b098defB751B7401B5f6d8976F&uint256=15503876000000000000";
  const svg = renderToStaticMarkup(createElement(QrCode, { text, label: "code" }));
  assert.equal(readCode(svg), text);
  assert.equal(renderToStaticMarkup(createElement(QrCode, { text, label: "code" })), svg, "drawn again");
});

test("draws each text its own code, however many were drawn before", () => {
  for (let n = 0; n <= 600; n += 50) {
    for (let drawn = 0; drawn < 50; drawn++) {
      renderToStaticMarkup(createElement(QrCode, { text: `filler ${n + drawn}`, label: "code" }));
    }
    assert.equal(
      readCode(renderToStaticMarkup(createElement(QrCode, { text: `code ${n}`, label: "code" }))),
      `code ${n}`,
    );
  }
});
