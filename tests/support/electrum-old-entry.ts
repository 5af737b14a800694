import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { NetworkData } from "#lib/chains/network-data.ts";
import { getUtxoData } from "#lib/chains/utxo/chains.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import type { Bitcoin } from "./bitcoind.ts";
import { electrumNetwork, watchElectrum } from "./electrum-world.ts";
import { until } from "./until.ts";
import { log, polledOften } from "./watched-network.ts";

/** Litecoin's fewest confirmations. */
const CONFIRMATIONS = 6;
const UNUSED = "electrum+tcp://127.0.0.1:1";
/** More than two answers with headers. */
const BLOCKS = 4_600;

/** One part of old headers at once, so that a few parts are many. */
function withFewHeaders(data: NetworkData): NetworkData {
  const utxo = getUtxoData(data);
  const limits = { atOnce: 1, everyMs: 1_000 };
  return { ...data, utxo: { ...utxo, headers: { ...utxo.headers!, limits } } };
}

/** It is asked for addresses only. */
const openAdapter = (data: NetworkData) => electrumNetwork([UNUSED], {}, undefined, data).all()[0]!;

/**
 * An address that we allocate was paid long ago, so deep that the server closes the connection before all headers above it
 * are read. A new payment is credited meanwhile, and the old one is found at last. `start` starts the server of the grown chain.
 */
export async function testOldEntry(
  t: TestContext,
  litecoin: Bitcoin,
  { data, start }: { readonly data: NetworkData; readonly start: () => Promise<string> },
): Promise<void> {
  const { accountKey, addresses } = openAdapter(data);
  const { address } = addresses.derive(5);
  const old = await litecoin.sendTo(address, "0.25");
  await litecoin.mine();
  const height = await litecoin.height();
  for (let mined = 0; mined < BLOCKS; mined += 460) await litecoin.mine(460);
  const network = electrumNetwork([await start()], { log }, accountKey, withFewHeaders(data));
  const watched = await watchElectrum(polledOften(network));
  t.after(watched.close);
  watched.watch();
  await until("the watcher's start", async () => ((await watched.cursor())?.height ?? -1) > 0);
  for (let i = 0; i < 5; i++) await watched.address();
  assert.equal((await watched.address()).address, address);
  const since = performance.now();
  for (let i = 0; i < 2; i++) {
    const link = await watched.link(10);
    await litecoin.sendTo(link.address, formatAmount(link.due, 8));
    await litecoin.mine(CONFIRMATIONS);
    await until(
      "the new payment's credit",
      async () => (await watched.linkState(link.refid)) === "completed",
    );
    const paid = await watched.depositsTo(link.address);
    assert.deepEqual(
      paid.map(({ status, amount }) => [status, amount]),
      [["credited", link.due]],
    );
    t.diagnostic(`credited after ${Math.round(performance.now() - since)} ms`);
  }
  const found = await until("the old payment", async () => (await watched.depositsTo(address))[0]);
  assert.deepEqual([found.txHash, found.blockHeight], [old, height]);
  t.diagnostic(`found after ${Math.round(performance.now() - since)} ms`);
  assert.deepEqual((await watched.ledger()).problems, []);
}
