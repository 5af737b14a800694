import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { COLORS, FONTS, RADIUS, REM, SPACE, TYPE } from "#lib/platform/look.ts";

const ROOT = join(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** The variables that a part of a stylesheet sets. */
const variablesIn = (css: string): Record<string, string> =>
  Object.fromEntries(
    [...css.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [name, value]),
  );

describe("the look is the same", () => {
  test("in the colors of page and console", () => {
    const [, light = "", dark = ""] = read("app/globals.css").split(/^ *:root \{$/m);
    assert.deepEqual(variablesIn(light), COLORS.light);
    assert.deepEqual(variablesIn(dark), COLORS.dark);
  });

  test("in the fonts, sizes, distances and corners of page and console", () => {
    const rem = (pixels: number) => `${pixels / REM}rem`;
    const theme = Object.entries(variablesIn(read("app/theme.css")));
    assert.deepEqual(Object.fromEntries(theme.filter(([name]) => !name.startsWith("color-"))), {
      ...Object.fromEntries(Object.entries(FONTS).map(([name, family]) => [`font-${name}`, family])),
      spacing: rem(SPACE),
      ...Object.fromEntries(
        Object.entries(TYPE).flatMap(([name, [size, line]]) => [
          [`text-${name}`, rem(size)],
          [`text-${name}--line-height`, rem(line)],
        ]),
      ),
      ...Object.fromEntries(Object.entries(RADIUS).map(([name, pixels]) => [`radius-${name}`, rem(pixels)])),
    });
  });

  test("in every browser: the elements of the pages are reset, those of the console too", () => {
    const elementsIn = (css: string) =>
      new Set(
        css
          .replaceAll(/\/\*[\s\S]*?\*\/|\{[^{}]*\}/g, ",")
          .split(/[\s,]+/)
          .filter((name) => /^[a-z][a-z0-9]*$/.test(name)),
      );
    const ours = elementsIn(read("app/reset.css"));
    const all = [...elementsIn(read("node_modules/tailwindcss/preflight.css"))];
    const missing = new Set(all.filter((element) => !ours.has(element)));
    // Only those in groups are reset.
    missing.delete("option");
    assert.ok(missing.has("table") && missing.has("select"));
    assert.match(read("app/console/console.css"), /preflight\.css/);
    const pages = globSync(["app/**/*.tsx", "components/**/*.tsx"], {
      cwd: ROOT,
      exclude: ["app/console/**", "components/console/**"],
    });
    for (const page of pages)
      for (const [, element = ""] of read(page).matchAll(/<([a-z][a-z0-9]*)\b/g))
        assert.equal(missing.has(element), false, `${page} has <${element}>: app/reset.css must reset it`);
  });

  test("in the widget", () => {
    const short = (color: string) => color.replace(/^#(.)\1(.)\2(.)\3$/, "#$1$2$3");
    const widget = read("packages/widget/src/checkout-box.ts");
    for (const { card, ink, accent } of Object.values(COLORS))
      assert.ok(widget.includes(`--page:${short(card)};--ink:${ink};--accent:${accent}`), card);
    assert.ok(widget.includes(`border-radius:${RADIUS["2xl"] / REM}rem`));
  });

  test("in the colors of the reference of the API, which has no others", () => {
    const css = read("lib/web/api/reference/page.css");
    const colors = Object.entries(variablesIn(css));
    assert.ok(colors.length > 0);
    for (const [name, value] of colors) {
      const color = name as keyof typeof COLORS.light;
      assert.equal(value, `light-dark(${COLORS.light[color]}, ${COLORS.dark[color]})`, name);
    }
    const [, rules = ""] = css.split(/^body \{$/m);
    assert.doesNotMatch(rules, /#[0-9a-f]{3,8}\b/);
  });

  test("in the icon", () => {
    assert.match(read("app/icon.svg"), new RegExp(COLORS.light.accent));
  });
});
