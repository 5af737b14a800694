import type { Addresses } from "../addresses.ts";
import { PLAIN_FORKS } from "../blocks.ts";
import type { AdapterTools, NetworkAdapter, NetworkConfig } from "../network.ts";
import type { Env, NetworkData } from "../network-data.ts";
import type { NodeClient } from "../node-client.ts";
import { NodeError } from "../node-error.ts";
import { openNodePool } from "../node-pool.ts";
import type { NodeReader } from "../pool-node.ts";
import {
  canonicalizeXrpAddress,
  decodeClassicAddress,
  decodeXAddress,
  encodeXAddress,
  LARGEST_TAG,
  toClassic,
} from "./address.ts";
import {
  fetchXrpAddressBalances,
  fetchXrpCost,
  fetchXrpNetworkFee,
  fetchXrpPayments,
  fetchXrpTransactionRecord,
  fetchXrpTransactionStatus,
} from "./fetch-transaction.ts";
import { listXrpProbeQuestions } from "./list-probe-questions.ts";
import { readObject } from "./parse-ledger.ts";
import { openRippledClient, type RippledClient } from "./rippled-client.ts";
import { fetchLedger, fetchValidatedLedger, scanAccounts } from "./scan-account.ts";
import { openXrpSending } from "./sending.ts";

const TIMEOUT_MS = 10_000;

interface Chain {
  readonly env: Env;
  /** Classic address. */
  readonly account: string;
  /** See NetworkData.chainId. */
  readonly networkId: number;
}

/**
 * The XRP Ledger. One account receives everything. Each allocated address is that account with its own
 * destination tag, written as an X-address. Throws on an invalid account.
 */
export function openXrpAdapter(
  config: NetworkConfig,
  data: NetworkData,
  tools: AdapterTools,
): NetworkAdapter {
  const { env, network, accountKey: account } = config;
  const networkId = data.chainId?.[env];
  if (networkId === undefined) throw new Error(`${network} has no network id`);
  if (decodeClassicAddress(account) === null) throw new Error(`${network} has no valid account`);
  const pool = openNodePool({
    scope: { env, network },
    urls: config.rpcUrls,
    read: (line) => readNode(line, { env, account, networkId }),
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
    accountKey: account,
    addresses: describeAddresses(config, data),
    missesContracts: false,
    ...pool.reader,
    nodes: pool,
    addressWatch: null,
    // No method lists waiting transactions, and they count for nothing before their ledger is validated.
    mempool: null,
    news: null,
    sending: openXrpSending(account, networkId, pool),
  };
}

function describeAddresses(
  { env, network, accountKey: account }: NetworkConfig,
  data: NetworkData,
): Addresses {
  return {
    derive: (index) => deriveAddress(account, env, index),
    canonicalize: (text) => canonicalizeXrpAddress(text, env),
    display: (canonical) => canonical,
    buildPaymentUri({ address, token }) {
      if (data.tokens[token] === undefined) throw new Error(`${token} is not received on ${network}`);
      // Wallets have no common URI. The X-address contains the tag, which must not get lost. The amount is
      // shown next to it.
      return address;
    },
    buildWalletTransfer: () => null,
    tags: {
      collecting: encodeXAddress({ account, tag: null }, env),
      collectingOf: (identity) =>
        encodeXAddress({ account: toClassic(Buffer.from(identity, "hex")), tag: null }, env),
      read(canonical) {
        const { account, tag = null } = decodeXAddress(canonical, env) ?? {};
        return account === undefined || tag === null ? null : { account, tag: tag.toString() };
      },
    },
    outputs: null,
  };
}

/** Tags begin at 1, because some software treats 0 as no tag. Throws when all tags are allocated. */
function deriveAddress(account: string, env: Env, index: number): { address: string; path: string } {
  const tag = index + 1;
  if (!Number.isInteger(index) || index < 0 || tag > LARGEST_TAG) throw new RangeError(`no tag ${tag}`);
  return { address: encodeXAddress({ account, tag }, env), path: `tag ${tag}` };
}

/** Reads one server. */
function readNode(line: NodeClient, { env, account, networkId }: Chain) {
  const client = openRippledClient(line);
  const reader = {
    blocks: {
      checkIdentity: () => checkIdentity(client, account, networkId),
      async fetchHead() {
        const { height, hash, time } = await fetchValidatedLedger(client);
        return { height, hash, time, finalizedHeight: height };
      },
      fetchHash: (height) => readHash(client, height),
      scan: ({ accounts = [], ...range }, ours) => {
        const others = accounts.map((identity) => toClassic(Buffer.from(identity, "hex")));
        return scanAccounts(client, { accounts: [...new Set([account, ...others])], env }, range, ours);
      },
      ...PLAIN_FORKS,
    },
    late: null,
    transactions: {
      fetchStatus: (txHash) => fetchXrpTransactionStatus(client, txHash),
      fetchPayments: (txHash) => fetchXrpPayments(client, env, txHash),
      fetchCost: (txHash) => fetchXrpCost(client, txHash),
      fetchRecord: (txHash) => fetchXrpTransactionRecord(client, txHash),
      hasExpired: async () => false,
    },
    custody: { fetchBalances: (addresses) => fetchXrpAddressBalances(client, env, addresses) },
    fees: { fetchTransferFee: () => fetchXrpNetworkFee(client) },
    feeRates: { fetch: () => fetchXrpNetworkFee(client) },
    unlistedTokens: null,
    listProbeQuestions: () =>
      listXrpProbeQuestions(client, account, () => checkIdentity(client, account, networkId)),
  } satisfies NodeReader;
  return { ...reader, client };
}

/** Null only where the chain is not that long. Throws when this server no longer has the ledger. */
async function readHash(client: RippledClient, height: number): Promise<string | null> {
  const header = await fetchLedger(client, height);
  if (header !== null) return header.hash;
  if ((await fetchValidatedLedger(client)).height < height) return null;
  throw new NodeError("refused", `${client.name} does not hold ledger ${height}`);
}

/** Checks the network's id, and that the account exists: without its reserve not everyone can pay it. */
async function checkIdentity(client: RippledClient, account: string, networkId: number): Promise<void> {
  const info = readObject("its state", (await client.ask("server_info", {}))?.info);
  if (info.network_id !== networkId) {
    const said =
      info.network_id === undefined
        ? "does not say of which network it is"
        : `is of network ${String(info.network_id)}`;
    throw new NodeError("wrong_chain", `the node ${said}, not of ${networkId}`);
  }
  const found = await client.ask("account_info", { account, ledger_index: "validated" }, ["actNotFound"]);
  if (found === null) {
    throw new NodeError(
      "wrong_chain",
      `account ${account} does not exist yet: it begins with its first payment of the reserve`,
    );
  }
}
