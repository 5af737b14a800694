import type { Browser, BrowserContextOptions, FrameLocator, Page } from "playwright";
import type {} from "#lib/widget/checkout.ts";
import { openBrowser } from "./browser.ts";
import { type ShopServer, startShopServer } from "./shop-server.ts";
import { type Stack, startStack } from "./stack.ts";

/** A shop on a second origin with the widget on its page, and a browser to visit it. */
export interface WidgetShop {
  readonly stack: Stack;
  readonly browser: Browser;
  readonly shop: ShopServer;
  /** Origin of the payment page and the script. */
  readonly home: string;
  /** The policy that docs/integrate/embed.md requires a shop to send. */
  policy(more?: string): string;
  /** A link whose return URLs lead to the shop. */
  makeLink(fields?: Record<string, string>): ReturnType<Stack["createLink"]>;
  /** Opens the shop's page with this content and the script loaded as the docs say. */
  visitShop(
    body: string,
    options?: BrowserContextOptions & { host?: "127.0.0.1" | "localhost"; allow?: string },
  ): Promise<Page>;
  close(): Promise<void>;
}

export async function openWidgetShop(): Promise<WidgetShop> {
  const [stack, browser, shop] = await Promise.all([startStack(), openBrowser(), startShopServer()]);
  const home = new URL(stack.pageUrl).origin;
  shop.show("/thanks", "<title>shop</title><h1>Thank you</h1>");
  shop.show("/cart", "<title>shop</title><h1>Cart</h1>");
  const policy = (more = "") =>
    `default-src 'none'; script-src ${home} ${more}; frame-src ${home} ${more}; base-uri 'none'`;
  return {
    ...{ stack, browser, shop, home, policy },
    makeLink(fields = {}) {
      const origin = shop.origin();
      return stack.createLink({ success_url: `${origin}/thanks`, cancel_url: `${origin}/cart`, ...fields });
    },
    async visitShop(body, options = {}) {
      const { host = "localhost", allow, ...context } = options;
      const page = await (await browser.newContext(context)).newPage();
      page.setDefaultTimeout(10_000);
      shop.show(
        "/",
        `<!doctype html><html lang="en"><title>shop</title><meta name="viewport" content="width=device-width">
<script async src="${home}/checkout.js"></script><body><main><h1>A shop</h1>${body}</main></body></html>`,
        policy(allow),
      );
      await page.goto(`${shop.origin(host)}/`);
      await page.waitForFunction(() => window.Paylink !== undefined);
      return page;
    },
    async close() {
      await browser.close();
      await shop.close();
      await stack.close();
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
