import { NodeError } from "../network.ts";
import { parseFields } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";
import { parseEvmHash, TRANSFER_TOPIC } from "./codec.ts";
import { toHexHeight } from "./scan-logs.ts";

/** A node that answered a log is trusted for this long, unless it fails: an index is switched off only with a restart. */
const TRUSTED_MS = 600_000;
/** Receipts looked at in one block. */
const RECEIPTS = 20;

/** Heights of blocks for which the node answered no logs. */
export interface SilentBlocks {
  /** The newest blocks, by hash. */
  readonly newest: readonly number[];
  /** Some of the older ones, below the first that had a log. */
  readonly older: readonly number[];
}

export interface LogIndexCheck {
  /**
   * Throws NodeError("inconsistent") where a receipt of a silent block has a transfer that the logs do not: the node's
   * index of logs is off, or began later than the block.
   */
  check(
    node: { readonly name: string; readonly client: RpcClient },
    contracts: readonly string[],
    silent: SilentBlocks,
    hasLogs: boolean,
  ): Promise<void>;
  /** No longer trusts the node: it failed, and may have been restarted. */
  forget(name: string): void;
}

/** Remembers which nodes have answered a log. */
export function openLogIndexCheck(now: () => number = () => performance.now()): LogIndexCheck {
  const trustedUntil = new Map<string, number>();
  return {
    forget: (name) => trustedUntil.delete(name),
    async check({ name, client }, contracts, silent, hasLogs) {
      if (hasLogs) trustedUntil.set(name, now() + TRUSTED_MS);
      const trusted = (trustedUntil.get(name) ?? 0) > now();
      for (const height of trusted ? silent.older : [...silent.newest, ...silent.older]) {
        if (!(await hasTransfer(client, contracts, height))) continue;
        throw new NodeError(
          "inconsistent",
          `the node has no logs of block ${height}, and its receipts have: its index of logs is off or began later. ` +
            "java-tron: node.jsonrpc.httpFullNodeEnable = true, from before the first block that is read",
        );
      }
    },
  };
}

/** Returns whether the receipt of a call of one of these contracts has a transfer of it. */
async function hasTransfer(
  client: RpcClient,
  contracts: readonly string[],
  height: number,
): Promise<boolean> {
  const block = await client.call("eth_getBlockByNumber", [toHexHeight(height), true]);
  if (block === null) throw new NodeError("inconsistent", `the node does not have block ${height}`);
  const { transactions } = parseFields("a block", block);
  const called = (Array.isArray(transactions) ? transactions : []).filter((entry) =>
    contracts.includes(String(Object(entry).to).toLowerCase()),
  );
  if (called.length === 0) return false;
  const receipts = await client.batch(
    called.slice(0, RECEIPTS).map((entry) => ({
      method: "eth_getTransactionReceipt",
      params: [parseEvmHash("a transaction's hash", Object(entry).hash)],
    })),
  );
  return receipts.some((receipt) => {
    const { logs } = Object(receipt) as { logs?: unknown };
    return (
      Array.isArray(logs) &&
      logs.some(
        (log) =>
          contracts.includes(String(Object(log).address).toLowerCase()) &&
          Object(log).topics?.[0] === TRANSFER_TOPIC,
      )
    );
  });
}
