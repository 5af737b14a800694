/**
 * Browser tests that kill or starve their world, or take minutes: `npx playwright test -c tests/long/e2e/playwright.config.ts`.
 */
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import quick from "#tests/e2e/playwright.config.ts";

export default defineConfig(quick, {
  testDir: import.meta.dirname,
  outputDir: join(import.meta.dirname, "../../../test-results/long"),
  timeout: 600_000,
});
