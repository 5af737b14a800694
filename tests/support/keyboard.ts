import type { Locator, Page } from "@playwright/test";

/** More stops than any page has. */
const MOST_STOPS = 150;

/** The controls that a person can use by mouse, in the order of the page. Tab stops at one of the radio buttons with one name. */
const USABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";

/** Moves the focus with Tab until it is on this element. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never reaches ${target}`);
}

/** Walks a page with Tab. Returns what cannot be reached, and what does not show that it has the focus. */
export async function keyboardFaults(page: Page): Promise<string[]> {
  await page.evaluate((usable) => {
    (document.activeElement as HTMLElement | null)?.blur();
    const groups = new Set<string>();
    for (const element of document.querySelectorAll<HTMLInputElement>(usable)) {
      const isOff = element.disabled || element.tabIndex < 0 || element.closest("[inert]") !== null;
      if (isOff || !element.checkVisibility({ visibilityProperty: true })) continue;
      if (element.type === "radio") {
        if (groups.has(element.name)) continue;
        groups.add(element.name);
      }
      element.dataset.stop = "";
    }
  }, USABLE);
  const faults: string[] = [];
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      if (element === null || element === document.body) return null;
      // Day, month and year of a date are stops of one element.
      const isSame = document.querySelector("[data-now]") === element;
      if (element.dataset.passed === "" && !isSame) return null;
      for (const one of document.querySelectorAll<HTMLElement>("[data-now]")) delete one.dataset.now;
      element.dataset.passed = "";
      element.dataset.now = "";
      const stops = document.querySelectorAll<HTMLInputElement>("[data-stop]");
      for (const one of stops)
        if (one === element || (one.type === "radio" && one.name === element.name)) delete one.dataset.stop;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      const shown = isSame || (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
      return { shown, text: element.outerHTML.slice(0, 120) };
    });
    if (found === null) break;
    if (!found.shown) faults.push(`the focus is not seen on ${found.text}`);
  }
  const missed = await page.evaluate(() =>
    [...document.querySelectorAll("[data-stop]")].map((element) => element.outerHTML.slice(0, 120)),
  );
  return [...faults, ...missed.map((html) => `no key reaches ${html}`)];
}
