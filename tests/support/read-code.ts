import jsQR from "jsqr";

/** Rasterizes a code's SVG as a camera would see it, with `scale` pixels per module, and reads its text. */
export function readCode(svg: string, scale = 4): string | undefined {
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
  return jsQR(pixels, side, side)?.data;
}
