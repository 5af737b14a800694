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

/**
 * Restarts the server with the web role alone: a worker's processor time is not that of the pages. As if one ran in another
 * process, the last pass over the chain is dated ahead. Otherwise the pages would say that the network is not watched.
 */
export async function startWebOnly(stack: Stack): Promise<void> {
  await stack.server().stop();
  stack.env.ROLES = "web";
  await stack.startServer();
  await stack.db.db.execute("update watch_cursors set pass_started_at = now() + interval '1 hour'");
}
