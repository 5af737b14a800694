import type { AddressFilter, ScanOptions, ScanResult } from "../blocks.ts";
import { NodeError } from "../node-error.ts";
import type { RpcClient } from "../rpc-client.ts";
import { type ChainTransfer, NO_POSITION, type UnlistedTransfer } from "../transfers.ts";
import { type ChainToken, toLedgerUnits } from "../units.ts";
import { leaveOutOthers } from "../unreadable.ts";
import { CHAIN_ID_CALL, checkChainId } from "./chain-state.ts";
import { type EvmBlockHeader, listLogAddresses, type TransferLog } from "./codec.ts";
import type { EvmDialect } from "./dialect.ts";
import { fetchEvmHeaders } from "./headers.ts";
import type { EvmTokens } from "./listed-tokens.ts";
import type { HexFilter, NativeMovement, NativeNode, NativeScan } from "./native-reader.ts";
import { isNewest, type LogScan, scanLogs } from "./scan-logs.ts";
import { keepSuccessful } from "./scan-native.ts";
import { scanUnlistedLogs } from "./scan-unlisted.ts";

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The node that is read, and how its network lists tokens and writes addresses. */
export interface TransferSource {
  readonly node: NativeNode;
  readonly chainId: number;
  readonly tokens: EvmTokens;
  readonly dialect: EvmDialect;
}

/**
 * See Blocks.scan. Tokens are read from logs. The network's own coin, where it is listed, is read
 * from complete blocks. Their headers then prove the branch of the logs.
 */
export async function scanTokenTransfers(
  { node, chainId, tokens, dialect }: TransferSource,
  range: Range,
  ours: AddressFilter,
  options?: ScanOptions,
): Promise<ScanResult> {
  const owned = hexFilter(dialect, ours);
  const contracts = tokens.contracts.map(({ contract }) => contract);
  const native = tokens.coin?.reader.scanNative(pickReader(node, range), range, owned, {
    ...options,
    contracts,
  });
  // Where blocks show their logs, most need no request for these.
  const shown = tokens.coin?.reader.showsLogs ? await native : undefined;
  const asked = { chainId, contracts, hasBlooms: dialect.hasBlooms };
  const { logs, tip, parentHash, headers, unreadable } =
    shown?.mayPayByLogs === false
      ? await readWithoutLogs(node.client, chainId, shown)
      : await scanLogs(node, asked, range, native);
  const { movements, untraced } = (await native) ?? NO_COIN;
  await leaveOutOthers(unreadable, listLogAddresses, owned, node.reportUnreadable);
  const { client } = node;
  const paid = await keepOurs(client, logs, owned, dialect);
  const transfers = [
    ...movements.map((moved) =>
      toTransfer(dialect, moved, {
        listed: tokens.coin,
        position: moved.position ?? NO_POSITION,
        block: headers.get(moved.blockHeight),
      }),
    ),
    ...(await toTransfers({ client, tokens, dialect }, paid, headers)),
  ].sort((a, b) => (a.block?.height ?? 0) - (b.block?.height ?? 0));
  return { transfers, untraced, tipHash: tip.hash, parentHash };
}

const NO_COIN = { movements: [], untraced: [] } as const;

/** A few blocks are asked for together with their logs. More of them take requests of their own. */
function pickReader(node: NativeNode, range: Range): NativeNode {
  return isNewest(node, range) ? { ...node, client: node.joining } : node;
}

/** The result for blocks of which no log pays us. The chain's id is only asked for where something is to be recorded. */
async function readWithoutLogs(
  client: RpcClient,
  chainId: number,
  { movements, headers }: NativeScan,
): Promise<LogScan> {
  const [first, tip] = [headers[0], headers.at(-1)];
  if (first === undefined || tip === undefined) throw new RangeError("scan: an empty range");
  if (movements.length > 0) checkChainId(await client.call(CHAIN_ID_CALL.method), chainId);
  const byHeight = new Map(headers.map((header) => [header.height, header]));
  return { logs: [], tip, parentHash: first.parentHash, headers: byHeight, unreadable: [] };
}

/** The transfers to our addresses of these logs, which are of blocks that may have been read before. */
export async function readLogTransfers(
  { node: { client }, tokens, dialect }: TransferSource,
  logs: readonly TransferLog[],
  ours: AddressFilter,
): Promise<readonly ChainTransfer[]> {
  const listed = logs.filter(({ contract }) => tokens.contracts.some((one) => one.contract === contract));
  const paid = await keepOurs(client, listed, hexFilter(dialect, ours), dialect);
  return toTransfers({ client, tokens, dialect }, paid, new Map());
}

/** The logs that pay our addresses, of transactions that succeeded. */
async function keepOurs(
  client: RpcClient,
  logs: readonly TransferLog[],
  owned: HexFilter,
  { logsNeedResult }: EvmDialect,
): Promise<readonly TransferLog[]> {
  const known = await owned(logs.map(({ address }) => address));
  const paying = logs.filter(({ address }) => known.has(address));
  return logsNeedResult ? keepSuccessful(client, paying) : paying;
}

async function toTransfers(
  { client, tokens, dialect }: Pick<TransferSource, "tokens" | "dialect"> & { readonly client: RpcClient },
  logs: readonly TransferLog[],
  headers: ReadonlyMap<number, EvmBlockHeader>,
): Promise<readonly ChainTransfer[]> {
  const blocks = await blocksOf(client, logs, headers);
  const byContract = new Map(tokens.contracts.map((token) => [token.contract, token]));
  return logs.map((log) =>
    toTransfer(dialect, log, {
      listed: byContract.get(log.contract),
      position: log.logIndex,
      block: blocks.get(log.blockHeight),
    }),
  );
}

interface TransferDetails {
  readonly listed: ChainToken | null | undefined;
  readonly position: number;
  readonly block: EvmBlockHeader | undefined;
}

function toTransfer(
  dialect: EvmDialect,
  moved: NativeMovement,
  { listed, position, block }: TransferDetails,
): ChainTransfer {
  if (!listed || block?.hash !== moved.blockHash) {
    throw new NodeError("inconsistent", `the block of ${moved.txHash} is not the chain's`);
  }
  return {
    txHash: dialect.fromRpcHash(moved.txHash),
    position,
    token: listed.token,
    address: dialect.fromHex(moved.address),
    sender: dialect.fromHex(moved.sender),
    amount: toLedgerUnits(moved.amount, listed),
    block: { height: block.height, hash: block.hash, time: block.time },
    spends: [],
    unmatchedReason: null,
  };
}

/** The caller's filter for hex addresses. Not called for an empty list. */
function hexFilter(dialect: EvmDialect, ours: AddressFilter): HexFilter {
  return async (addresses) => {
    const canonical = new Map(addresses.map((hex) => [hex, dialect.fromHex(hex)]));
    if (canonical.size === 0) return new Set();
    const known = await ours([...canonical.values()]);
    return new Set([...canonical].flatMap(([hex, address]) => (known.has(address) ? hex : [])));
  };
}

/** See UnlistedTokens.scan. */
export async function scanUnlistedTokens(
  { node, tokens, dialect }: TransferSource,
  range: Range,
  addresses: readonly string[],
): Promise<readonly UnlistedTransfer[]> {
  const contracts = tokens.contracts.map(({ contract }) => contract);
  const asked = { contracts, hasBlooms: dialect.hasBlooms };
  const logs = await scanUnlistedLogs(node.client, asked, addresses.map(dialect.toHex), range);
  return logs.map(({ txHash, logIndex, contract, address, sender, amount, blockHeight, blockHash }) => ({
    txHash: dialect.fromRpcHash(txHash),
    position: logIndex,
    contract: dialect.fromHex(contract),
    address: dialect.fromHex(address),
    sender: dialect.fromHex(sender),
    rawAmount: amount,
    block: { height: blockHeight, hash: blockHash },
  }));
}

/** Fetches the headers of blocks with our payments, because a payment needs its block's time. */
async function blocksOf(
  client: RpcClient,
  logs: readonly TransferLog[],
  read: ReadonlyMap<number, EvmBlockHeader>,
): Promise<ReadonlyMap<number, EvmBlockHeader>> {
  const missing = [...new Set(logs.map(({ blockHeight }) => blockHeight))].filter((h) => !read.has(h));
  const blocks = new Map(read);
  for (let i = 0; i < missing.length; i += 16) {
    for (const header of await fetchEvmHeaders(client, missing.slice(i, i + 16))) {
      if (header) blocks.set(header.height, header);
    }
  }
  return blocks;
}
