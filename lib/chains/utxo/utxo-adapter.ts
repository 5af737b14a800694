import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { Addresses, AddressOutputs } from "../addresses.ts";
import type { ChainHead } from "../blocks.ts";
import { openElectrumReader } from "../electrum/electrum-reader.ts";
import { isElectrumUrl } from "../electrum/server-url.ts";
import type { NewsFeed } from "../mempool-reader.ts";
import type { AdapterTools, ChainReader, NetworkAdapter, NetworkConfig } from "../network.ts";
import type { UtxoChain, UtxoData } from "../network-data.ts";
import { getAccountPath, type NetworkData } from "../network-data.ts";
import { NodeError } from "../node-error.ts";
import { type NodePool, openNodePool } from "../node-pool.ts";
import { parseFields, parseUint } from "../parse-json.ts";
import type { NodeReader } from "../pool-node.ts";
import { shareSending } from "../share-sending.ts";
import { toLedgerUnits } from "../units.ts";
import { canonicalizeUtxoAddress } from "./address.ts";
import { parseUtxoTransaction } from "./block.ts";
import { findChainByGenesis, getUtxoChain, getUtxoData } from "./chains.ts";
import { type CoreNode, getResult, NOT_FOUND, openCoreClient, TIMEOUT_MS } from "./core-client.ts";
import { deriveKeyHashAddresses } from "./derive-address.ts";
import { fetchUtxoAddressBalances, SCAN_TIMEOUT_MS } from "./fetch-address-balances.ts";
import { fetchUtxoCost } from "./fetch-cost.ts";
import { fetchUtxoPayments } from "./fetch-payments.ts";
import { fetchUtxoTransactionRecord, fetchUtxoTransactionStatus } from "./fetch-transaction.ts";
import { createKeyHashEncoder, KEY_HASH_SCRIPTS } from "./key-hash-scripts.ts";
import { listUtxoProbeQuestions } from "./list-probe-questions.ts";
import { listenActivity } from "./listen-activity.ts";
import type { OutputReader } from "./match-outputs.ts";
import { openMempool } from "./mempool.ts";
import { holdMempoolChanges, type MempoolChanges } from "./mempool-changes.ts";
import { fetchUtxoNetworkFee } from "./network-fee.ts";
import { parseHash, parseHex } from "./parse-json.ts";
import { fetchBlockHashes, scanUtxoBlocks } from "./scan-blocks.ts";
import { broadcastRaw, fetchSendState, fetchUnspent, findRefusal, type UtxoSending } from "./sending.ts";

/** Minimum time between two wakes. */
const QUIET_MS = 100;

/**
 * A UTXO network whose nodes have Core's JSON-RPC. They need no index and no wallet, and may be pruned.
 * Throws on an account key that is not a public key of the network, and on a chain that the environment does
 * not have.
 */
export function openUtxoAdapter(
  config: NetworkConfig,
  data: NetworkData,
  tools: AdapterTools,
): NetworkAdapter {
  const { env, network, zmqUrl } = config;
  const family = getUtxoData(data);
  const chain = getUtxoChain(family, env, config.chain ?? null);
  const { blockExtra, coinbaseMaturity } = family;
  const coin = { ...nativeCoin(data), blockExtra, coinbaseMaturity };
  const encode = createKeyHashEncoder(family.script, chain);
  const reader = { script: KEY_HASH_SCRIPTS[family.script], encode, ...coin };
  const addresses = describeAddresses(config, data, { chain, reader });
  const described = { env, network, data, accountKey: config.accountKey, addresses, missesContracts: false };
  if (config.rpcUrls.some(isElectrumUrl)) {
    return { ...described, ...openElectrumReader(config, { data, family, chain, reader }, tools) };
  }
  const changes = holdMempoolChanges();
  const mempool = openMempool(reader, (name) => (name === pool.report()[0]?.name ? changes : null));
  const readNode = (node: CoreNode, slow: CoreNode) => {
    const one = {
      blocks: {
        checkIdentity: () => checkChain(node, family, chain),
        fetchHead: openHeadReader(node),
        fetchHash: async (height) => (await fetchBlockHashes(node, height, height))[0] ?? null,
        scan: (range, ours) => scanUtxoBlocks(node, reader, range, ours),
        hasMoreWork: ({ hash }) => hasMoreWork(node, hash),
        readAgainAbove: async () => {},
      },
      late: null,
      transactions: {
        fetchStatus: (txHash, block) => fetchUtxoTransactionStatus(node, txHash, block),
        fetchPayments: (txHash, block) => fetchUtxoPayments(node, { ...coin, chain }, txHash, block),
        fetchCost: (txHash, recorded) => fetchUtxoCost(node, coin, txHash, recorded),
        fetchRecord: (txHash, block) => fetchUtxoTransactionRecord(node, txHash, block),
        hasExpired: async () => false,
      },
      custody: { fetchBalances: (page) => fetchUtxoAddressBalances(slow, { chain, reader }, page) },
      fees: { fetchTransferFee: () => fetchUtxoNetworkFee(node, data.coin, family) },
      feeRates: { fetch: () => fetchUtxoNetworkFee(node, data.coin, family) },
      unlistedTokens: null,
      listProbeQuestions: () =>
        listUtxoProbeQuestions(node, blockExtra, () => checkChain(node, family, chain)),
    } satisfies NodeReader;
    return { ...one, node };
  };
  const pool = openNodePool({
    scope: { env, network },
    urls: config.rpcUrls,
    read: (line) => readNode(openCoreClient(line), openCoreClient(line.withTimeout(SCAN_TIMEOUT_MS))),
    timeoutMs: TIMEOUT_MS,
    headers: config.rpcHeaders,
    perSecond: config.rpcBudget,
    blockSeconds: data.blockSeconds,
    ...tools,
  });
  return {
    ...described,
    ...pool.reader,
    nodes: pool,
    addressWatch: null,
    mempool: {
      readStep: (step) =>
        pool.alongsideWork(step.signal, ({ node }, name) => mempool.readStep(node, name, step)),
    },
    news: zmqUrl === null ? null : openNews(zmqUrl, changes, tools),
    sending: openSending(pool, { chain, family, coin }),
  };
}

const openNews = (zmqUrl: string, changes: MempoolChanges, { log }: AdapterTools): NewsFeed => ({
  listen: (wake) => listenActivity(zmqUrl, wake, { quietMs: QUIET_MS, changes, log }),
});

function openSending(
  pool: NodePool<ChainReader & { readonly node: CoreNode }>,
  given: Pick<UtxoSending, "chain" | "family" | "coin">,
): UtxoSending {
  return {
    kind: "utxo",
    ...given,
    hotAccount: () => null,
    ...shareSending(pool, ({ node }) => readForSending(node, given.family)),
  };
}

/** Opens the signer's requests to one node. */
const readForSending = (
  node: CoreNode,
  family: UtxoData,
): Pick<UtxoSending, "fetchState" | "fetchUnspent" | "findRefusal" | "broadcast"> => ({
  fetchState: () => fetchSendState(node, family),
  fetchUnspent: (outpoints, options) => fetchUnspent(node, outpoints, options),
  findRefusal: (unsigned) => findRefusal(node, unsigned),
  broadcast: (raw) => broadcastRaw(node, raw),
});

function describeAddresses(
  { env, network, accountKey }: NetworkConfig,
  data: NetworkData,
  { chain, reader }: { chain: UtxoChain; reader: OutputReader },
): Addresses {
  const { encode, token: coin } = reader;
  const { accountKeys, uriScheme } = getUtxoData(data);
  const purposePath = getAccountPath(data, env).split("/").slice(0, 2).join("/");
  const derive = deriveKeyHashAddresses(accountKey, { forms: accountKeys[env], purposePath, encode });
  return {
    derive: (index) => derive(index),
    canonicalize: (text) => canonicalizeUtxoAddress(text, chain),
    display: (canonical) => canonical,
    buildPaymentUri({ address, token, amount }) {
      if (token !== coin) throw new Error(`${token} is not received on ${network}`);
      return `${uriScheme}:${address}?amount=${formatAmount(amount, TOKENS[token].ledgerDecimals)}`;
    },
    buildWalletTransfer: () => null,
    tags: null,
    outputs: {
      deriveChange: (index) => derive(index, 1).address,
      read: (raw) => readOutputs(raw, reader),
    },
  };
}

/** See AddressOutputs. */
function readOutputs(raw: string, reader: OutputReader): ReturnType<AddressOutputs["read"]> {
  const bytes = parseHex("a stored transaction", raw);
  const { matches, length, hashAt } = reader.script;
  return parseUtxoTransaction(bytes, reader.blockExtra).outputs.map(
    ({ satoshis, scriptAt, scriptLength }) => ({
      address:
        scriptLength === length && matches(bytes, scriptAt) ? reader.encode(bytes, scriptAt + hashAt) : null,
      amount: toLedgerUnits(satoshis, reader),
    }),
  );
}

function nativeCoin(data: NetworkData): { token: TokenCode; decimals: number } {
  for (const [code, token] of Object.entries(data.tokens)) {
    if (token.contract === null) return { token: code as TokenCode, decimals: token.decimals };
  }
  throw new Error(`${data.code} has no coin of its own`);
}

async function checkChain(node: CoreNode, family: UtxoData, chain: UtxoChain): Promise<void> {
  const genesis = parseHash("its first block", await node.call("getblockhash", [0]));
  if (genesis === chain.genesis) return;
  const actual = findChainByGenesis(family, genesis)?.name ?? "another chain";
  throw new NodeError("wrong_chain", `the node is on ${actual}, not on ${chain.name}`);
}

/**
 * Returns whether the node's chain has more work than the one up to this block, which the node knows and which is not in its chain. A node
 * that lacks the block, or is on its way to it, has not replaced it.
 */
async function hasMoreWork(node: CoreNode, hash: string): Promise<boolean> {
  const [header, state] = await node.batch([
    { method: "getblockheader", params: [hash] },
    { method: "getblockchaininfo", params: [] },
  ]);
  if (header?.ok === false && header.code === NOT_FOUND) return false;
  const block = parseFields("a block's header", getResult(header, "getblockheader"));
  const { chainwork } = parseFields("its state", getResult(state, "getblockchaininfo"));
  return block.confirmations === -1 && parseWork(chainwork) > parseWork(block.chainwork);
}

const parseWork = (value: unknown): bigint => BigInt(`0x${parseHash("the work of a chain", value)}`);

/** Nodes before Bitcoin Core 23 report the time only in the block's header, which is requested once for each block. */
function openHeadReader(node: CoreNode): () => Promise<ChainHead> {
  let newest: { readonly hash: string; readonly time: Date } | null = null;
  return async () => {
    const info = parseFields("its state", await node.call("getblockchaininfo"));
    const hash = parseHash("its newest block", info.bestblockhash);
    const height = parseUint("its height", info.blocks);
    if (newest?.hash !== hash) {
      const header = info.time === undefined ? await node.call("getblockheader", [hash]) : info;
      const { time } = parseFields("its newest block", header);
      newest = { hash, time: new Date(parseUint("a block's time", time) * 1_000) };
    }
    return { height, hash, time: newest.time, finalizedHeight: null };
  };
}
