import type { Browser, BrowserContextOptions, FrameLocator, Page } from "@playwright/test";
import type {} from "#packages/widget/src/checkout.ts";
import { type ShopServer, startShopServer } from "./shop-server.ts";
import type { Stack } from "./stack.ts";

/** A shop's website on a second origin with the widget on its page. */
export interface WidgetShop {
  readonly site: ShopServer;
  /** Origin of the payment page and the script. */
  readonly home: string;
  /** The policy that docs/integrate/embed.md requires a shop to send. */
  policy(more?: string): string;
  /** A link whose return URLs lead to the website. */
  makeLink(fields?: Record<string, string>): ReturnType<Stack["createLink"]>;
  /** Opens the website's page with this content and the script loaded as the docs say. */
  visitShop(
    body: string,
    options?: BrowserContextOptions & { host?: "127.0.0.1" | "localhost"; allow?: string },
  ): Promise<Page>;
  close(): Promise<void>;
}

export async function openWidgetShop(stack: Stack, browser: Browser): Promise<WidgetShop> {
  const site = await startShopServer();
  const home = new URL(stack.pageUrl).origin;
  site.show("/thanks", "<title>shop</title><h1>Thank you</h1>");
  site.show("/cart", "<title>shop</title><h1>Cart</h1>");
  const opened: Page[] = [];
  const policy = (more = "") =>
    `default-src 'none'; script-src ${home} ${more}; frame-src ${home} ${more}; base-uri 'none'`;
  return {
    ...{ site, home, policy },
    makeLink(fields = {}) {
      const origin = site.origin();
      return stack.createLink({ success_url: `${origin}/thanks`, cancel_url: `${origin}/cart`, ...fields });
    },
    async visitShop(body, { host = "localhost", allow, ...context } = {}) {
      const page = await browser.newPage(context);
      opened.push(page);
      site.show(
        "/",
        `<!doctype html><html lang="en"><title>shop</title><meta name="viewport" content="width=device-width">
<script async src="${home}/checkout.js"></script><body><main><h1>A shop</h1>${body}</main></body></html>`,
        policy(allow),
      );
      await page.goto(`${site.origin(host)}/`);
      await page.waitForFunction(() => window.Paylink !== undefined);
      return page;
    },
    async close() {
      await Promise.all(opened.map((page) => page.context().close()));
      await site.close();
    },
  };
}

export const payButton = (refid: string, more = "") => `<button data-paylink="${refid}" ${more}>Pay</button>`;
export const dialog = (page: Page) => page.getByRole("dialog");
export const inDialog = (page: Page): FrameLocator => dialog(page).frameLocator("iframe");

/** The payment page in the dialog, once it has reported that it is ready. */
export async function ready(page: Page): Promise<FrameLocator> {
  await dialog(page).and(page.locator(".ready")).waitFor();
  return inDialog(page);
}

/** Waits until the dialog is removed, which is shortly after it is hidden. */
export const gone = (page: Page) => page.locator("dialog").waitFor({ state: "detached" });

/** Keeps the statuses that the widget reports to the page as events. */
export async function keepStatuses(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    addEventListener("paylink:status", (event) => seen.push((event as CustomEvent).detail.status));
  });
}

/** The events that a test keeps in the page as `window.seen`. */
export const seenBy = (page: Page) => page.evaluate(() => (window as unknown as { seen: string[] }).seen);
