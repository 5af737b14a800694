/**
 * Browser tests: `npx playwright test -c tests/e2e/playwright.config.ts`. The project `phone` has the tests that are
 * tagged `@phone`, `desktop` all others. tests/long/e2e and tests/screens have configurations of their own.
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
    // Without a picture of every step: those cost more than the tests.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: true, sources: true },
    launchOptions: { executablePath: process.env.CHROMIUM_PATH ?? "", args: [...FLAGS] },
  },
  projects: [
    { name: "desktop", grepInvert: /@phone/ },
    { name: "phone", grep: /@phone/, use: DEVICES.phone },
  ],
});
