import assert from "node:assert/strict";
import { after, test } from "node:test";
import { pino } from "pino";
import { findRequiredConfirmations } from "#lib/domain/deposits/record/required-confirmations.ts";
import type { TransferObservation, WatchContext } from "#lib/domain/deposits/types.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { tokenPrices } from "#lib/domain/rates/tables.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { bitcoinNetwork } from "#tests/support/bitcoin-adapter.ts";
import { openWatchedNetwork } from "#tests/support/watched-network.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);
const STRICTEST = 6;
const PAIR = { network: "bitcoin", token: "btc" } as const;
const watched = await openWatchedNetwork(bitcoinNetwork("http://127.0.0.1:9"), PAIR, "btc/usd=50000");
after(() => watched.close());
const { db, adapter } = watched;
await watched.link(10);
const [{ id: addressId = 0 } = {}] = await db.select().from(addresses);

/** The confirmations of 20,000 satoshis to a link of 10 USD, in a process with these rates. */
async function requiredWith(fixed: string): Promise<number> {
  const rates = openRates({ fixed, log: pino({ level: "silent" }) });
  const watch = { adapter, paymentLinks: { rates } } as unknown as WatchContext;
  const paid = { addressId, token: "btc", amount: 20_000n } as unknown as TransferObservation;
  return db.transaction(async (tx) => (await findRequiredConfirmations(tx, watch, [paid], NOW))(paid));
}

async function storePrice(price: string, at: Date): Promise<void> {
  await db.delete(tokenPrices);
  await db.insert(tokenPrices).values({ token: "btc", price, source: "fixed", at });
}

test("a process without prices yet uses the stored price of the last hour, and without one the strictest tier", async () => {
  assert.equal(await requiredWith("btc/usd=50000"), 1);
  assert.equal(await requiredWith("usdt/usd=1"), STRICTEST);
  await storePrice("50000", minutesAgo(59));
  assert.equal(await requiredWith("usdt/usd=1"), 1);
  await storePrice("50000", minutesAgo(61));
  assert.equal(await requiredWith("usdt/usd=1"), STRICTEST);
  await storePrice("not a price", minutesAgo(1));
  assert.equal(await requiredWith("usdt/usd=1"), STRICTEST);
});

test("a current price counts, not the stored one", async () => {
  await storePrice("1", minutesAgo(1));
  assert.equal(await requiredWith("btc/usd=500000000"), STRICTEST);
});
