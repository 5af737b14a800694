import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser } from "@playwright/test";
import type { ShopConsole } from "./console.ts";
import type { ConsolePage } from "./console-pages.ts";
import { keyboardFaults } from "./keyboard.ts";
import { takeShifts, watchShifts } from "./layout-shifts.ts";
import { axeFaults, overflow, SCREENS } from "./page-looks.ts";

/** How the console is looked at: a desk and the narrowest phone, in both themes. */
export const CONSOLE_LOOKS = {
  "desktop-light": { viewport: { width: 1280, height: 800 }, colorScheme: "light" },
  "desktop-dark": { viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
  "phone-light": { viewport: { width: 360, height: 740 }, colorScheme: "light" },
  "phone-dark": { viewport: { width: 360, height: 740 }, colorScheme: "dark" },
} as const;
export type ConsoleLook = keyof typeof CONSOLE_LOOKS;

const MOST_SHIFT = 0.05;

/** The folder of the pictures of a look. */
export const folderOf = (look: ConsoleLook) => join(SCREENS, `console-${look}`);

/**
 * Opens pages as people of their roles, saves their pictures if asked, and returns everything that is wrong: what axe finds, what moves,
 * what is cut at the side, what no key reaches, errors of scripts.
 */
export async function consoleFaults(
  browser: Browser,
  shop: ShopConsole,
  { look, pages, pictures }: { look: ConsoleLook; pages: readonly ConsolePage[]; pictures: boolean },
): Promise<string[]> {
  const faults: string[] = [];
  for (const [role, those] of Map.groupBy(pages, (page) => page.role)) {
    const page =
      role === null
        ? await browser.newPage(CONSOLE_LOOKS[look])
        : (await shop.tabOf(role, CONSOLE_LOOKS[look])).page;
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(`throws ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning")
        complaints.push(`says ${message.text()}`);
    });
    await watchShifts(page);
    for (const { name, url } of those) {
      complaints.length = 0;
      const answer = await page.goto(url, { waitUntil: "load" });
      assert.equal(answer?.status(), 200, `${name} ${url}`);
      const shifts = await takeShifts(page);
      const shift = shifts.reduce((sum, { value }) => sum + value, 0);
      const scrolled = await page.evaluate(() => window.scrollY);
      const wide = await overflow(page);
      const found = [...(await axeFaults(page)), ...complaints];
      if (pictures) {
        const path = join(folderOf(look), `${name}.png`);
        mkdirSync(dirname(path), { recursive: true });
        await page.screenshot({ path, fullPage: true });
      }
      // The keys reach the same in both themes. They scroll what the picture shows.
      if (CONSOLE_LOOKS[look].colorScheme === "light") found.push(...(await keyboardFaults(page)));
      if (shift > MOST_SHIFT) found.push(`moves by ${shift}: ${shifts.flatMap(({ at }) => at).join("; ")}`);
      if (scrolled > 0) found.push(`opens scrolled by ${scrolled} pixels`);
      if (wide > 0) found.push(`is ${wide} pixels wider than its window`);
      faults.push(...found.map((fault) => `${look}, ${name}: ${fault}`));
    }
    await page.context().close();
  }
  return faults;
}
