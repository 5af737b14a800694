/** Browsers and systems by what their User-Agent header contains. The first match counts: most claim to be others too. */
const BROWSERS = [
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser", "Samsung Internet"],
  ["Firefox", "Firefox"],
  ["FxiOS", "Firefox"],
  ["CriOS", "Chrome"],
  ["Chrome", "Chrome"],
  ["Safari", "Safari"],
] as const;
const SYSTEMS = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["CrOS", "ChromeOS"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** A browser as people know it, "Firefox on Windows". The header itself if it is not a known one. */
export function nameBrowser(userAgent: string): string {
  const named = (list: readonly (readonly [part: string, name: string])[]) =>
    list.find(([part]) => userAgent.includes(part))?.[1];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  return browser === undefined || system === undefined ? userAgent : `${browser} on ${system}`;
}
