/**
 * Browser tests that kill or starve their world, or take minutes: `npx playwright test -c tests/long/e2e/playwright.config.ts`.
 */
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import quick from "#tests/e2e/playwright.config.ts";

// Given as a second configuration, its projects would be added to the others.
export default defineConfig({
  ...quick,
  testDir: import.meta.dirname,
  outputDir: join(import.meta.dirname, "../../../test-results/long"),
  timeout: 600_000,
  use: { ...quick.use, contextOptions: {} },
});
