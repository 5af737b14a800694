import type { Page } from "@playwright/test";

/**
 * Holds back the scripts of the pages that a tab opens, as a slow connection does. Open them with `waitUntil: "domcontentloaded"`. The
 * returned function lets the scripts come.
 */
export async function holdScripts(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route("**/_next/**/*.js", async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}
