import type { Page } from "@playwright/test";

/**
 * Size of one layout shift (Layout Instability API), and what moved: its markup with the old and the new
 * position.
 */
export interface Shift {
  readonly value: number;
  readonly at: readonly string[];
}

declare global {
  interface Window {
    shifts: Shift[];
  }
}

/** Records every layout shift of this page. Call it before the first navigation. */
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

/**
 * The shifts since the last call. Waits for the next frame, because the browser reports a shift only then.
 */
export async function takeShifts(page: Page): Promise<readonly Shift[]> {
  return page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    await new Promise((resolve) => setTimeout(resolve));
    return window.shifts.splice(0);
  });
}
