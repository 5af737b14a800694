import assert from "node:assert/strict";
import { test } from "node:test";
import jsQR from "jsqr";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import "#tests/support/jsx.ts";

const { QrCode } = await import("#components/ui/qr-code.tsx");

/** Rasterizes the SVG's strokes as a camera would see them, with `scale` pixels per module. */
function paint(svg: string, scale: number): { pixels: Uint8ClampedArray; side: number } {
  const modules = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
  const side = modules * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  const [, left, middle, steps] = / d="M(\d+) (\d+)\.5([^"]*)"/.exec(svg) ?? [];
  let [x, y] = [Number(left), Number(middle)];
  for (const [, dx, dy, width] of (steps ?? "").matchAll(/m(-?\d+) (-?\d+)h(\d+)/g)) {
    x += Number(dx);
    y += Number(dy);
    for (let row = y * scale; row < (y + 1) * scale; row++) {
      for (let column = x * scale; column < (x + Number(width)) * scale; column++) {
        pixels.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
      }
    }
    x += Number(width);
  }
  return { pixels, side };
}

test("another library reads the code's text", () => {
  const text =
    "ethereum:0x55d398326f99059fF775485246999027B3197955@56/transfer?address=0x71C7656EC7ab88b098defB751B7401B5f6d8976F&uint256=15503876000000000000";
  const svg = renderToStaticMarkup(createElement(QrCode, { text, label: "code" }));
  const { pixels, side } = paint(svg, 4);
  assert.equal(jsQR(pixels, side, side)?.data, text);
  assert.equal(renderToStaticMarkup(createElement(QrCode, { text, label: "code" })), svg, "drawn again");
});

test("draws each text its own code, however many were drawn before", () => {
  for (let n = 0; n <= 600; n += 50) {
    for (let drawn = 0; drawn < 50; drawn++) {
      renderToStaticMarkup(createElement(QrCode, { text: `filler ${n + drawn}`, label: "code" }));
    }
    const { pixels, side } = paint(
      renderToStaticMarkup(createElement(QrCode, { text: `code ${n}`, label: "code" })),
      4,
    );
    assert.equal(jsQR(pixels, side, side)?.data, `code ${n}`);
  }
});
