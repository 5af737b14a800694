import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { accentColors, contrastRatio, isColor, type Theme } from "#lib/domain/merchants/accent-rules.ts";
import { accentSheet, readAccentSheet } from "#lib/domain/merchants/accent-sheet.ts";
import { COLORS } from "#lib/platform/look.ts";

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, "0")}`);
const themes = Object.keys(COLORS) as Theme[];
const AA = 4.5;

/** Every pair of text and background colors that the page builds from a merchant's color. */
function pairs(chosen: string, theme: Theme): Record<string, number> {
  const { accent, accentStrong, accentSoft, onAccent } = accentColors(chosen, theme);
  const { page, card, muted } = COLORS[theme];
  return {
    "a button's words": contrastRatio(onAccent, accent),
    "a button's words under the pointer": contrastRatio(onAccent, accentStrong),
    "colored words on the card": contrastRatio(accent, card),
    "colored words on the page": contrastRatio(accent, page),
    "colored words on the soft shade": contrastRatio(accent, accentSoft),
    "quiet words on the soft shade": contrastRatio(muted, accentSoft),
  };
}

describe("a merchant's color", () => {
  test("computes the contrast of WCAG's own examples", () => {
    assert.equal(contrastRatio("#000000", "#ffffff"), 21);
    assert.equal(contrastRatio("#777777", "#777777"), 1);
    // 4.48 and 4.54: the grays on either side of the limit on white.
    assert.ok(contrastRatio("#777777", "#ffffff") < AA);
    assert.ok(contrastRatio("#767676", "#ffffff") >= AA);
  });

  test("gives readable texts in both themes for any color", () => {
    fc.assert(
      fc.property(color, fc.constantFrom(...themes), (chosen, theme) => {
        for (const [what, ratio] of Object.entries(pairs(chosen, theme))) {
          assert.ok(ratio >= AA, `${chosen}, ${theme}: ${what} ${ratio.toFixed(2)}`);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test("gives readable texts for the most difficult colors", () => {
    for (const chosen of ["#000000", "#ffffff", "#ffff00", "#00ff00", "#0000ff", "#ff0000", "#808080"]) {
      for (const theme of themes) assert.ok(Math.min(...Object.values(pairs(chosen, theme))) >= AA, chosen);
    }
  });

  test("keeps a color that is readable already", () => {
    assert.equal(accentColors("#3048d6", "light").accent, "#3048d6");
    assert.equal(accentColors("#9db0ff", "dark").accent, "#9db0ff");
  });

  test("accepts only colors with six hexadecimal digits", () => {
    fc.assert(
      fc.property(color, (chosen) =>
        themes.every((theme) => Object.values(accentColors(chosen, theme)).every(isColor)),
      ),
    );
    for (const wrong of ["c81e1e", "#c81", "#C81E1E", "red", "#c81e1g", "#c81e1e;}", ""]) {
      assert.equal(isColor(wrong), false, wrong);
    }
  });
});

describe("the stylesheet of a color", () => {
  test("is found by its name only", () => {
    const { name, css } = accentSheet("#c81e1e");
    assert.match(name, /^c81e1e-[0-9a-f]{16}\.css$/);
    assert.equal(readAccentSheet(name), css);
    for (const wrong of ["", "c81e1e.css", name.replace("c81e1e", "c81e1f"), `${name}x`, "../../x.css"]) {
      assert.equal(readAccentSheet(wrong), null, wrong);
    }
  });

  test("sets the page's four colors for light, dark and a chosen theme", () => {
    const { css } = accentSheet("#c81e1e");
    const { accent, onAccent } = accentColors("#c81e1e", "dark");
    assert.match(
      css,
      /^:root:root\{--accent:#[0-9a-f]{6};--accent-strong:[^;]+;--accent-soft:[^;]+;--on-accent:#ffffff\}/,
    );
    assert.match(
      css,
      /@media screen and \(prefers-color-scheme:dark\)\{:root:root:not\(\[data-theme="light"\]\)\{/,
    );
    assert.ok(css.endsWith(`--on-accent:${onAccent}}}`));
    assert.equal(css.split(`--accent:${accent};`).length - 1, 2);
  });
});
