import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "@playwright/test";
import type axe from "axe-core";
import jsQR from "jsqr";
import { PNG } from "pngjs";
import { type LanguageCode, languageData } from "#lib/platform/languages/languages.ts";
import { takeShifts, watchShifts } from "./layout-shifts.ts";
import type { LinkPage } from "./link-states.ts";

export const SCREENS = join(import.meta.dirname, "../../test-results/screens");

export const DEVICES = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  tablet: { viewport: { width: 768, height: 1024 }, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 800 } },
} as const;
export const THEMES = ["light", "dark"] as const;
/** One language written from the left, one from the right. */
const MAIN_LANGUAGES = ["en", "ar"] as const satisfies readonly LanguageCode[];
/** The narrowest screen, and a window of 1280 pixels at 400 %. */
const NARROW = 320;

/** A way to display the page. */
export interface Look {
  readonly device: keyof typeof DEVICES;
  readonly theme: (typeof THEMES)[number];
  readonly language: LanguageCode;
}

export const LOOKS: readonly Look[] = (Object.keys(DEVICES) as Look["device"][]).flatMap((device) =>
  THEMES.flatMap((theme) => MAIN_LANGUAGES.map((language) => ({ device, theme, language }))),
);

export const nameOf = ({ device, theme, language }: Look) => `${device}-${theme}-${language}`;

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** A visitor with this display. Keeps the console errors of the page. */
export async function openLook(
  browser: Browser,
  look: Look,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({
    ...DEVICES[look.device],
    colorScheme: look.theme,
    locale: look.language,
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`throws ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(`says ${message.text()}`);
  });
  await watchShifts(page);
  return { page, complaints };
}

/** The short form: a page reads it in half the time. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Everything that axe finds, including the target size of WCAG 2.2. */
export async function axeFaults(page: Page): Promise<string[]> {
  // Evaluated over the browser's protocol, which the page's script policy does not restrict.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    // While a refresh streams in, the page may have no title yet.
    while (document.title === "") await new Promise(requestAnimationFrame);
    // If the system chooses the colors, axe still sees some of the page's own. The system then sets the
    // contrast.
    const contrast = !window.matchMedia("(forced-colors: active)").matches;
    const rules = { "target-size": { enabled: true }, "color-contrast": { enabled: contrast } };
    // Without descriptions of everything that passes, which take half of the time.
    const { violations } = await window.axe.run({ rules, resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  });
}

/** How far the page extends beyond its window to the side, CSS pixels. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}

/** The text that a phone's camera reads in a picture of the page, or null. */
export function readCode(picture: Buffer): string | null {
  const { data, width, height } = PNG.sync.read(picture);
  return jsQR(new Uint8ClampedArray(data), width, height)?.data ?? null;
}

/** The text that the code must contain: the link of the network's coin, and for a token the bare address. */
async function expectedCode(page: Page): Promise<string> {
  const link = page.locator('a[href^="bitcoin:"]');
  if ((await link.count()) === 0) return (await page.getByTestId("address").textContent()) ?? "";
  const [start = "", amount = ""] = ((await link.getAttribute("href")) ?? "").split("?");
  return `${start.toUpperCase()}?${amount}`;
}

/**
 * A text as it appears on the screen: its characters row by row from the left, whatever their place in the
 * markup.
 */
async function paintedText(page: Page, testId: string): Promise<string> {
  return page.getByTestId(testId).evaluate((element) => {
    const painted: { letter: string; left: number; middle: number }[] = [];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      for (const [at, letter] of [...(node.textContent ?? "")].entries()) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const { left, top, bottom } = range.getBoundingClientRect();
        painted.push({ letter, left, middle: Math.round((top + bottom) / 2) });
      }
    }
    return painted
      .sort((a, b) => a.middle - b.middle || a.left - b.left)
      .map(({ letter }) => letter)
      .join("");
  });
}

/** The parts that a phone needs to pay and does not show on its first screen. */
async function controlsBelow(page: Page, height: number): Promise<string[]> {
  const controls = page.locator('#copy-amount, #copy-address, a.button[href^="bitcoin:"]');
  return controls.evaluateAll(
    (elements, end) =>
      elements
        .filter((element) => element.getBoundingClientRect().bottom > end)
        .map((element) => element.textContent ?? ""),
    height,
  );
}

/**
 * Opens a link with this display, saves its picture as `name`, and returns everything that is wrong with it.
 */
export async function faultsOf(
  { page, complaints }: { page: Page; complaints: string[] },
  look: Look,
  state: LinkPage,
): Promise<string[]> {
  const faults: string[] = [];
  complaints.length = 0;
  const url = new URL(state.url);
  url.searchParams.set("lang", look.language);
  await page.goto(url.href, { waitUntil: "load" });
  const expect = (what: string, got: unknown, wanted: unknown) => {
    if (got !== wanted) faults.push(`${what}: ${got}, not ${wanted}`);
  };
  const said = await page.evaluate(() => {
    const { lang, dir } = document.documentElement;
    return { lang, dir, stage: document.querySelector<HTMLElement>("[data-stage]")?.dataset.stage ?? null };
  });
  expect("stage", said.stage, state.stage);
  expect("language", said.lang, look.language);
  expect("direction", said.dir, languageData(look.language).dir);
  faults.push(...(await axeFaults(page)));
  expect("overflow", await overflow(page), 0);
  expect("layout shift", JSON.stringify(await takeShifts(page)), "[]");
  const path = join(SCREENS, nameOf(look), `${state.name}.png`);
  mkdirSync(dirname(path), { recursive: true });
  const picture = await page.screenshot({ path, fullPage: true });
  if ((await page.getByTestId("address").count()) > 0) {
    expect("QR code", readCode(picture), await expectedCode(page));
    for (const what of ["address", "amount"]) {
      expect(
        `${what} on the screen`,
        await paintedText(page, what),
        await page.getByTestId(what).textContent(),
      );
    }
  }
  if (look.device === "phone") {
    const { viewport } = DEVICES.phone;
    // The notice that a network is unwatched comes first.
    const isPlain = state.stage === "pay" && !state.name.startsWith("stalled");
    if (isPlain) {
      expect("controls below the first screen", (await controlsBelow(page, viewport.height)).join(), "");
    }
    await page.setViewportSize({ ...viewport, width: NARROW });
    expect(`overflow at ${NARROW} px`, await overflow(page), 0);
    await page.setViewportSize(viewport);
  }
  // For an unknown link the browser itself reports that it was not found.
  if (state.stage !== null) faults.push(...complaints);
  return faults.map((fault) => `${nameOf(look)}, ${state.name}: ${fault}`);
}
