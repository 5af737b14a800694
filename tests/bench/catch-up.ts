import { readFileSync } from "node:fs";
import { bitcoinAdapter, owning } from "../support/bitcoin-adapter.ts";
import { openBitcoin, startBitcoind } from "../support/bitcoind.ts";
import { report } from "./report.ts";
import { sized } from "./sized.ts";

const BLOCKS = sized(10_000, 500);

/** CPU seconds of a process, from the kernel's count of hundredths. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Reads 10,000 missed blocks. Compares our cost with the node's, and shows the memory used. */
export async function benchCatchUp(): Promise<void> {
  const node = await startBitcoind();
  try {
    const bitcoin = openBitcoin(node.url);
    const adapter = bitcoinAdapter(node.url);
    const start = (await bitcoin.height()) + 1;
    const beforeMining = cpuSeconds(node.pid);
    for (let mined = 0; mined < BLOCKS; mined += 500) await bitcoin.mine(500);
    const mining = cpuSeconds(node.pid) - beforeMining;
    const ours = owning(adapter.addresses.derive(0).address);
    const pass = async () => {
      const before = { node: cpuSeconds(node.pid), own: process.cpuUsage(), at: performance.now() };
      let peak = 0;
      for (let from = start; from < start + BLOCKS; from += adapter.data.batchBlocks) {
        await adapter.blocks.scan(
          { from, to: Math.min(start + BLOCKS, from + adapter.data.batchBlocks) - 1 },
          ours,
        );
        peak = Math.max(peak, process.memoryUsage().heapUsed);
      }
      const own = process.cpuUsage(before.own);
      return {
        seconds: (performance.now() - before.at) / 1_000,
        own: (own.user + own.system) / 1e6,
        serving: cpuSeconds(node.pid) - before.node,
        peakMiB: peak / 2 ** 20,
      };
    };
    const first = await pass();
    const second = await pass();
    const nodesOwn = mining + first.serving;
    report(`catch-up over ${BLOCKS} blocks`, `${(BLOCKS / first.seconds).toFixed(0)} blocks/s`);
    report(
      "our CPU, the node's (making and serving them)",
      `${first.own.toFixed(2)} / ${nodesOwn.toFixed(2)} s`,
      {
        text: "less than the node's own",
        met: first.own < nodesOwn,
      },
    );
    report(
      "our CPU, the node's for serving alone; once more, warm",
      `${second.own.toFixed(2)} / ${second.serving.toFixed(2)} s`,
    );
    report(
      "peak heap, first and second pass",
      `${first.peakMiB.toFixed(0)} / ${second.peakMiB.toFixed(0)} MiB`,
    );
  } finally {
    await node.stop();
  }
}
