import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "@playwright/test";

/** Flags for a browser that runs as root in a container with a closed network. Harmless elsewhere. */
export const FLAGS: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Chromium without its windows needs half of the time for a new page. */
const SYSTEM_NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
];

function onPath(name: string): string | null {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {}
  }
  return null;
}

async function candidates(): Promise<string[]> {
  if (process.env.CHROMIUM_PATH) return [process.env.CHROMIUM_PATH];
  const found: string[] = [];
  if (existsSync(chromium.executablePath())) found.push(chromium.executablePath());
  for (const name of SYSTEM_NAMES) {
    const path = onPath(name);
    if (path !== null) found.push(path);
  }
  const { default: sparticuz } = await import("@sparticuz/chromium");
  found.push(await sparticuz.executablePath());
  return found;
}

/**
 * The first browser that really starts: CHROMIUM_PATH, then Playwright's, then the system's, then the one
 * from npm.
 */
export async function findBrowser(): Promise<{ ok: true; path: string } | { ok: false; problem: string }> {
  const problems: string[] = [];
  for (const path of await candidates()) {
    try {
      const browser = await chromium.launch({ executablePath: path, args: [...FLAGS] });
      await browser.close();
      process.env.CHROMIUM_PATH = path;
      return { ok: true, path };
    } catch (error) {
      problems.push(`${path}: ${String(error).split("\n", 3).join(" ")}`);
    }
  }
  return { ok: false, problem: `no browser starts here (${problems.join("; ")})` };
}

/** Starts a headless browser, by default the one that findBrowser returns. `flags` are added to ours. */
export async function openBrowser(flags: readonly string[] = []): Promise<Browser> {
  const found = process.env.CHROMIUM_PATH
    ? { ok: true as const, path: process.env.CHROMIUM_PATH }
    : await findBrowser();
  if (!found.ok) throw new Error(found.problem);
  return chromium.launch({ executablePath: found.path, args: [...FLAGS, ...flags] });
}
