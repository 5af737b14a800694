import type { Browser } from "@playwright/test";
import { type CheckoutPage, checkoutPage } from "./checkout-page.ts";
import type { Stack } from "./stack.ts";

/** The smallest phone that a counter is made for. */
const PHONE = { viewport: { width: 360, height: 640 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

/** A point of sale, opened on a phone that is not connected yet. */
export interface Counter extends CheckoutPage {
  readonly form: string;
  readonly device: string;
  readonly deviceCode: string;
  readonly url: string;
  enter(code: string): Promise<void>;
  /** Presses the keys of an amount. */
  type(amount: string): Promise<void>;
  /** Sells for an amount. Returns the refid of the link. */
  charge(amount: string): Promise<string>;
  close(): Promise<void>;
}

/** `terms` are options of the form. */
export async function openCounter(
  shop: Stack,
  browser: Browser,
  { name = "Counter 1", terms = [] }: { name?: string | undefined; terms?: readonly string[] } = {},
): Promise<Counter> {
  const owner = [shop.email, "--env", "test", "--title", "Market stall"];
  const form = String((await shop.run("form", "create", ...owner, ...terms)).form);
  const made = await shop.run("pos", "add", form, "--name", name);
  const url = String(made.pos_url);
  const page = await browser.newPage({ ...PHONE, timezoneId: "Africa/Lagos" });
  await page.goto(url);
  const type = async (amount: string) => {
    for (const key of amount) await page.getByRole("button", { name: key, exact: true }).click();
  };
  return {
    ...checkoutPage(page),
    ...{ form, url, type },
    device: String(made.device),
    deviceCode: String(made.device_code),
    async enter(code) {
      await page.getByLabel("Device code").fill(code);
      await page.getByRole("button", { name: "Connect" }).click();
    },
    async charge(amount) {
      await type(amount);
      await page.getByRole("button", { name: "Charge" }).click();
      await page.getByRole("heading", { name: "Choose how to pay" }).waitFor();
      return refidIn(page.url());
    },
    close: () => page.context().close(),
  };
}

/** The refid of the link that a page's URL names. */
export const refidIn = (url: string) => new URL(url, "http://localhost").pathname.split("/").at(-1) ?? "";
