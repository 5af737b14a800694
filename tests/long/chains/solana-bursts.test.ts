/**
 * A burst of transactions that name one of our addresses, more than its list is read for: it changes how blocks are found for a time only.
 * LiteSVM behind our front.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { USDT_MINT } from "#lib/dev-chains/solana-node/genesis.ts";
import { sendSol } from "#lib/dev-chains/solana-node/pay.ts";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import type { Twist } from "#tests/support/fake-node.ts";
import { bookOf, solanaAddress, solanaWith } from "#tests/support/solana.ts";
import { SolanaWorld } from "#tests/support/solana-world.ts";

const world = new SolanaWorld();

const LIST = "getSignaturesForAddress";
const PAGE = 1_000;

/** Mines `blocks`, with a payment of SOL 10 slots before the last one. Returns its hash, and the first slot. */
async function mine(blocks: number, to: string) {
  const from = world.newest() + 1;
  world.node.chain.mine(blocks - 10);
  const hash = await sendSol(world.node.url, [[to, 3_000_000n]]);
  world.node.chain.mine(10);
  return { from, hash };
}

/** Reads the slots from here to the head, as a watcher does. */
async function read(adapter: NetworkAdapter, ours: string, from: number) {
  world.fake.calls.length = 0;
  await adapter.blocks.fetchHead();
  const { transfers } = await adapter.blocks.scan({ from, to: world.newest() }, owning(ours));
  const isWhole = (params: readonly unknown[]) => Object(params[1]).transactionDetails === "accounts";
  const whole = world.fake.calls.filter(({ params }) => isWhole(params)).length;
  return { hashes: transfers.map(({ txHash }) => txHash), whole };
}

/** Adds 25,000 failed transactions in one slot to the list of an address. */
const burst =
  (address: string, at: number): Twist =>
  async ({ method, params }, pass) => {
    if (method !== LIST || params[0] !== address) return undefined;
    const named = Array.from({ length: 25_000 }, (_, i) => ({
      signature: String(i).replaceAll("0", "a").padStart(64, "z"),
      slot: at,
      err: "failed",
    }));
    const before: unknown = Object(params[1]).before;
    const index = named.findIndex(({ signature }) => signature === before);
    if (index >= 0) return named.slice(index + 1, index + 1 + PAGE);
    const listed = (await pass()) as { slot: number }[];
    const newer = listed.filter(({ slot }) => slot > at);
    return [...newer, ...named].slice(0, PAGE);
  };

test("a burst of transactions that name an address is read around for an hour, and loses no payment", async (t) => {
  const ours = solanaAddress(950);
  const adapter = solanaWith({ usdt: USDT_MINT }, [world.fake.url]).find("test", "solana")!;
  adapter.addressWatch?.watch(bookOf(() => [ours]));
  const quiet = await mine(30, ours);
  assert.deepEqual(await read(adapter, ours, quiet.from), { hashes: [quiet.hash], whole: 1 });

  const during = await mine(30, ours);
  world.fake.twist = burst(ours, during.from);
  assert.deepEqual(await read(adapter, ours, during.from), { hashes: [during.hash], whole: 30 });
  const between = await mine(800, ours);
  assert.deepEqual(await read(adapter, ours, between.from), { hashes: [between.hash], whole: 800 });

  const now = performance.now.bind(performance);
  t.mock.method(performance, "now", () => now() + 3_600_000);
  const later = await mine(30, ours);
  assert.deepEqual(await read(adapter, ours, later.from), { hashes: [later.hash], whole: 1 });
});
