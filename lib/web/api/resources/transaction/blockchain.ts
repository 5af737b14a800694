import { z } from "@hono/zod-openapi";
import { NodeError } from "#lib/chains/network.ts";
import { ALL_NETWORK_CODES } from "#lib/chains/networks.ts";
import { createWatchContext } from "#lib/domain/deposits/open-watch.ts";
import { fetchTransactionRecord } from "#lib/domain/deposits/requery/fetch-transaction-record.ts";
import { requeryTransaction } from "#lib/domain/deposits/requery/requery-transaction.ts";
import type { ApiCaller } from "#lib/domain/merchants/types.ts";
import { type ApiContext, askingEndpoint } from "../../endpoint.ts";
import { success } from "../../envelope.ts";
import { type ApiFailure, failure } from "../../errors.ts";
import { JsonText } from "../../json-text.ts";
import { networkFeeData, networkFeeToJson } from "../network-fee-json.ts";
import { supportedNetworkField } from "../supported-network.ts";

const tag = "Transactions";

/** The lists of docs/service-interface.md: the first holds every network, the others do not. */
const SEARCHED = ALL_NETWORK_CODES;
const REQUERIED = ALL_NETWORK_CODES.filter((code) => code !== "dogecoin");
const WITH_FEES = ALL_NETWORK_CODES.filter((code) => code !== "trc20");

/** What look-ups.ts comes to. */
const AT_ONCE =
  "429 also while two calls of yours that ask this network's nodes, or four of everybody's, are under way.";

const txHash = z.string().openapi({ description: "Transaction hash, as the network writes it." });

/** Endpoint 6. */
const search = askingEndpoint(
  {
    method: "post",
    path: "/transaction/search-blockchain-txhash",
    operationId: "searchBlockchainTransaction",
    tag,
    summary: "Search a transaction on the blockchain",
    description:
      "`data` is what the network's node tells: on erc20, bep20 and base a string that holds the receipt's JSON; else " +
      `an object, with \`txid\` on bitcoin, litecoin, dogecoin and trc20. ${AT_ONCE}`,
    scopes: ["read"],
    body: () => z.object({ tx_hash: txHash, network: supportedNetworkField(SEARCHED) }),
    data: z.union([z.string(), z.looseObject({})]),
    errors: ["not_a_string", "network_not_supported", "transaction_not_found", "network_not_available"],
  },
  async ({ api, caller, input }) => {
    const { merchant, env } = caller;
    const adapter = api.networks.find(env, input.network);
    if (adapter === null) return failure("network_not_available");
    const owner = { merchantId: merchant.id, env };
    const search = () => fetchTransactionRecord(api.database.db, adapter, owner, input.tx_hash);
    const answered = await askNode(api, caller, input.network, search);
    if (!answered.ok) return answered;
    if (answered.value === null) return failure("transaction_not_found");
    const { json, shownAs } = answered.value;
    return success("transaction retrieved successfully", shownAs === "text" ? json : new JsonText(json));
  },
);

/** Endpoint 7. */
const requery = askingEndpoint(
  {
    method: "post",
    path: "/transaction/requery/:network",
    operationId: "requeryTransaction",
    tag,
    summary: "Requery a transaction",
    description:
      "Looks at the chain anew, and credits what it pays the merchant if that was missed and is confirmed. `message`: " +
      `\`transaction confirmed in block 123\` or \`transaction already credited\`. ${AT_ONCE}`,
    scopes: [],
    notFound: "network_not_supported",
    body: () => z.object({ network: supportedNetworkField(REQUERIED), tx_hash: txHash }),
    data: z.null(),
    errors: [
      "not_a_string",
      "network_not_supported",
      "transaction_pending",
      "transaction_skipped",
      "transaction_failed",
      "action_failed",
      "network_not_available",
    ],
  },
  async ({ api, caller, input }) => {
    const { merchant, env } = caller;
    const adapter = api.networks.find(env, input.network);
    if (adapter === null) return failure("network_not_available");
    const watch = createWatchContext(watchDeps(api), adapter);
    const requery = () => requeryTransaction(watch, { merchantId: merchant.id, env }, input.tx_hash);
    const answered = await askNode(api, caller, input.network, requery);
    if (!answered.ok) return answered;
    const result = answered.value;
    if (!result.ok) return failure(result.reason);
    const text =
      result.outcome === "confirmed" ? `confirmed in block ${result.blockHeight}` : "already credited";
    return success(`transaction ${text}`, null);
  },
);

/** Endpoint 8. */
const networkFee = askingEndpoint(
  {
    method: "post",
    path: "/transaction/network-fee",
    operationId: "getNetworkFee",
    tag,
    summary: "Get a network's fee",
    description:
      "What a plain payment costs now, in the network's own coin. bitcoin, litecoin, dogecoin: the node's rate for the next " +
      "two blocks times 141 virtual bytes (one segwit input, two outputs), 226 on dogecoin. erc20, bep20, base: its gas " +
      "price times 65,000 gas, a token transfer to an address new to the token. xrp: what a payment must pay to be in the " +
      `next ledger. solana: one signature and the recent median priority of 50,000 compute units. ${AT_ONCE}`,
    scopes: ["read"],
    body: () => z.object({ network: supportedNetworkField(WITH_FEES) }),
    data: networkFeeData,
    errors: ["not_a_string", "network_not_supported", "network_not_available"],
  },
  async ({ api, caller, input }) => {
    const adapter = api.networks.find(caller.env, input.network);
    const ask = async () => (await adapter?.fetchNetworkFee?.()) ?? null;
    const answered = await askNode(api, caller, input.network, ask);
    if (!answered.ok) return answered;
    if (answered.value === null) return failure("network_not_available");
    const data = networkFeeToJson(input.network, answered.value);
    return success("network fee retrieved successfully", data);
  },
);

export const blockchainEndpoints = [search, requery, networkFee];

/** What a network's nodes answer, unless too much is asked of them already; why none did is for the log alone. */
async function askNode<T>(
  { nodeLookups, log }: ApiContext,
  caller: ApiCaller,
  network: string,
  ask: () => Promise<T>,
): Promise<{ readonly ok: true; readonly value: T } | ApiFailure> {
  try {
    const answered = await nodeLookups.run(caller, network, ask);
    return answered === null ? failure("too_many_requests") : { ok: true, value: answered.value };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    log.warn({ err: error, network }, "no node answered a request");
    return failure("network_not_available");
  }
}

function watchDeps({ database, networks, rates, settings, log, now }: ApiContext) {
  return { database, networks, paymentLinks: { db: database.db, networks, rates, settings }, log, now };
}
