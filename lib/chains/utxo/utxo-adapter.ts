import type { Logger } from "pino";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import {
  type ChainReader,
  type Head,
  type NetworkAdapter,
  type NetworkConfig,
  NodeError,
} from "../network.ts";
import { accountPathOf, type NetworkData } from "../network-data.ts";
import { openNodePool } from "../node-pool.ts";
import { canonicalAddress } from "./address.ts";
import { readFields, readHash, readHeight } from "./answers.ts";
import { chainByGenesis, chooseChain, type UtxoChain, type UtxoData, utxoData } from "./chains.ts";
import { type CoreNode, openCoreClient, TIMEOUT_MS } from "./core-client.ts";
import { deriveKeyHashAddresses } from "./derive-address.ts";
import { encoderOf, KEY_HASH_SCRIPTS } from "./key-hash-scripts.ts";
import { listenActivity } from "./listen-activity.ts";
import { lookUpTransaction } from "./look-up-transaction.ts";
import { openMempool } from "./mempool.ts";
import { readNetworkFee } from "./network-fee.ts";
import { readPayments } from "./read-payments.ts";
import { readVerdict } from "./read-verdict.ts";
import { readBlockHashes, scanBlocks } from "./scan-blocks.ts";

/** Least time between two calls to look at once. */
const QUIET_MS = 100;

/**
 * A UTXO network through nodes that speak Core's JSON-RPC (no index and no wallet needed, pruned ones will do).
 * Throws on an account key that is no public one of the network, and on a chain that the environment does not have.
 */
export function openUtxoAdapter(config: NetworkConfig, data: NetworkData, log: Logger): NetworkAdapter {
  const { env, network, accountKey, zmqUrl } = config;
  const family = utxoData(data);
  const chain = chooseChain(family, env, config.chain ?? null);
  const { coinbaseMaturity, blockExtra } = family;
  const coin = { ...nativeCoin(data), blockExtra };
  const encode = encoderOf(family.script, chain);
  const reader = { script: KEY_HASH_SCRIPTS[family.script], encode, ...coin, coinbaseMaturity };
  const mempool = openMempool(reader);
  const canonical = (text: string) => canonicalAddress(text, chain);
  const readNode = (node: CoreNode) =>
    ({
      checkIdentity: () => checkChain(node, family, chain),
      head: () => readHead(node),
      blockHash: async (height: number) => (await readBlockHashes(node, height, height))[0] ?? null,
      scan: (range, ours) => scanBlocks(node, reader, range, ours),
      scanMempool: (ours) => mempool.scan(node, ours),
      verdict: (txHash, seenIn) => readVerdict(node, txHash, seenIn),
      payments: (txHash, seenIn) => readPayments(node, { ...coin, canonical }, txHash, seenIn),
      lookUp: (txHash, seenIn) => lookUpTransaction(node, txHash, seenIn),
      networkFee: () => readNetworkFee(node, data.coin, family),
    }) satisfies ChainReader;
  const pool = openNodePool({
    urls: config.rpcUrls,
    read: (line) => readNode(openCoreClient(line)),
    timeoutMs: TIMEOUT_MS,
    perSecond: config.rpcBudget,
    blockSeconds: data.blockSeconds,
    log: log.child({ env, network }),
  });
  const purposePath = accountPathOf(data, env).split("/").slice(0, 2).join("/");
  const adapter: NetworkAdapter = {
    env,
    network,
    data,
    accountKey,
    showsMempool: true,
    deriveAddress: deriveKeyHashAddresses(accountKey, {
      forms: family.accountKeys[env],
      purposePath,
      encode,
    }),
    canonicalAddress: canonical,
    displayAddress: (canonical) => canonical,
    paymentUri({ address, token, amount }) {
      if (token !== coin.token) throw new Error(`${token} is not received on ${network}`);
      return `${family.uriScheme}:${address}?amount=${formatAmount(amount, TOKENS[token].ledgerDecimals)}`;
    },
    ...pool.reader,
    payments: (txHash, seenIn) => pool.use((node) => node.payments(txHash, seenIn)),
    lookUp: (txHash, seenIn) => pool.use((node) => node.lookUp(txHash, seenIn)),
    networkFee: () => pool.use((node) => node.networkFee()),
    onOneNode: pool.onOneNode,
    nodes: pool.nodes,
  };
  if (zmqUrl === null) return adapter;
  // News has the mempool listed at once, yet never takes more than a tenth of the time.
  const quietMs = () => Math.max(QUIET_MS, 10 * mempool.listMs());
  return { ...adapter, onActivity: (wake) => listenActivity(zmqUrl, wake, quietMs, log) };
}

function nativeCoin(data: NetworkData): { token: TokenCode; decimals: number } {
  for (const [code, token] of Object.entries(data.tokens)) {
    if (token.contract === null) return { token: code as TokenCode, decimals: token.decimals };
  }
  throw new Error(`${data.code} has no coin of its own`);
}

async function checkChain(node: CoreNode, family: UtxoData, chain: UtxoChain): Promise<void> {
  const genesis = readHash("its first block", await node.call("getblockhash", [0]));
  if (genesis === chain.genesis) return;
  const actual = chainByGenesis(family, genesis)?.name ?? "another chain";
  throw new NodeError("wrong_chain", `the node is on ${actual}, not on ${chain.name}`);
}

async function readHead(node: CoreNode): Promise<Head> {
  const info = readFields("its state", await node.call("getblockchaininfo"));
  return {
    height: readHeight("its height", info.blocks),
    hash: readHash("its newest block", info.bestblockhash),
    finalizedHeight: null,
  };
}
