import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { axeFaults, readCode, SCREENS } from "./page-looks.ts";

/** The payment page as a person reads it. */
export interface CheckoutPage {
  readonly page: Page;
  choose(network: string): Promise<void>;
  ask(): Promise<{ amount: string; address: string }>;
  /** The text that a phone's camera reads from the QR code on the screen. */
  scanQr(): Promise<string>;
  title(): Promise<string>;
  waitForTitle(title: string): Promise<void>;
  waitForText(text: string | RegExp): Promise<void>;
  /** Checks this state with axe. `SHOTS=1` also saves a picture of it. */
  shot(name: string): Promise<void>;
}

export function checkoutPage(page: Page): CheckoutPage {
  const heading = page.getByRole("heading", { level: 1 }).first();
  return {
    page,
    title: async () => (await heading.textContent()) ?? "",
    choose: async (network) => {
      await page.getByRole("button", { name: network }).click();
      await page.getByTestId("address").waitFor();
    },
    ask: async () => {
      const amount = (await page.getByTestId("amount").getAttribute("value")) ?? "";
      const address = (await page.getByTestId("address").textContent()) ?? "";
      return { amount, address };
    },
    scanQr: async () => {
      const code = readCode(await page.screenshot({ fullPage: true }));
      if (code === null) throw new Error("no QR code can be read off the page");
      return code;
    },
    waitForTitle: async (wanted) => {
      await expect(heading).toHaveText(wanted);
    },
    waitForText: async (text) => {
      await page.getByText(text).first().waitFor();
    },
    shot: async (name) => {
      if (process.env.SHOTS === "1")
        await page.screenshot({ path: join(SCREENS, `${name}.png`), fullPage: true });
      expect(await axeFaults(page), `axe finds fault with the page in state ${name}`).toEqual([]);
    },
  };
}
