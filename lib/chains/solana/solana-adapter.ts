import type { Logger } from "pino";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import {
  type ChainReader,
  type Head,
  type NetworkAdapter,
  type NetworkConfig,
  NodeError,
} from "../network.ts";
import type { NetworkData } from "../network-data.ts";
import { openNodePool } from "../node-pool.ts";
import { openRpcClient, type RpcClient } from "../rpc-client.ts";
import { canonicalAddress, paymentUri } from "./address.ts";
import { type Header, readFields, readInteger, readKey } from "./answers.ts";
import { chooseCluster, clusterOf } from "./chains.ts";
import type { ListedToken } from "./match-balances.ts";
import { readNetworkFee } from "./network-fee.ts";
import { FINALIZED, listSlots, missing, readBlockHash, readBlockHeader } from "./read-blocks.ts";
import { lookUpTransaction, readPayments, readVerdict } from "./read-transaction.ts";
import { scanBlocks } from "./scan-blocks.ts";

/** A block of the main network is some megabytes. */
const TIMEOUT_MS = 20_000;

/**
 * Solana: SOL, and the listed tokens by their mint, in final blocks alone. A token without a mint in the environment is
 * not received there. Throws on a mint that is no address, and on a chain that the environment does not have.
 */
export function openSolanaAdapter(config: NetworkConfig, data: NetworkData, log: Logger): NetworkAdapter {
  const { env, network } = config;
  const cluster = chooseCluster(env, config.chain ?? null);
  const tokens = listTokens(data, config);
  const pool = openNodePool({
    urls: config.rpcUrls,
    read: (line) => readNode(openRpcClient(line), cluster, tokens, data.coin),
    timeoutMs: TIMEOUT_MS,
    perSecond: config.rpcBudget,
    blockSeconds: data.blockSeconds,
    log: log.child({ env, network }),
  });
  return {
    env,
    network,
    data,
    accountKey: "",
    deriveAddress() {
      throw new Error(`addresses of ${network} come out of a pool`);
    },
    canonicalAddress,
    displayAddress: (canonical) => canonical,
    paymentUri({ address, token, amount }) {
      const listed = tokens.find((entry) => entry.token === token);
      if (!listed) throw new Error(`${token} is not received on ${network}`);
      return paymentUri(address, toChainUnits(amount, listed), listed);
    },
    ...pool.reader,
    payments: (txHash) => pool.use((node) => node.payments(txHash)),
    lookUp: (txHash) => pool.use((node) => node.lookUp(txHash)),
    networkFee: () => pool.use((node) => node.networkFee()),
    onOneNode: pool.onOneNode,
    nodes: pool.nodes,
  };
}

/** One node, read. */
function readNode(client: RpcClient, cluster: string, tokens: readonly ListedToken[], coin: TokenCode) {
  return {
    checkIdentity: () => checkIdentity(client, cluster, tokens),
    head: () => readHead(client),
    blockHash: (slot) => readBlockHash(client, slot),
    scan: (range, ours) => scanBlocks(client, tokens, range, ours),
    scanMempool: async () => [],
    verdict: (txHash) => readVerdict(client, txHash),
    payments: (txHash) => readPayments(client, tokens, txHash),
    lookUp: (txHash) => lookUpTransaction(client, txHash),
    networkFee: () => readNetworkFee(client, coin),
  } satisfies ChainReader;
}

function listTokens(data: NetworkData, { env, network }: NetworkConfig): readonly ListedToken[] {
  return Object.entries(data.tokens).flatMap(([code, { contract, decimals }]) => {
    const token = code as TokenCode;
    if (contract === null) return { token, mint: null, decimals };
    const mint = contract[env];
    if (mint === null) return [];
    if (canonicalAddress(mint) === null) throw new Error(`${network} has no valid mint of ${token}`);
    return { token, mint, decimals };
  });
}

/** Ledger units to the chain's, rounded up: a request never asks for less than is due. */
function toChainUnits(amount: bigint, { token, decimals }: ListedToken): bigint {
  const step = 10n ** BigInt(TOKENS[token].ledgerDecimals - decimals);
  return (amount + step - 1n) / step;
}

/** An address that no mint stands at. */
const NO_MINT: ReadonlyMap<unknown, unknown> = new Map([[-32_602, null]]);

async function checkIdentity(
  client: RpcClient,
  cluster: string,
  tokens: readonly ListedToken[],
): Promise<void> {
  const actual = clusterOf(readKey("its genesis", await client.call("getGenesisHash")));
  if (actual !== cluster) throw new NodeError("wrong_chain", `the node is of ${actual}, not of ${cluster}`);
  for (const { token, mint, decimals } of tokens) {
    if (mint === null) continue;
    const [supply] = await client.batch([
      { method: "getTokenSupply", params: [mint, FINALIZED], answers: NO_MINT },
    ]);
    if (supply === null) throw new NodeError("wrong_chain", `no mint of ${token} at ${mint}`);
    const { value } = readFields(`the supply of ${token}`, supply);
    const found = readInteger(`the decimals of ${token}`, readFields("a supply", value).decimals);
    if (found !== decimals) {
      throw new NodeError("wrong_chain", `${token} at ${mint} has ${found} decimals, not ${decimals}`);
    }
  }
}

/** Slots below one that a node calls final and has not written down yet, among which it has one that it has. */
const WRITTEN_WITHIN = 16;

/** The newest final block that the node can show. */
async function readHead(client: RpcClient): Promise<Head> {
  const slot = readInteger("its slot", await client.call("getSlot", [FINALIZED]));
  const newest = await readBlockHeader(client, slot);
  if (isBlock(newest)) return headOf(newest);
  const earlier = await listSlots(client, Math.max(0, slot - WRITTEN_WITHIN), Math.max(0, slot - 1));
  const written = await readBlockHeader(client, earlier.at(-1) ?? slot);
  if (!isBlock(written)) throw missing(slot);
  return headOf(written);
}

function isBlock(header: Header | null | "skipped"): header is Header {
  return header !== null && header !== "skipped";
}

function headOf({ slot, hash }: Header): Head {
  return { height: slot, hash, finalizedHeight: slot };
}
