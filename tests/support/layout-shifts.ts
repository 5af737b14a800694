import type { Page } from "playwright";

/** How far the layout moved at once (Layout Instability API), and what of it: its markup, from where to where. */
export interface Shift {
  readonly value: number;
  readonly at: readonly string[];
}

declare global {
  interface Window {
    shifts: Shift[];
  }
}

/** Keeps what moves on this page, from its first moment. Call it before the page goes anywhere. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as {
        value: number;
        sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
      }[]) {
        const at = entry.sources.map(({ node, previousRect: from, currentRect: to }) => {
          const markup = node instanceof Element ? node.outerHTML.slice(0, 120) : String(node?.textContent);
          return `${markup} from ${from.x},${from.y} to ${to.x},${to.y}`;
        });
        window.shifts.push({ value: entry.value, at });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** What has moved since it was last asked; what is painted by now included, since that is told after the next frame. */
export async function takeShifts(page: Page): Promise<readonly Shift[]> {
  return page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    await new Promise((resolve) => setTimeout(resolve));
    return window.shifts.splice(0);
  });
}
