import type { Browser, Request } from "@playwright/test";
import { until } from "../support/until.ts";
import { report } from "./report.ts";

/**
 * Compressed sizes, bytes: the limit of the page until its code shows, and the limit of its scripts above the
 * bare page's.
 */
const TO_QR = 17_500;
const SCRIPTS = 20_000;
/** Scripts that are loaded after the first paint count too. */
const QUIET_MS = 2_000;

interface Part {
  readonly url: string;
  readonly type: string;
  /** Bytes of the body as sent. */
  readonly bytes: number;
  readonly headers: number;
  readonly encoding: string;
  readonly caching: string;
}

/** Bytes as sent of the payment page and of the bare page, until no request follows. */
export async function weight(browser: Browser, page: string, bare: string): Promise<void> {
  const [ours, floor] = [await load(browser, page), await load(browser, bare)];
  const html = sum(ours, "document");
  const css = sum(ours, "stylesheet");
  const scripts = sum(ours, "script");
  const bareScripts = sum(floor, "script");
  report("HTML, compressed", kB(html));
  report("CSS, compressed", kB(css));
  report("until the QR code can be drawn", kB(html + css), {
    text: `<= ${kB(TO_QR)}`,
    met: html + css <= TO_QR,
  });
  report("JavaScript of the bare page, compressed", kB(bareScripts));
  report("JavaScript of the payment page, compressed", kB(scripts));
  report("JavaScript above the bare page's", kB(scripts - bareScripts), {
    text: `<= ${kB(SCRIPTS)}`,
    met: scripts - bareScripts <= SCRIPTS,
  });
  report("in all, with headers", kB(whole(ours)));
  report("in all, with headers, the bare page", kB(whole(floor)));
  const plain = ours.filter(({ bytes, encoding }) => bytes > 1_000 && encoding === "none");
  report("sent without compression", String(plain.length), { text: "0", met: plain.length === 0 });
  const fleeting = ours.filter(
    ({ type, caching }) => type !== "document" && !isKept(caching) && type !== "other",
  );
  report("scripts and styles not kept for good", String(fleeting.length), {
    text: "0",
    met: fleeting.length === 0,
  });
  for (const { url } of [...plain, ...fleeting]) console.log(`    ${new URL(url).pathname}`);
}

/** Everything that a first visit loads. */
async function load(browser: Browser, url: string): Promise<Part[]> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true });
  try {
    const page = await context.newPage();
    const requests: Request[] = [];
    let last = performance.now();
    page.on("response", () => {
      last = performance.now();
    });
    // Next's router ends the answer to a refresh itself, once it has read the last part: such a request never finishes.
    page.on("requestfinished", (request) => requests.push(request));
    await page.goto(url, { waitUntil: "load" });
    await until("the page to ask for nothing more", () => performance.now() - last > QUIET_MS);
    return await Promise.all(requests.map(partOf));
  } finally {
    await context.close();
  }
}

async function partOf(request: Request): Promise<Part> {
  const { responseBodySize, responseHeadersSize } = await request.sizes();
  const headers = (await request.response())?.headers() ?? {};
  return {
    url: request.url(),
    type: request.resourceType(),
    bytes: responseBodySize,
    headers: responseHeadersSize,
    encoding: headers["content-encoding"] ?? "none",
    caching: headers["cache-control"] ?? "",
  };
}

const isKept = (caching: string) => /max-age=31536000\b.*immutable/.test(caching);

function sum(parts: readonly Part[], type: string): number {
  return parts.filter((part) => part.type === type).reduce((total, { bytes }) => total + bytes, 0);
}

function whole(parts: readonly Part[]): number {
  return parts.reduce((total, { bytes, headers }) => total + bytes + headers, 0);
}

function kB(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
