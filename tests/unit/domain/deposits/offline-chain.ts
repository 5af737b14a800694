import type { TestContext } from "node:test";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";
import { bep20 } from "#tests/support/watched-chain.ts";
import { log, openWatchedNetwork } from "#tests/support/watched-network.ts";

export const SCOPE = { env: "test", network: "bep20" } as const;
export const HASH = `0x${"ab".repeat(32)}`;

/** A database with two merchants on a bep20 without a node. `watchOf`: what records scans of an adapter. */
export async function openOffline(t: TestContext) {
  const watched = await openWatchedNetwork(
    bep20("http://127.0.0.1:9"),
    { network: "bep20", token: "usdt" },
    "usdt/usd=1",
  );
  t.after(watched.close);
  const { database, paymentLinks } = watched;
  const watchOf = (adapter: NetworkAdapter, now: Date) => ({
    ...SCOPE,
    ...{ adapter, database: database.database, paymentLinks, log },
    ...openManualClock(now),
  });
  return { ...watched, watchOf };
}
