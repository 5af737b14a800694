import { type Stack, startStack } from "../support/stack.ts";
import { startBarePage } from "./bare-page.ts";

export interface PageBench {
  readonly stack: Stack;
  /** Links that await a payment on bep20. */
  readonly awaiting: readonly string[];
  /** The bare page, of a server of its own. */
  readonly bare: string;
  close(): Promise<void>;
}

/** A stack with the payment page, and a server with the bare page. */
export async function startPageBench(links: number): Promise<PageBench> {
  const bare = await startBarePage();
  const stack = await startStack({ LOG_LEVEL: "warn" });
  const made = await Promise.all(
    Array.from({ length: links }, () =>
      stack.createLink({ wallets: '[{"network":"bep20","token":"USDT"}]' }),
    ),
  );
  return {
    stack,
    awaiting: made.map(({ url }) => url),
    bare: bare.url,
    async close() {
      await stack.close();
      await bare.stop();
    },
  };
}
