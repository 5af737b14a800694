import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { type ChainHead, PLAIN_FORKS } from "../blocks.ts";
import type { AdapterTools, NetworkAdapter, NetworkConfig } from "../network.ts";
import { isReceived, type NetworkData } from "../network-data.ts";
import type { NetworkFee } from "../network-fee.ts";
import type { NodeClient } from "../node-client.ts";
import { NodeError } from "../node-error.ts";
import { openNodePool } from "../node-pool.ts";
import { parseFields, parseList, parseUint } from "../parse-json.ts";
import type { NodeReader } from "../pool-node.ts";
import { openRpcClient, type RpcClient } from "../rpc-client.ts";
import { toChainUnits } from "../units.ts";
import { createUnreadableReport, type ReportUnreadable } from "../unreadable.ts";
import { buildSolanaPaymentUri, canonicalizeSolanaAddress } from "./address.ts";
import { findCluster, getCluster } from "./chains.ts";
import { fetchSolanaAddressBalances } from "./fetch-address-balances.ts";
import {
  FINALIZED,
  fetchBlockHeader,
  fetchSlots,
  fetchSolanaBlockHash,
  missingBlockError,
} from "./fetch-blocks.ts";
import {
  fetchSolanaCost,
  fetchSolanaPayments,
  fetchSolanaTransactionRecord,
  fetchSolanaTransactionStatus,
} from "./fetch-transaction.ts";
import { listSolanaProbeQuestions } from "./list-probe-questions.ts";
import type { SolanaToken } from "./match-balances.ts";
import { readKey, type SolanaBlockHeader } from "./parse-block.ts";
import { listLatePayments, type SolanaSource, scanSolanaBlocks } from "./scan-blocks.ts";
import { openSolanaSending } from "./sending.ts";
import { openWatchedSlots, type Watched, type WatchedSlots } from "./watched-slots.ts";

/** Lamports for each signature, set by the protocol. A payment has one signature. */
const SIGNATURE_FEE = 5_000n;
/** A token transfer that creates the receiver's token account uses fewer compute units than this. */
const TRANSFER_UNITS = 50_000n;
const MICRO_LAMPORTS = 1_000_000n;
/** A block of the main network is several megabytes. */
const TIMEOUT_MS = 20_000;

/**
 * Solana: SOL and the listed tokens by mint, in final blocks only. A token without a mint in the environment
 * is not received there. Throws on an invalid mint, and on a chain that the environment does not have.
 */
export function openSolanaAdapter(
  config: NetworkConfig,
  data: NetworkData,
  tools: AdapterTools,
): NetworkAdapter {
  const { env, network } = config;
  const cluster = getCluster(env, config.chain ?? null);
  const tokens = listTokens(data, config);
  const reportUnreadable = createUnreadableReport({ env, network }, tools);
  const mints = new Set(tokens.flatMap(({ token, mint }) => (isReceived(data, token) && mint) || []));
  const scope = { env, network };
  tools.counters?.givenUp.inc(scope, 0);
  const countGivenUp = () => tools.counters?.givenUp.inc(scope);
  const watched: Watched = { book: null, mints, log: tools.log, countGivenUp };
  const slotsOf = createSlotsByNode(watched);
  const askOthers = async <T>(
    slots: WatchedSlots,
    ask: (other: SolanaSource) => Promise<T>,
  ): Promise<T | null> => {
    const answers = await pool.askWorking(({ source }) =>
      source.watched === slots ? Promise.reject(new NodeError("refused", "asked before")) : ask(source),
    );
    return answers.find((answer) => answer.ok)?.result ?? null;
  };
  const pool = openNodePool({
    scope,
    urls: config.rpcUrls,
    read: (line) =>
      readNode(line, { cluster, tokens, data, reportUnreadable, watched: slotsOf(line), askOthers }),
    timeoutMs: TIMEOUT_MS,
    headers: config.rpcHeaders,
    perSecond: config.rpcBudget,
    blockSeconds: data.blockSeconds,
    ...tools,
  });
  return {
    env,
    network,
    data,
    accountKey: "",
    addresses: {
      derive() {
        throw new Error(`addresses of ${network} come out of a pool`);
      },
      canonicalize: canonicalizeSolanaAddress,
      display: (canonical) => canonical,
      buildPaymentUri({ address, token, amount }) {
        const listed = tokens.find((entry) => entry.token === token);
        if (!listed) throw new Error(`${token} is not received on ${network}`);
        return buildSolanaPaymentUri(address, toChainUnits(amount, listed), listed);
      },
      buildWalletTransfer: () => null,
      tags: null,
      outputs: null,
    },
    missesContracts: false,
    ...pool.reader,
    nodes: pool,
    addressWatch: {
      watch(book) {
        watched.book = book;
      },
    },
    mempool: null,
    news: null,
    sending: openSolanaSending(tokens, pool),
  };
}

interface Chain {
  readonly cluster: string;
  readonly tokens: readonly SolanaToken[];
  readonly data: NetworkData;
  readonly reportUnreadable: ReportUnreadable;
  readonly watched: WatchedSlots;
  /** Asks the nodes that have other findings than these. */
  readonly askOthers: <T>(
    watched: WatchedSlots,
    ask: (other: SolanaSource) => Promise<T>,
  ) => Promise<T | null>;
}

/** Keeps the findings about a node between requests, which each open a client of it. */
function createSlotsByNode(watched: Watched): (line: NodeClient) => WatchedSlots {
  // A node's learned sizes are one object for all its clients.
  const byNode = new WeakMap<object, WatchedSlots>();
  return ({ sizes }) => {
    const slots = byNode.get(sizes) ?? openWatchedSlots(watched);
    byNode.set(sizes, slots);
    return slots;
  };
}

/** Reads one node. */
function readNode(line: NodeClient, { cluster, tokens, data, reportUnreadable, watched, askOthers }: Chain) {
  const client = openRpcClient(line);
  // Withdrawals may be in any token.
  const received = tokens.filter(({ token }) => isReceived(data, token));
  const source: SolanaSource = {
    client,
    tokens: received,
    reportUnreadable,
    watched,
    askOthers: (ask) => askOthers(watched, ask),
  };
  const reader = {
    blocks: {
      checkIdentity: () => checkIdentity(client, cluster, tokens),
      async fetchHead() {
        watched.head = await readHead(client);
        return headOf(watched.head);
      },
      fetchHash: (slot) => fetchSolanaBlockHash(client, slot),
      scan: (range, ours, options) => scanSolanaBlocks(source, range, ours, options),
      ...PLAIN_FORKS,
    },
    late: { list: (slot, ours) => listLatePayments(source, slot, ours) },
    transactions: {
      fetchStatus: (txHash) => fetchSolanaTransactionStatus(client, txHash),
      fetchPayments: (txHash) => fetchSolanaPayments(client, tokens, txHash),
      fetchCost: (txHash) => fetchSolanaCost(client, tokens, txHash),
      fetchRecord: (txHash) => fetchSolanaTransactionRecord(client, txHash),
      hasExpired: async () => false,
    },
    custody: { fetchBalances: (addresses) => fetchSolanaAddressBalances(client, tokens, addresses) },
    fees: { fetchTransferFee: () => fetchSolanaNetworkFee(client, data.coin) },
    feeRates: { fetch: () => fetchSolanaNetworkFee(client, data.coin) },
    unlistedTokens: null,
    listProbeQuestions: () =>
      listSolanaProbeQuestions(line, client, {
        mints: new Set(received.flatMap(({ mint }) => mint ?? [])),
        checkIdentity: () => checkIdentity(client, cluster, tokens),
      }),
  } satisfies NodeReader;
  return { ...reader, client, source };
}

function listTokens(data: NetworkData, { env, network }: NetworkConfig): readonly SolanaToken[] {
  return Object.entries(data.tokens).flatMap(([code, { contract, decimals }]) => {
    const token = code as TokenCode;
    if (contract === null) return { token, mint: null, decimals };
    const mint = contract[env];
    if (mint === null) return [];
    if (canonicalizeSolanaAddress(mint) === null) throw new Error(`${network} has no valid mint of ${token}`);
    return { token, mint, decimals };
  });
}

/** Error code for an address without a mint. */
const NO_MINT: ReadonlyMap<unknown, unknown> = new Map([[-32_602, null]]);

async function checkIdentity(
  client: RpcClient,
  cluster: string,
  tokens: readonly SolanaToken[],
): Promise<void> {
  const actual = findCluster(readKey("its genesis", await client.call("getGenesisHash")));
  if (actual !== cluster) throw new NodeError("wrong_chain", `the node is of ${actual}, not of ${cluster}`);
  for (const { token, mint, decimals } of tokens) {
    if (mint === null) continue;
    const [supply] = await client.batch([
      { method: "getTokenSupply", params: [mint, FINALIZED], resultsByErrorCode: NO_MINT },
    ]);
    if (supply === null) throw new NodeError("wrong_chain", `no mint of ${token} at ${mint}`);
    const { value } = parseFields(`the supply of ${token}`, supply);
    const found = parseUint(`the decimals of ${token}`, parseFields("a supply", value).decimals);
    if (found !== decimals) {
      throw new NodeError("wrong_chain", `${token} at ${mint} has ${found} decimals, not ${decimals}`);
    }
  }
}

/**
 * A node can report a slot as final before it has stored it. Within this many slots below, it has a stored
 * block.
 */
const WRITTEN_WITHIN = 16;

/** The newest final block that the node has stored. */
async function readHead(client: RpcClient): Promise<SolanaBlockHeader> {
  const slot = parseUint("its slot", await client.call("getSlot", [FINALIZED]));
  const newest = await fetchBlockHeader(client, slot);
  if (isBlock(newest)) return newest;
  const earlier = await fetchSlots(client, Math.max(0, slot - WRITTEN_WITHIN), Math.max(0, slot - 1));
  const written = await fetchBlockHeader(client, earlier.at(-1) ?? slot);
  if (!isBlock(written)) throw missingBlockError(slot);
  return written;
}

function isBlock(header: SolanaBlockHeader | null | "skipped"): header is SolanaBlockHeader {
  return header !== null && header !== "skipped";
}

function headOf({ slot, hash, time }: SolanaBlockHeader): ChainHead {
  return { height: slot, hash, time, finalizedHeight: slot };
}

/**
 * The cost of a token transfer in lamports: its signature, plus the median of the lowest priority fees in
 * the node's recent blocks. The rent of a new token account is not a fee.
 */
async function fetchSolanaNetworkFee(client: RpcClient, coin: TokenCode): Promise<NetworkFee> {
  const answer = parseList("its recent fees", await client.call("getRecentPrioritizationFees", [[]]));
  const prices = answer
    .map((entry) => parseUint("a recent fee", parseFields("a recent fee", entry).prioritizationFee))
    .sort((a, b) => a - b);
  const price = BigInt(prices[Math.floor(prices.length / 2)] ?? 0);
  const priority = (price * TRANSFER_UNITS + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
  return { kind: "flat", coin, fee: SIGNATURE_FEE + priority };
}
