import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { bitcoinAdapter, owning } from "#tests/support/bitcoin-adapter.ts";
import { mineBigBlock } from "#tests/support/bitcoin-big-block.ts";
import { addressOf, BITCOIN_REGTEST, openBitcoin, startBitcoind } from "#tests/support/bitcoind.ts";
import { waitingTransfers } from "#tests/support/waiting-transfers.ts";

const BLOCKS = 2_000;
const PAYMENTS = 1_000;

/** A node of its own, whose chain grows by thousands of blocks or by megabytes. */
async function open(t: TestContext) {
  const node = await startBitcoind();
  t.after(node.stop);
  return { node, bitcoin: openBitcoin(node.url), adapter: bitcoinAdapter(node.url) };
}

/** They need no key: to derive them would take longer than to find them. */
const addresses = (count: number) =>
  Array.from({ length: count }, () => addressOf(BITCOIN_REGTEST, randomBytes(20)));

/** CPU seconds of a process, from the kernel's count of hundredths. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

test("catches up without a miss, in far less time than the chain took", async (t) => {
  const { node, bitcoin, adapter } = await open(t);
  const paid = addresses(PAYMENTS);
  const start = (await bitcoin.height()) + 1;
  for (let i = 0; i < BLOCKS; i += 500) await bitcoin.mine(500);
  await bitcoin.payMany(paid.map((address) => [address, "0.001"]));
  await bitcoin.mine();
  const end = await bitcoin.height();

  const ours = owning(...paid);
  const { batchBlocks } = adapter.data;
  const [nodeBefore, ownBefore, started] = [cpuSeconds(node.pid), process.cpuUsage(), performance.now()];
  let found = 0;
  let parent = await adapter.blocks.fetchHash(start - 1);
  for (let from = start; from <= end; from += batchBlocks) {
    const scan = await adapter.blocks.scan({ from, to: Math.min(end, from + batchBlocks - 1) }, ours);
    assert.equal(scan.parentHash, parent);
    parent = scan.tipHash;
    found += scan.transfers.length;
  }
  const ms = performance.now() - started;
  const own = process.cpuUsage(ownBefore);
  assert.equal(found, PAYMENTS);
  assert.equal(parent, await bitcoin.tip());
  t.diagnostic(
    `${end - start + 1} blocks in ${ms.toFixed(0)} ms: ${Math.round(((end - start + 1) * 1_000) / ms)} a second; ` +
      `CPU ours ${((own.user + own.system) / 1e6).toFixed(2)} s, the node's ${(cpuSeconds(node.pid) - nodeBefore).toFixed(2)} s`,
  );
  // CPU time: the clock also counts what other programs do.
  assert.ok(own.user + own.system < 30e6, `${own.user + own.system} µs`);
});

test("sees a thousand waiting payments in one pass, and requests none of them again in the second", async (t) => {
  const { bitcoin, adapter } = await open(t);
  const paid = addresses(PAYMENTS);
  await bitcoin.payMany(paid.map((address) => [address, "0.001"]));
  const ours = owning(...paid);
  const started = performance.now();
  assert.equal((await waitingTransfers(adapter, ours)).length, PAYMENTS);
  const first = performance.now();
  const { length } = ours.asked;
  assert.equal((await waitingTransfers(adapter, ours)).length, PAYMENTS);
  assert.equal(ours.asked.length, length);
  t.diagnostic(`${(first - started).toFixed(0)} ms, then ${(performance.now() - first).toFixed(0)} ms`);
});

test("matches a block of main chain size at little more cost than fetching it", async (t) => {
  const { bitcoin, adapter } = await open(t);
  const paid = addresses(2_000);
  const outputs = Array.from({ length: 10_000 }, (_, i) => paid[i % paid.length] ?? "");
  const block = await mineBigBlock(bitcoin, 4_000, outputs);
  const height = await bitcoin.height();
  const own = paid[7] ?? "";
  // In CPU time of this process: the clock also counts what other programs do.
  const measure = async (run: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let i = 0; i < 7; i++) {
      const before = process.cpuUsage();
      await run();
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1_000);
    }
    return times.sort((a, b) => a - b)[3] ?? 0;
  };
  let bytes = 0;
  const fetching = await measure(async () => {
    bytes = (await bitcoin.call<string>("getblock", block, 0)).length / 2;
  });
  const scanning = await measure(async () => {
    const { transfers } = await adapter.blocks.scan({ from: height, to: height }, owning(own));
    assert.equal(transfers.length, 5);
  });
  t.diagnostic(
    `${bytes} bytes: fetched in ${fetching.toFixed(1)} ms, scanned in ${scanning.toFixed(1)} ms, fetching included`,
  );
  assert.ok(scanning < 1_000, `${scanning} ms`);
});
