import { NodeError } from "../node-error.ts";
import type { RpcClient } from "../rpc-client.ts";
import { type AskedLogs, fetchBlockLogs, isTransferOf, mayHaveTransfers } from "./block-logs.ts";
import {
  type EvmBlockHeader,
  parseEvmHeader,
  parseTransferLogs,
  TRANSFER_TOPIC,
  type TransferLog,
  toAddressTopic,
} from "./codec.ts";
import { fetchEvmHeaders } from "./headers.ts";
import { inParts } from "./scan-logs.ts";

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The search tries the index of logs out on one block in so many. Where the index lacks it, the blocks before are read whole. */
const TRIED_EVERY = 100;

/**
 * Transfers of contracts other than `listed` to `receivers` (20 bytes of hex each), in final blocks. Every
 * request includes the newest block of the same node. A node below the range would report no logs instead of an
 * error. Logs that the index lacks (TRIED_EVERY) may be of earlier blocks than asked.
 */
export async function scanUnlistedLogs(
  client: RpcClient,
  { contracts: listed, hasBlooms }: AskedLogs,
  receivers: readonly string[],
  range: Range,
): Promise<readonly TransferLog[]> {
  const filter = { topics: [TRANSFER_TOPIC, null, receivers.map(toAddressTopic)] };
  const logs = await inParts(client, range, async ({ fromBlock, toBlock, to }) => {
    const [answer, newest] = await client.batch([
      { method: "eth_getLogs", params: [{ ...filter, fromBlock, toBlock }] },
      { method: "eth_getBlockByNumber", params: ["latest", false] },
    ]);
    if ((parseEvmHeader(newest)?.height ?? -1) < to) {
      throw new NodeError("inconsistent", `the node does not have block ${to}`);
    }
    return parseTransferLogs(answer, { anyContract: true });
  });
  const wanted = new Set(receivers);
  for (const { address, blockHeight, txHash } of logs) {
    if (!wanted.has(address) || blockHeight < range.from || blockHeight > range.to) {
      throw new NodeError("inconsistent", `the node sent a log of ${txHash} that was not asked for`);
    }
  }
  const lacking = await readLacking(client, hasBlooms, range);
  const found = [...logs, ...lacking.filter(({ address }) => wanted.has(address))];
  return found.filter(({ contract }) => !listed.includes(contract));
}

/** Reads every transfer of the blocks that the node's index of logs seems to lack. */
async function readLacking(
  client: RpcClient,
  hasBlooms: boolean,
  { from, to }: Range,
): Promise<readonly TransferLog[]> {
  const tried: number[] = [];
  for (let height = Math.ceil(from / TRIED_EVERY) * TRIED_EVERY; height <= to; height += TRIED_EVERY)
    tried.push(height);
  const lacking = await findLacking(client, await readHeaders(client, tried), hasBlooms);
  const transfers: TransferLog[] = [];
  for (const last of lacking) {
    const heights = Array.from({ length: Math.min(TRIED_EVERY, last) }, (_, i) => last - i);
    for (const header of await readHeaders(client, heights)) {
      if (!mayHaveTransfers(header, hasBlooms)) continue;
      const whole = await fetchBlockLogs(client, header, hasBlooms);
      transfers.push(
        ...parseTransferLogs(
          whole.filter((log) => isTransferOf(log)),
          { anyContract: true },
        ),
      );
    }
  }
  return transfers;
}

/** Returns the heights of those blocks that have transfers and none in the index of logs. The index is asked about all in one request. */
async function findLacking(
  client: RpcClient,
  tried: readonly EvmBlockHeader[],
  hasBlooms: boolean,
): Promise<readonly number[]> {
  const asked = tried.filter((header) => mayHaveTransfers(header, hasBlooms));
  const answers = await client.batch(
    asked.map(({ hash }) => ({
      method: "eth_getLogs",
      params: [{ topics: [TRANSFER_TOPIC], blockHash: hash }],
    })),
  );
  const lacking: number[] = [];
  for (const [i, header] of asked.entries()) {
    const answer = answers[i];
    if (Array.isArray(answer) && answer.length > 0) continue;
    const whole = await fetchBlockLogs(client, header, hasBlooms);
    if (whole.some((log) => isTransferOf(log))) lacking.push(header.height);
  }
  return lacking;
}

async function readHeaders(
  client: RpcClient,
  heights: readonly number[],
): Promise<readonly EvmBlockHeader[]> {
  const headers = heights.length > 0 ? await fetchEvmHeaders(client, heights) : [];
  return headers.map((header, i) => {
    if (header !== null) return header;
    throw new NodeError("inconsistent", `the node does not have block ${heights[i]}`);
  });
}
