/** How much script each screen of the console loads. */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { test } from "#tests/e2e/fixtures.ts";
import { PAGES, pathOf } from "#tests/support/console-access.ts";

test.use({ keepsBooks: false });

test("the scripts of each screen stay small", async ({ access: { origin, own, signIn } }) => {
  const { token } = await signIn("owner");
  /** Bytes of the scripts that a page loads, compressed. */
  const scriptBytes = async (path: string) => {
    const page = await fetch(`${origin}${path}`, { headers: { cookie: `paylink_session=${token}` } });
    const files = new Set((await page.text()).match(/\/_next\/static\/[^"\\]+\.js/g));
    const sizes = [...files].map(
      async (file) => gzipSync(await (await fetch(`${origin}${file}`)).bytes()).length,
    );
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  };
  // The not-found page has Next's own scripts and next to nothing of the console.
  const floor = await scriptBytes("/console/m/none");
  for (const page of Object.keys(PAGES).filter((name) => !name.includes(".csv"))) {
    const above = (await scriptBytes(pathOf(own, page))) - floor;
    const description = `${page}: ${(above / 1_000).toFixed(1)} kB above ${(floor / 1_000).toFixed(1)} kB`;
    test.info().annotations.push({ type: "scripts", description });
    assert.ok(above <= 120_000, description);
  }
});
