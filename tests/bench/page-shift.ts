import type { Browser, Page } from "@playwright/test";
import { checkoutPage } from "../support/checkout-page.ts";
import { takeShifts, watchShifts } from "../support/layout-shifts.ts";
import type { Stack } from "../support/stack.ts";
import { until } from "../support/until.ts";
import { report } from "./report.ts";

/**
 * Nothing may move while the customer reads: from load, over a second of the countdown, to a payment seen
 * and completed.
 */
export async function shift(browser: Browser, stack: Stack): Promise<void> {
  const link = await stack.createLink({ wallets: '[{"network":"bep20","token":"USDT"}]' });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await watchShifts(page);
  const steps: [string, number][] = [];
  const note = async (what: string) => steps.push([what, await drain(page)]);
  await page.goto(link.url);
  const checkout = checkoutPage(page);
  const timer = page.getByRole("timer").first();
  const first = await timer.textContent();
  await until("the countdown to count", async () => (await timer.textContent()) !== first);
  await note("from load to the first second counted");
  const ask = await checkout.ask();
  await stack.pay(ask.address, ask.amount);
  await stack.mine(1);
  await stack.waitForState(link.refid, "detected");
  await checkout.waitForTitle("Payment received");
  await note("when the payment is seen");
  await stack.mine(2);
  await checkout.waitForTitle("Payment complete");
  await note("when it is complete");
  for (const [what, value] of steps)
    report(`layout shift ${what}`, value.toFixed(4), { text: "0", met: value === 0 });
  await context.close();
}

/** Layout shifts since the last call. */
async function drain(page: Page): Promise<number> {
  const shifts = await takeShifts(page);
  for (const one of shifts) console.log(`    ${one.value.toFixed(4)}: ${one.at.join(" | ")}`);
  return shifts.reduce((sum, { value }) => sum + value, 0);
}
