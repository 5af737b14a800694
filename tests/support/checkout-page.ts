import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import jsQR from "jsqr";
import type { Page } from "playwright";
import { PNG } from "pngjs";
import { until } from "./until.ts";

const SHOTS = join(import.meta.dirname, "../../test-results/screens");
mkdirSync(SHOTS, { recursive: true });

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
  /** Saves a screenshot of this state and checks it with axe (which needs scripts). */
  shot(name: string, options?: { axe?: boolean }): Promise<void>;
}

export function checkoutPage(page: Page): CheckoutPage {
  page.setDefaultTimeout(10_000);
  const title = async () => (await page.getByRole("heading", { level: 1 }).first().textContent()) ?? "";
  return {
    page,
    title,
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
      const picture = PNG.sync.read(await page.screenshot({ fullPage: true }));
      const code = jsQR(new Uint8ClampedArray(picture.data), picture.width, picture.height);
      if (code === null) throw new Error("no QR code can be read off the page");
      return code.data;
    },
    waitForTitle: async (wanted) => {
      await until(`the page to say "${wanted}"`, async () => (await title().catch(() => "")) === wanted, {
        withinMs: 30_000,
      });
    },
    waitForText: async (text) => {
      await page.getByText(text).first().waitFor({ timeout: 20_000 });
    },
    shot: async (name, { axe: look = true } = {}) => {
      await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
      if (!look) return;
      // While a refresh streams in, the title arrives later.
      await page.waitForFunction(() => document.title !== "");
      // Evaluated through the browser's protocol, which the page's script policy does not restrict.
      await page.evaluate(axe.source);
      const found = await page.evaluate(() =>
        (window as unknown as { axe: typeof axe }).axe
          // Off by default in axe, but part of WCAG 2.2 AA: targets of 24 pixels.
          .run({ rules: { "target-size": { enabled: true } } })
          .then(({ violations }) =>
            violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
          ),
      );
      assert.deepEqual(found, [], `axe finds fault with the page in state ${name}`);
    },
  };
}
