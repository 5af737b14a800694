/** Every page of the console once, each in another look. `npm run test:screens -- console` has every page in every look. */
import assert from "node:assert/strict";
import { test } from "#tests/e2e/fixtures.ts";
import { CONSOLE_LOOKS, type ConsoleLook, consoleFaults } from "#tests/support/console-looks.ts";
import { listConsoleRoutes } from "#tests/support/console-pages.ts";
import { findHostileTexts, plantHostileTexts } from "./hostile-texts.ts";

// A world of its own: one test fills it with what a signer would have said, the other with hostile texts.
test.use({ kind: { env: {}, networks: ["bep20"] } });

test("every page is accessible, keeps its place and fits its window", async ({
  browser,
  filled: { desk, pages },
}) => {
  assert.deepEqual([...new Set(pages.map(({ route }) => route))].sort(), listConsoleRoutes());
  const looks = Object.keys(CONSOLE_LOOKS) as ConsoleLook[];
  const faults: string[] = [];
  for (const [index, look] of looks.entries()) {
    const those = pages.filter((_, at) => at % looks.length === index);
    faults.push(...(await consoleFaults(browser, desk, { look, pages: those, pictures: false })));
  }
  assert.equal(faults.join("\n"), "");
});

test("a text that somebody else chose is shown as text on every page", async ({
  world,
  browser,
  filled: { desk, pages },
}) => {
  const planted = await plantHostileTexts(world.db.database, desk.merchantId);
  for (const column of [
    "merchants.name",
    "merchants.support",
    "forms.title",
    "refund_claims.note",
    "pos_devices.name",
    "users.name",
    "passkeys.name",
  ])
    assert.ok(planted.includes(column), column);
  const { faults, shown } = await findHostileTexts(browser, desk, pages);
  assert.equal(faults.join("\n"), "");
  assert.ok(shown.length > pages.length / 2, `only ${shown.join(", ")} show it`);
});
