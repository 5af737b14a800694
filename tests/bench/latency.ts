import { openBrowser } from "../support/browser.ts";
import { startStack } from "../support/stack.ts";
import { percentile, report } from "./report.ts";
import { sized } from "./sized.ts";

const PAYMENTS = sized(40, 2);

/** From the block with a payment (bep20), or its broadcast (bitcoin), to the open page that shows it. */
export async function benchLatency(): Promise<void> {
  const stack = await startStack({}, ["bep20", "bitcoin"]);
  const browser = await openBrowser();
  const measure = async (
    network: "bep20" | "bitcoin",
    pair: string,
    happen: (address: string, amount: string) => Promise<() => Promise<unknown>>,
  ) => {
    const delays: number[] = [];
    for (let n = 0; n < PAYMENTS; n += 1) {
      const link = await stack.createLink({ wallets: pair });
      const page = await browser.newPage();
      await page.goto(link.url, { waitUntil: "networkidle" });
      const address = (await page.getByTestId("address").textContent()) ?? "";
      const amount = (await page.getByTestId("amount").getAttribute("value")) ?? "";
      const start = await happen(address, amount);
      const seen = page.getByRole("heading", { name: "Payment received" }).waitFor();
      const started = performance.now();
      await start();
      await seen;
      delays.push(performance.now() - started);
      await page.close();
      // No payment stays unconfirmed: a wallet's chain of unconfirmed coins has a limit.
      await stack.mine(1, network);
    }
    return delays;
  };
  try {
    const bep20 = await measure("bep20", '[{"network":"bep20","token":"USDT"}]', async (address, amount) => {
      await stack.pay(address, amount);
      return () => stack.mine();
    });
    const bitcoin = await measure(
      "bitcoin",
      '[{"network":"bitcoin","token":"BTC"}]',
      async (address, amount) => () => stack.pay(address, amount, "bitcoin"),
    );
    for (const [what, delays] of [
      ["bep20, block to browser", bep20],
      ["bitcoin, broadcast to browser", bitcoin],
    ] as const) {
      const p95 = percentile(delays, 0.95);
      report(`${what}, ${PAYMENTS} payments, p50`, `${percentile(delays, 0.5).toFixed(0)} ms`);
      report(`${what}, p95`, `${p95.toFixed(0)} ms`, { text: "<= 1 s", met: p95 <= 1_000 });
    }
  } finally {
    await browser.close();
    await stack.close();
  }
}
