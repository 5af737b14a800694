import type { Browser, Page } from "@playwright/test";
import { percentile, report } from "./report.ts";
import { sized } from "./sized.ts";

const RUNS = sized(5, 1);

/** A slow phone: the connection and processor of Lighthouse's preset `mobileSlow4G`, as applied to a browser. */
const requestLatencyMs = 562.5;
const downloadThroughputKbps = 1_474.56;
const uploadThroughputKbps = 675;
const cpuSlowdownMultiplier = 4;
const bytesPerSecond = (kbps: number) => (kbps * 1_024) / 8;

/**
 * Milliseconds from the tap on a link until the QR code is on the screen, with an empty cache, and until the
 * bare page's heading.
 */
export async function timeToQr(browser: Browser, page: string, bare: string): Promise<void> {
  const times = { qr: [] as number[], bare: [] as number[] };
  for (let run = 0; run < RUNS; run++) {
    times.bare.push(await timeToPaint(browser, bare, "h1"));
    times.qr.push(await timeToPaint(browser, page, "svg[role=img]"));
  }
  const [qr, floor] = [percentile(times.qr, 0.5), percentile(times.bare, 0.5)];
  report("slow 4G and phone, the bare page's heading after", `${floor.toFixed(0)} ms`);
  report("slow 4G and phone, the QR code after", `${qr.toFixed(0)} ms`);
}

async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: requestLatencyMs,
    downloadThroughput: bytesPerSecond(downloadThroughputKbps),
    uploadThroughput: bytesPerSecond(uploadThroughputKbps),
  });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: cpuSlowdownMultiplier });
}

async function timeToPaint(browser: Browser, url: string, selector: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 }, isMobile: true });
  try {
    const page = await context.newPage();
    await slowDown(page);
    await page.addInitScript((wanted) => {
      // A document that waits for its style sheet gets no frame.
      const look = () => {
        if (document.querySelector(wanted)?.checkVisibility() !== true) requestAnimationFrame(look);
        else requestAnimationFrame(() => performance.mark("painted"));
      };
      requestAnimationFrame(look);
    }, selector);
    await page.goto(url, { waitUntil: "commit" });
    const mark = await page.waitForFunction(() => performance.getEntriesByName("painted")[0]?.startTime);
    return Number(await mark.jsonValue());
  } finally {
    await context.close();
  }
}
