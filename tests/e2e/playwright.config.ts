/**
 * Browser tests: `npx playwright test -c tests/e2e/playwright.config.ts`. `TRACE=1` keeps a trace of each test that fails. The project
 * `phone` has the tests that are tagged `@phone`, `desktop` all others. Each project starts worlds of its own, so no test here has the tag.
 * tests/long/e2e and tests/screens have configurations of their own.
 */
import "#lib/platform/quick-start.mjs";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { FLAGS } from "#tests/support/browser.ts";
import { DEVICES } from "#tests/support/page-looks.ts";
import type { WorldOptions } from "./fixtures.ts";

const ROOT = join(import.meta.dirname, "../..");

export default defineConfig<object, WorldOptions>({
  testDir: import.meta.dirname,
  // Node removes the types itself, as in production: Playwright's compiler would only take time.
  build: { external: ["**/*.ts"] },
  globalSetup: join(import.meta.dirname, "global-setup.ts"),
  outputDir: join(ROOT, "test-results/e2e"),
  workers: 2,
  // For what never happens: a busy machine may need a minute for what usually takes seconds.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [["line"], [join(import.meta.dirname, "json-lines.ts")]],
  use: {
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    screenshot: "only-on-failure",
    // A recorded visit costs twice the time.
    trace: process.env.TRACE === "1" ? "retain-on-failure" : "off",
    // A pulsing page draws all the time. The configurations of tests/long/e2e and tests/screens let it move.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: { executablePath: process.env.CHROMIUM_PATH ?? "", args: [...FLAGS] },
  },
  projects: [
    { name: "desktop", grepInvert: /@phone/ },
    { name: "phone", grep: /@phone/, use: DEVICES.phone },
  ],
});
