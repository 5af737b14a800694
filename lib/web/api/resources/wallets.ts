import { z } from "@hono/zod-openapi";
import type { Env } from "#lib/chains/network-data.ts";
import { isNetworkCode, NETWORK_CODES, NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import { findNetworkSettings, listNetworkSettings } from "#lib/domain/settings/queries.ts";
import type { NetworkSettings } from "#lib/domain/settings/types.ts";
import { generateWallet, type WalletCustomer } from "#lib/domain/wallets/generate-wallet.ts";
import {
  countMerchantAddresses,
  defaultPaymentToken,
  listMerchantAddresses,
} from "#lib/domain/wallets/queries.ts";
import { isDatabaseUnavailable } from "#lib/platform/db/availability.ts";
import { isJsonObject, type JsonValue, toJsonNumber } from "#lib/platform/json-text.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { type ApiContext, endpoint, type IdempotentCall, type MerchantCall } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { failure } from "../errors.ts";
import { customField, parseFieldJson, withMissingReason } from "../field-reader.ts";
import { flag, flagField, timestamp } from "../fields/common.ts";
import { CUSTOMER_SHAPE, customerFields } from "../fields/customer.ts";
import { networkField } from "../fields/network.ts";
import { paged, readPageMeta } from "../paging.ts";
import { authorityOf, performAsProgram } from "../perform.ts";

const tag = "Wallets and networks";

const freshField = flagField(
  "1: always a new address, even if an earlier one is unused. In the body or in the query.",
);

/** A value that is not an object is read as an empty object. So every wrong customer gives the same documented error. */
const customer = withMissingReason(
  customField((value) => {
    const details = parseFieldJson(value);
    return { ok: true, value: isJsonObject(details) ? details : {} };
  })
    .pipe(
      customerFields({
        missing: "wallet_customer_field_missing",
        notEmail: "wallet_customer_email_malformed",
      }),
    )
    .openapi({
      ...CUSTOMER_SHAPE,
      description: "email, first_name and last_name. The text of the object is accepted too.",
      example: { email: "ada@example.com", first_name: "Ada", last_name: "Obi" },
    }),
  "field_missing",
);

const generatedData = z
  .object({
    address: z.string().openapi({ example: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }),
    extra: z.string().optional().openapi({
      description: "On xrp, the destination tag of the X-address, for wallets that ask for it separately.",
    }),
  })
  .openapi("GeneratedWallet");
const REPEATED_CALL =
  "A repeated call returns the newest address that has received nothing yet. With `fresh=1` it always allocates a new one.";

/** Endpoint 14. */
export const generateWalletEndpoint = endpoint(
  {
    method: "post",
    path: "/wallets/generate-wallet",
    operationId: "generateWallet",
    tag,
    summary: "Generate a wallet address for a customer",
    description: `The e-mail address, in upper or lower case, identifies the customer. The latest names are stored. ${REPEATED_CALL}`,
    ...authorityOf("address.allocate"),
    body: () => z.object({ network: networkField, customer, fresh: freshField.optional() }),
    query: z.object({ fresh: freshField.optional() }),
    idempotent: true,
    allocates: () => true,
    message: "wallet generated successfully",
    data: generatedData,
    errors: [
      "not_a_string",
      "network_unknown",
      "wallet_customer_field_missing",
      "wallet_customer_email_malformed",
      "not_a_flag",
      "generation_disabled",
      "address_limit_reached",
      "generation_failed",
    ],
  },
  (call) => {
    const { email, first_name: firstName, last_name: lastName } = call.input.customer;
    return generate(call, { email, firstName, lastName });
  },
);

/** Endpoint 15. */
export const generateMerchantWalletEndpoint = endpoint(
  {
    method: "post",
    path: "/wallets/generate-merchant-wallet",
    operationId: "generateMerchantWallet",
    tag,
    summary: "Generate a wallet address for the merchant itself",
    description: REPEATED_CALL,
    ...authorityOf("address.allocate"),
    body: () => z.object({ network: networkField, fresh: freshField.optional() }),
    query: z.object({ fresh: freshField.optional() }),
    idempotent: true,
    allocates: () => true,
    message: "wallet generated successfully",
    data: generatedData,
    errors: [
      "not_a_string",
      "network_unknown",
      "not_a_flag",
      "generation_disabled",
      "address_limit_reached",
      "generation_failed",
    ],
  },
  (call) => generate(call, null),
);

type GenerateCall = MerchantCall<string> &
  IdempotentCall & { readonly input: { readonly network: string; readonly fresh?: boolean | undefined } };

async function generate({ input, ...call }: GenerateCall, customer: WalletCustomer) {
  const { api, caller } = call;
  const { env, merchant } = caller;
  const { network, fresh = false } = input;
  try {
    const request = { networks: api.networks, network, customer, fresh };
    const generated = await performAsProgram(generateWallet, call, request);
    if (!generated.ok) return failure(generated.reason);
    const { address, extra } = generated;
    return success({ address, ...(extra !== null && { extra }) });
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    api.log.error({ err: error, merchantId: merchant.id, env, network }, "wallet generation failed");
    return failure("generation_failed");
  }
}

const addressData = z
  .object({
    address: z.string(),
    network: z.string(),
    total_received: z.number().openapi({
      description:
        "Amount credited to the address so far, in USDT if the network has it in this environment, otherwise in the " +
        "network's own coin.",
    }),
    genesis: flag("1: the merchant's own; 0: of a customer or a payment link."),
    customer: z.string().nullable().openapi({ description: "The customer's e-mail address." }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .openapi("Address");

/** Endpoint 18. */
export const getAddressesEndpoint = endpoint(
  {
    method: "post",
    path: "/wallets/get-addresses",
    operationId: "getAddresses",
    tag,
    summary: "List the merchant's addresses on a network, newest first",
    description: "Its own addresses, those of its customers and those of its payment links.",
    auth: ["read"],
    action: "payments.view",
    body: () => z.object({ network: networkField }),
    paged: "id",
    message: "addresses retrieved successfully",
    data: z.array(addressData),
    errors: ["not_a_string", "network_unknown"],
  },
  async ({ api, caller, input, page }) => {
    const { env, merchant } = caller;
    const { network } = input;
    // The service cannot derive addresses for this network, so it never allocated any.
    if (!isNetworkCode(network)) {
      return success([], await readPageMeta(page, null, async () => 0));
    }
    const scope = { env, network, merchantId: merchant.id };
    const { db } = api.database;
    const adapter = api.networks.find(env, network);
    // An enabled network may have its own token contract in the configuration.
    const token = defaultPaymentToken(adapter?.data ?? NETWORKS[network], env);
    const { ledgerDecimals } = TOKENS[token];
    const { data, meta } = await paged(page, {
      list: (range) => listMerchantAddresses(db, scope, token, range),
      count: () => countMerchantAddresses(db, scope),
      toJson: (row) => ({
        address: adapter?.addresses.display(row.address) ?? row.address,
        network,
        total_received: toJsonNumber(row.totalReceived, ledgerDecimals),
        genesis: Number(row.purpose === "merchant"),
        customer: row.customerEmail,
        created_at: row.createdAt,
        // Only the received amount of an address changes.
        updated_at: row.createdAt,
      }),
    });
    return success(data, meta);
  },
);

const networkData = z
  .object({
    id: z.number().int(),
    network: z.enum(NETWORK_CODES),
    status: flag("1: enabled. 0 if the service has no node or account key for it in this environment."),
    send: flag("1: withdrawals are possible. 0 while `status` is 0, like the next two."),
    receive: flag("1: payments are accepted."),
    generate: flag("1: addresses can be generated."),
    tx_explorer: z.string().openapi({
      description: "URL of a transaction in the block explorer; `{tx}` is replaced by the hash.",
      example: "https://bscscan.com/tx/{tx}",
    }),
    addr_explorer: z.string().openapi({
      description: "URL of an address in the block explorer; `{address}` is replaced by the address.",
      example: "https://bscscan.com/address/{address}",
    }),
    created_at: timestamp,
    updated_at: timestamp,
    deleted_at: timestamp.nullable(),
  })
  .openapi("NetworkConfiguration");

/** Endpoint 16. */
export const getNetworkEndpoint = endpoint(
  {
    method: "post",
    path: "/wallets/get-network",
    operationId: "getNetwork",
    tag,
    summary: "Get the configuration of a network",
    description: "Shows what the network allows now, and its block explorer.",
    auth: ["read"],
    action: "payments.view",
    body: () => z.object({ network: networkField }),
    message: "network retrieved successfully",
    data: networkData,
    errors: ["not_a_string", "network_unknown"],
  },
  async ({ api, caller, input }) => {
    const settings = await findNetworkSettings(api.database.db, caller.env, input.network);
    if (settings === null) return failure("network_unknown");
    return success(networkToJson(api, caller.env, input.network, settings));
  },
);

/** Endpoint 17. */
export const getAllNetworksEndpoint = endpoint(
  {
    method: "post",
    path: "/wallets/get-all-networks",
    operationId: "getAllNetworks",
    tag,
    summary: "Get the configuration of every network",
    description: "All nine networks, including disabled ones.",
    auth: ["read"],
    action: "payments.view",
    body: () => z.object({}),
    message: "networks retrieved successfully",
    data: z.array(networkData),
    errors: [],
  },
  async ({ api, caller }) => {
    const settings = await listNetworkSettings(api.database.db, caller.env);
    // A newer version that starts while this one runs inserts the rows of networks that this one does not know.
    return success(
      settings.flatMap((row) =>
        isNetworkCode(row.network) ? [networkToJson(api, caller.env, row.network, row)] : [],
      ),
    );
  },
);

/** A flag is 1 if the operator allows the use and a node and an account key are configured. */
function networkToJson(edge: ApiContext, env: Env, network: NetworkCode, row: NetworkSettings): JsonValue {
  const enabled = row.status && edge.networks.find(env, network) !== null;
  const explorer = NETWORKS[network].explorer[env];
  return {
    id: row.id,
    network,
    status: Number(enabled),
    send: Number(enabled && row.send),
    receive: Number(enabled && row.receive),
    generate: Number(enabled && row.generate),
    tx_explorer: explorer.tx,
    addr_explorer: explorer.address,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    deleted_at: null,
  };
}
