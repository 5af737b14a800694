import { TOKENS } from "#lib/platform/money/tokens.ts";
import type { PaymentRequest } from "../addresses.ts";
import { PLAIN_FORKS, type ScanResult } from "../blocks.ts";
import { getFinalHeight } from "../finality-rules.ts";
import type { AdapterTools, NetworkAdapter, NetworkConfig } from "../network.ts";
import type { NetworkData } from "../network-data.ts";
import type { NodeClient } from "../node-client.ts";
import { type NodePool, openNodePool } from "../node-pool.ts";
import type { NodeReader } from "../pool-node.ts";
import { openJoiningClient, openRpcClient, type RpcClient } from "../rpc-client.ts";
import { shareSending } from "../share-sending.ts";
import type { TransactionRecord, Transactions } from "../transactions.ts";
import type { ChainTransfer } from "../transfers.ts";
import { type ChainToken, toChainUnits } from "../units.ts";
import { createUnreadableReport, type ReportUnreadable } from "../unreadable.ts";
import { checkEvmIdentity, fetchEvmHead } from "./chain-state.ts";
import type { EvmBlockHeader } from "./codec.ts";
import { createEvmAddressDeriver, deriveHotAccount } from "./derive-address.ts";
import { ETHEREUM, type EvmDialect } from "./dialect.ts";
import { fetchEvmAddressBalances } from "./fetch-address-balances.ts";
import {
  fetchEvmCost,
  fetchEvmNetworkFee,
  fetchEvmPayments,
  hasTransactionExpired,
} from "./fetch-payments.ts";
import { fetchEvmTransactionStatus, fetchReceipt } from "./fetch-receipt.ts";
import { fetchChainHeaders } from "./headers.ts";
import { listEvmProbeQuestions } from "./list-probe-questions.ts";
import { type EvmTokens, keepReceived, readEvmTokens } from "./listed-tokens.ts";
import { openSecondLook, type SecondLook } from "./look-again.ts";
import type { BlocksAhead, NativeNode } from "./native-reader.ts";
import { scanTokenTransfers, scanUnlistedTokens } from "./scan-transfers.ts";
import { broadcastRaw, type EvmSending, fetchBalances, fetchNonces, fetchSendState } from "./sending.ts";
import { callWithCode, fetchAccounts } from "./sweeping.ts";

const TIMEOUT_MS = 10_000;
/** A large block takes a node that long. */
const TRACE_TIMEOUT_MS = 70_000;

/**
 * An EVM network: ERC-20 tokens by contract, and its own coin where the network's data lists it. Throws on
 * an account key that is not public, and on data without a token in the environment.
 */
export function openEvmAdapter(
  config: NetworkConfig,
  data: NetworkData,
  tools: AdapterTools = {},
): NetworkAdapter {
  return openEvmLikeAdapter(config, data, ETHEREUM, tools);
}

/** As openEvmAdapter, for any chain whose tokens log their transfers as ERC-20 does. */
export function openEvmLikeAdapter(
  config: NetworkConfig,
  data: NetworkData,
  dialect: EvmDialect,
  tools: AdapterTools,
): NetworkAdapter {
  const { env, network, accountKey } = config;
  const chainId = data.chainId?.[env];
  if (chainId === undefined) throw new Error(`${network} has no chain id`);
  const tokens = readEvmTokens(data, env, dialect);
  const readsTraces = config.traces ?? false;
  const isFeeMoney = openFeeMoneyCheck(dialect, accountKey);
  const reportUnreadable = createUnreadableReport({ env, network }, tools);
  const secondLook = openSecondLook(data);
  const chain = { data, chainId, tokens, dialect, reportUnreadable, readsTraces, isFeeMoney, secondLook };
  const pool = openNodePool({
    scope: { env, network },
    urls: config.rpcUrls.map(dialect.toRpcUrl),
    walletUrls: config.walletUrls,
    read: (line) => readNode(line, chain),
    timeoutMs: TIMEOUT_MS,
    headers: config.rpcHeaders,
    perSecond: config.rpcBudget,
    blockSeconds: data.blockSeconds,
    ...tools,
  });
  const derive = createEvmAddressDeriver(accountKey, data.accountPath);
  const readTransfer = createTransferReader(network, tokens, dialect);
  return {
    env,
    network,
    data,
    accountKey,
    addresses: {
      derive(index) {
        const { address, path } = derive(index);
        return { address: dialect.fromHex(address), path };
      },
      canonicalize: dialect.canonicalizeAddress,
      display: dialect.displayAddress,
      buildPaymentUri(request) {
        const { to, amount, contract } = readTransfer(request);
        return dialect.buildPaymentUri(to, amount, chainId, contract);
      },
      buildWalletTransfer: (request) =>
        dialect.buildWalletTransfer({ ...readTransfer(request), data, env, chainId }),
      tags: null,
      outputs: null,
    },
    missesContracts: dialect.tracesMoves && !readsTraces,
    ...pool.reader,
    nodes: pool,
    addressWatch: secondLook,
    mempool: null,
    news: null,
    sending:
      dialect.openSending?.({ accountKey, pool, tokens }) ??
      openSending(accountKey, pool, { chainId, finality: data.finality, tokens }),
  };
}

/** Returns a function from a payment in ledger units to the transfer that makes it. */
function createTransferReader(network: string, tokens: EvmTokens, dialect: EvmDialect) {
  return ({ address, token, amount }: PaymentRequest) => {
    const listed = tokens.contracts.find((entry) => entry.token === token);
    const asked = listed ?? (tokens.coin?.token === token ? tokens.coin : null);
    if (!asked) throw new Error(`${token} is not received on ${network}`);
    const contract = listed ? dialect.fromHex(listed.contract) : null;
    return { to: address, amount: toChainUnits(amount, asked), contract };
  };
}

function openSending(
  accountKey: string,
  pool: NodePool<ReturnType<typeof readNode>>,
  { chainId, finality, tokens }: Pick<EvmChain, "chainId" | "tokens"> & Pick<NetworkData, "finality">,
): EvmSending {
  return {
    kind: "evm",
    chainId,
    findToken(token) {
      const listed = tokens.contracts.find((one) => one.token === token);
      if (listed !== undefined) return listed;
      return tokens.coin?.token === token ? { contract: null, decimals: tokens.coin.decimals } : null;
    },
    hotAccount: () => deriveHotAccount(accountKey),
    ...shareSending(pool, ({ client }) => readForSending(client, tokens)),
    fetchFinalNonces: async (account, height) =>
      (await pool.askEach(({ client }) => fetchNonces(client, account, height))).flatMap((answer) =>
        answer.ok ? answer.result.upTo : [],
      ),
    async fetchSettledNonce(account, height) {
      const answers = await pool.askEach(async ({ client, blocks }) => {
        const own = getFinalHeight(finality, await blocks.fetchHead());
        return (await fetchNonces(client, account, Math.min(height, own))).upTo;
      });
      const said = answers.flatMap((answer) => (answer.ok ? answer.result : []));
      return said.length === 0 ? 0 : Math.min(...said);
    },
  };
}

/**
 * Where deposit addresses pay for their own sweeps, the hot account sends them coins. That is not a payment of a customer, and no one may be
 * credited with it.
 */
function openFeeMoneyCheck(dialect: EvmDialect, accountKey: string): (transfer: ChainTransfer) => boolean {
  let hot: string | undefined;
  return ({ sender }) => {
    if (!dialect.openSending || sender === null) return false;
    hot ??= dialect.fromHex(deriveHotAccount(accountKey));
    return sender === hot;
  };
}

const dropTransfers = <T extends Pick<ScanResult, "transfers">>(
  scan: T,
  isDropped: (transfer: ChainTransfer) => boolean,
): T => ({
  ...scan,
  transfers: scan.transfers.filter((transfer) => !isDropped(transfer)),
});

/** The data that all nodes of a network share. */
interface EvmChain {
  readonly data: NetworkData;
  readonly chainId: number;
  readonly tokens: EvmTokens;
  readonly dialect: EvmDialect;
  readonly reportUnreadable: ReportUnreadable;
  readonly readsTraces: boolean;
  readonly isFeeMoney: (transfer: ChainTransfer) => boolean;
  readonly secondLook: SecondLook;
}

/** Reads one node. */
function readNode(line: NodeClient, chain: EvmChain) {
  const { data, chainId, tokens, dialect, reportUnreadable, readsTraces, isFeeMoney, secondLook } = chain;
  const client = openRpcClient(line);
  let newest: EvmBlockHeader | null = null;
  let ahead: BlocksAhead | null = null;
  const tracing = readsTraces ? openRpcClient(line.withTimeout(TRACE_TIMEOUT_MS)) : null;
  const joining = openJoiningClient(line);
  const known = { knownHead: () => newest, ahead: () => ahead };
  const node = { line, client, joining, reportUnreadable, tracing, ...known };
  const source = { node, chainId, tokens, dialect };
  const held = { client, coin: readCoinOf(data), contracts: tokens.contracts, dialect };
  // Withdrawals may be in any token, and one that is not received is not unlisted.
  const received = keepReceived(tokens, data);
  const checkIdentity = () => checkEvmIdentity(client, chainId, tokens.contracts);
  const reader = {
    blocks: {
      checkIdentity,
      async fetchHead({ finality = true, readUpTo } = {}) {
        const asks = finality && data.finality.kind === "finalized";
        const asksAhead = !asks && readUpTo !== undefined;
        ahead = (asksAhead && (await received.coin?.reader.fetchAhead?.(line, readUpTo))) || null;
        if (ahead !== null) {
          newest = ahead.newest;
          return { height: newest.height, hash: newest.hash, time: newest.time, finalizedHeight: null };
        }
        const { header, ...head } = await fetchEvmHead(client, asks);
        newest = header;
        return head;
      },
      fetchHash: async (height) => (await fetchChainHeaders(client, [height]))[0]?.hash ?? null,
      scan: async (range, ours, options) =>
        dropTransfers(
          await scanTokenTransfers({ ...source, tokens: received }, range, ours, options),
          isFeeMoney,
        ),
      ...PLAIN_FORKS,
    },
    late: {
      async list(height, ours) {
        const late = await secondLook.list({ ...source, tokens: received }, height, ours);
        return dropTransfers(late, isFeeMoney);
      },
    },
    unlistedTokens: { scan: (range, addresses) => scanUnlistedTokens(source, range, addresses) },
    transactions: readTransactions(line, client, {
      chain,
      node,
      coin: held.coin,
      receivesCoin: received.coin !== null,
    }),
    custody: { fetchBalances: (addresses, at) => fetchEvmAddressBalances(held, addresses, at) },
    fees: {
      fetchTransferFee: async () =>
        dialect.fetchTransferFee?.(client) ?? fetchEvmNetworkFee(client, data.coin),
    },
    feeRates: dialect.hasGasPrice ? { fetch: () => fetchEvmNetworkFee(client, data.coin) } : null,
    listProbeQuestions: () => listEvmProbeQuestions({ node, data, tokens: received, dialect, checkIdentity }),
  } satisfies NodeReader;
  return { ...reader, line, client };
}

/** Reads transactions from one node. */
function readTransactions(
  line: NodeClient,
  client: RpcClient,
  given: {
    readonly chain: EvmChain;
    readonly node: NativeNode;
    readonly coin: ChainToken;
    readonly receivesCoin: boolean;
  },
): Transactions {
  const { node, coin, receivesCoin } = given;
  const { data, dialect, tokens } = given.chain;
  return {
    fetchStatus: (txHash) => fetchEvmTransactionStatus(client, dialect.toRpcHash(txHash)),
    fetchPayments: (txHash) => fetchEvmPayments(node, tokens, dialect, txHash),
    fetchCost: (txHash) => fetchEvmCost(node, coin, dialect, txHash),
    hasExpired: (since, height) =>
      hasTransactionExpired(client, {
        expiryMs: dialect.expiryMs,
        blockSeconds: data.blockSeconds,
        since,
        height,
      }),
    // Where the coin is not received, the node needs nothing but its JSON-RPC.
    fetchRecord: (txHash) =>
      receivesCoin && dialect.fetchTransactionRecord
        ? dialect.fetchTransactionRecord(line, txHash)
        : fetchReceiptRecord(
            client,
            dialect.toRpcHash(txHash),
            dialect.fetchTransactionRecord ? "object" : "text",
          ),
  };
}

/** The coin that fees are paid in, also where it is not received. */
function readCoinOf({ coin, tokens }: NetworkData): ChainToken {
  return { token: coin, decimals: tokens[coin]?.decimals ?? TOKENS[coin].ledgerDecimals };
}

/** Opens the signer's requests to one node. */
const readForSending = (
  client: RpcClient,
  tokens: EvmTokens,
): Pick<
  EvmSending,
  "fetchBalances" | "fetchState" | "fetchNonces" | "fetchAccounts" | "callWithCode" | "broadcast"
> => ({
  fetchBalances: (account) => fetchBalances(client, account, tokens),
  fetchState: (transfer) => fetchSendState(client, transfer),
  fetchNonces: (account, height) => fetchNonces(client, account, height),
  fetchAccounts: (addresses) => fetchAccounts(client, addresses),
  callWithCode: (call, code) => callWithCode(client, call, code),
  broadcast: (raw) => broadcastRaw(client, raw),
});

/** A transaction without a block has no receipt yet. */
async function fetchReceiptRecord(
  client: RpcClient,
  txHash: string,
  shownAs: TransactionRecord["shownAs"],
): Promise<TransactionRecord | null> {
  const receipt = await fetchReceipt(client, txHash);
  return receipt === null ? null : { json: JSON.stringify(receipt), shownAs };
}
