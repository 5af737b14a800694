import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { RawTx } from "@scure/btc-signer";
import { bitcoinAdapter } from "../support/bitcoin-adapter.ts";
import { openBitcoin, startBitcoind } from "../support/bitcoind.ts";
import { startFakeNode } from "../support/fake-node.ts";
import { until } from "../support/until.ts";
import { openWatchedNetwork } from "../support/watched-network.ts";
import { percentile, report } from "./report.ts";
import { sized } from "./sized.ts";

const WAITING = sized(100_000, 1_000);
const CALLS_PER_SECOND = 25;
const BLOCKS = sized(12, 1);
const PAIR = { network: "bitcoin", token: "btc" } as const;

/**
 * From a block to the credit of its payment, with 100,000 other transactions in the mempool and 25 calls a second. A
 * fake before a real node adds them to its mempool, another one with each look. Once more with the node's messages, when
 * they only wait.
 */
export async function benchFullMempool(): Promise<void> {
  for (const zmq of [false, true]) await creditBlocks(zmq);
}

async function creditBlocks(zmq: boolean): Promise<void> {
  const node = await startBitcoind({ zmq });
  const bitcoin = openBitcoin(node.url);
  const fake = await startFakeNode(node.url);
  const others = makeTransactions(WAITING);
  const ids = [...others.keys()];
  let looks = 0;
  let fetched = 0;
  let lists = 0;
  const countWaiting = async (pass: () => Promise<unknown>) =>
    ((await pass()) as { size: number }).size + WAITING;
  fake.twist = async ({ method, params }, pass) => {
    if (method === "getmempoolinfo") return { loaded: true, size: zmq ? await countWaiting(pass) : ++looks };
    if (method === "getrawmempool") {
      lists += 1;
      const list = (await pass()) as string[] | { txids: string[] };
      return Array.isArray(list) ? [...list, ...ids] : { ...list, txids: [...list.txids, ...ids] };
    }
    const hex = method === "getrawtransaction" ? others.get(String(params[0])) : undefined;
    if (hex !== undefined) fetched += 1;
    return hex;
  };
  const adapter = bitcoinAdapter(fake.url, { rpcBudget: CALLS_PER_SECOND, zmqUrl: node.zmqUrl });
  const networks = { find: () => adapter, list: () => [adapter], all: () => [adapter] };
  const watched = await openWatchedNetwork(networks, PAIR, "btc/usd=50000");
  try {
    watched.watchInRealTime();
    await until("the mempool to be read", () => fetched > 0);
    const delays: number[] = [];
    for (let n = 0; n < BLOCKS; n += 1) {
      const link = await watched.link(20);
      await bitcoin.sendTo(link.address, "0.0004");
      await bitcoin.mine();
      const mined = performance.now();
      await until("the credit", async () => {
        const [deposit] = await watched.depositsTo(link.address);
        return deposit?.status === "credited";
      });
      delays.push(performance.now() - mined);
      // Blocks come at any time between two polls.
      await delay(Math.random() * 1_000);
    }
    const worst = Math.max(...delays);
    report(
      `${WAITING} waiting, ${CALLS_PER_SECOND} calls/s${zmq ? ", ZMQ sequence" : ""}: block to credit, p50`,
      ms(percentile(delays, 0.5)),
    );
    report("longest", ms(worst), { text: "<= 2 s", met: worst <= 2_000 });
    report("waiting transactions fetched meanwhile, and lists", `${fetched}, ${lists}`);
  } finally {
    await watched.close();
    await fake.close();
    await node.stop();
  }
}

const ms = (value: number) => `${value.toFixed(0)} ms`;

/** Makes transactions that differ in their locktime, by id, as hex. */
function makeTransactions(count: number): ReadonlyMap<string, string> {
  const made = new Map<string, string>();
  for (let lockTime = 0; lockTime < count; lockTime += 1) {
    const bytes = Buffer.from(TEMPLATE);
    bytes.writeUInt32LE(lockTime, bytes.length - 4);
    made.set(sha256(sha256(bytes)).reverse().toString("hex"), bytes.toString("hex"));
  }
  return made;
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
const TEMPLATE = RawTx.encode({
  version: 2,
  segwitFlag: false,
  inputs: [{ txid: new Uint8Array(32).fill(1), index: 0, finalScriptSig: new Uint8Array(), sequence: 0 }],
  outputs: [{ amount: 1_000n, script: Uint8Array.from([0, 20, ...new Uint8Array(20).fill(1)]) }],
  witnesses: [],
  lockTime: 0,
});
