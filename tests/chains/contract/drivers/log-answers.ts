import { rpc } from "#tests/support/anvil.ts";
import type { FakeCall, Twist } from "#tests/support/fake-node.ts";
import type { ContractDriver, NodeBlock } from "./driver.ts";

type Log = Record<string, unknown>;

/** Wrong, old or partial answers of nodes with Ethereum's JSON-RPC. The same for BSC and TRON. */
function changeLogs(change: (log: Log) => unknown): Twist {
  return async ({ method }, pass) =>
    method === "eth_getLogs" ? ((await pass()) as Log[]).map(change) : undefined;
}

export const LOG_LIES: ContractDriver["lies"] = {
  "logs that are no list": ({ method }) => (method === "eth_getLogs" ? {} : undefined),
  "logs of nothing": changeLogs(() => ({ topics: [] })),
  "an amount that is no number": changeLogs((log) => ({ ...log, data: "0xzz" })),
  "a log of another contract": changeLogs((log) => ({ ...log, address: `0x${"11".repeat(20)}` })),
  "a log of another block": changeLogs((log) => ({ ...log, blockHash: `0x${"ab".repeat(32)}` })),
  "a block without a hash": async ({ method }, pass) =>
    method === "eth_getBlockByNumber" ? { ...((await pass()) as object), hash: null } : undefined,
  "a block of another height": async ({ method, params }, pass) =>
    method === "eth_getBlockByNumber" && String(params[0]).startsWith("0x")
      ? { ...((await pass()) as object), number: "0x1" }
      : undefined,
};

const LARGEST_RANGE = 4;

/** How nodes report that a range, or its result, is too large. */
export const LOG_CUT: ContractDriver["cut"] = {
  outcome: "asked again in parts",
  twist: ({ method, params }) => {
    const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string };
    if (method !== "eth_getLogs" || Number(toBlock) - Number(fromBlock) < LARGEST_RANGE) return undefined;
    if (fromBlock === undefined) return undefined;
    throw new Error("query returned more than 10000 results");
  },
};

/** The node as it was at a height. */
export async function staleLogNode(url: string, height: number): Promise<Twist> {
  const old = await rpc(url, "eth_getBlockByNumber", [hex(height), false]);
  return ({ method, params }: FakeCall) => {
    if (method === "eth_blockNumber") return hex(height);
    if (method !== "eth_getBlockByNumber") return undefined;
    const [block] = params as [string];
    if (["latest", "finalized"].includes(block)) return old;
    return Number(block) > height ? null : undefined;
  };
}

/** A block in the node's format. The newest one without a height. */
export async function logBlock(url: string, height?: number): Promise<NodeBlock> {
  const tag = height === undefined ? "latest" : hex(height);
  const block = (await rpc(url, "eth_getBlockByNumber", [tag, false])) as Record<string, string>;
  const { number, hash = "", parentHash = "", timestamp } = block;
  return { height: Number(number), hash, parentHash, time: new Date(Number(timestamp) * 1_000) };
}

function hex(height: number): string {
  return `0x${height.toString(16)}`;
}
