import { z } from "@hono/zod-openapi";
import { isNetworkCode, NETWORKS } from "#lib/chains/networks.ts";
import { generateWallet, type WalletCustomer } from "#lib/domain/wallets/generate-wallet.ts";
import {
  countAddressesByNetwork,
  countMerchantAddresses,
  defaultPaymentToken,
  listMerchantAddresses,
} from "#lib/domain/wallets/list-merchant-addresses.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { askingListEndpoint, type CreatingCall, creatingEndpoint, readingEndpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { failure } from "../errors.ts";
import { customField, integerEnum, parseFieldJson } from "../field-reader.ts";
import { flagField } from "../fields/common.ts";
import { CUSTOMER_SHAPE, customerFields } from "../fields/customer.ts";
import { networkField } from "../fields/network.ts";
import { isJsonObject, toJsonNumber } from "../json-text.ts";
import { cutPage } from "../paging.ts";
import { networkEndpoints } from "./networks.ts";

const tag = "Wallets and networks";
const moment = z.string().openapi({ format: "date-time" });

const fresh = flagField(
  "1: a new address even though an earlier one is unused. In the body or in the query.",
);

/** What is no object has none of the three: the interface's one text serves whatever is wrong with a customer. */
const customer = customField((value) => {
  const details = parseFieldJson(value);
  return { ok: true, value: isJsonObject(details) ? details : {} };
})
  .pipe(customerFields({ missing: "wallet_customer_field_missing" }))
  .openapi({
    ...CUSTOMER_SHAPE,
    description: "A JSON object, or its text: email, first_name and last_name.",
    example: { email: "ada@example.com", first_name: "Ada", last_name: "Obi" },
  });

const generatedData = z
  .object({
    address: z.string().openapi({ example: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }),
    extra: z.string().optional().openapi({
      description: "On xrp, the destination tag that the X-address holds: for wallets that ask for it apart.",
    }),
  })
  .openapi("GeneratedWallet");
const AGAIN =
  "Asked again, it gives the newest address that nothing has come to yet; with `fresh=1` always a new one.";

/** Endpoint 14. */
const generateForCustomer = creatingEndpoint(
  {
    method: "post",
    path: "/wallets/generate-wallet",
    operationId: "generateWallet",
    tag,
    summary: "Generate a wallet address for a customer",
    description: `A customer is known by the e-mail address; the newest names are kept. ${AGAIN}`,
    scopes: [],
    body: () => z.object({ network: networkField, customer, fresh: fresh.optional() }),
    query: z.object({ fresh: fresh.optional() }),
    data: generatedData,
    errors: [
      "not_a_string",
      "network_unknown",
      "wallet_customer_field_missing",
      "not_a_flag",
      "generation_disabled",
      "generation_failed",
    ],
  },
  (call) => {
    const { email, first_name: firstName, last_name: lastName } = call.input.customer;
    return generate(call, { email, firstName, lastName });
  },
);

/** Endpoint 15. */
const generateForMerchant = creatingEndpoint(
  {
    method: "post",
    path: "/wallets/generate-merchant-wallet",
    operationId: "generateMerchantWallet",
    tag,
    summary: "Generate a wallet address for the merchant itself",
    description: AGAIN,
    scopes: [],
    body: () => z.object({ network: networkField, fresh: fresh.optional() }),
    query: z.object({ fresh: fresh.optional() }),
    data: generatedData,
    errors: ["not_a_string", "network_unknown", "not_a_flag", "generation_disabled", "generation_failed"],
  },
  (call) => generate(call, null),
);

async function generate(
  { api, caller, input, db }: CreatingCall<string, { network: string; fresh?: boolean | undefined }>,
  customer: WalletCustomer,
) {
  const { env, merchant } = caller;
  const { network, fresh = false } = input;
  try {
    const request = { env, network, merchantId: merchant.id, customer, fresh };
    const generated = await generateWallet(db, api.networks, request);
    if (!generated.ok) return failure(generated.reason);
    const { address, extra } = generated;
    return success("wallet generated successfully", { address, ...(extra !== null && { extra }) });
  } catch (error) {
    api.log.error({ err: error, merchantId: merchant.id, env, network }, "a wallet was not generated");
    return failure("generation_failed");
  }
}

const addressData = z
  .object({
    address: z.string(),
    network: z.string(),
    total_received: z.number().openapi({
      description:
        "Everything credited to the address so far in USDT, where the network carries it in this environment; else in " +
        "the network's own coin.",
    }),
    genesis: integerEnum(0, 1).openapi({
      description: "1: the merchant's own; 0: a customer's or a payment link's.",
    }),
    customer: z.string().nullable().openapi({ description: "The customer's e-mail address." }),
    created_at: moment,
    updated_at: moment,
  })
  .openapi("Address");

/** Endpoint 18. */
const list = askingListEndpoint(
  {
    method: "post",
    path: "/wallets/get-addresses",
    operationId: "getAddresses",
    tag,
    summary: "List the merchant's addresses on a network, newest first",
    scopes: ["read"],
    body: () => z.object({ network: networkField }),
    data: z.array(addressData),
    errors: ["not_a_string", "network_unknown"],
  },
  async ({ api, caller, input, page }) => {
    const { env, merchant } = caller;
    const { network } = input;
    // Nothing was ever given out on a network that the service cannot derive addresses for.
    if (!isNetworkCode(network)) {
      return success("addresses retrieved successfully", [], cutPage([], page, page.counted ? 0 : null).meta);
    }
    const scope = { env, network, merchantId: merchant.id };
    const { db } = api.database;
    const adapter = api.networks.find(env, network);
    // A network that is on may have been given a contract of its own.
    const token = defaultPaymentToken(adapter?.data ?? NETWORKS[network], env);
    const asked = { before: page.before, limit: page.limit + 1 };
    const found = await listMerchantAddresses(db, scope, token, asked);
    const total = page.counted ? await countMerchantAddresses(db, scope) : null;
    const { rows, meta } = cutPage(found, page, total);
    const { ledgerDecimals } = TOKENS[token];
    const data = rows.map((row) => ({
      address: adapter?.displayAddress(row.address) ?? row.address,
      network,
      total_received: toJsonNumber(row.totalReceived, ledgerDecimals),
      genesis: Number(row.purpose === "merchant"),
      customer: row.customerEmail,
      created_at: row.createdAt,
      // Nothing about an address ever changes but what it received.
      updated_at: row.createdAt,
    }));
    return success("addresses retrieved successfully", data, meta);
  },
);

const metricsData = z
  .object({
    totalWalletGenerated: z.number().int().openapi({ description: "Addresses given out, for any purpose." }),
    totalDeletedWallets: z
      .number()
      .int()
      .openapi({ description: "Always 0: an address is watched for ever." }),
    breakdownByNetwork: z.array(z.object({ network: z.string(), count: z.number().int() })),
  })
  .openapi("WalletMetrics");

/** Endpoint 13. */
const metrics = readingEndpoint(
  {
    method: "get",
    path: "/analytics/wallet-stats",
    operationId: "getWalletMetrics",
    tag: "Balances",
    summary: "Count the merchant's addresses",
    scopes: ["read"],
    data: metricsData,
    errors: [],
  },
  async ({ api, caller }) => {
    const counts = await countAddressesByNetwork(api.database.db, caller.env, caller.merchant.id);
    return success("wallet statistics retrieved successfully", {
      totalWalletGenerated: counts.reduce((sum, { count }) => sum + count, 0),
      totalDeletedWallets: 0,
      breakdownByNetwork: counts.map(({ network, count }) => ({ network, count })),
    });
  },
);

export const walletEndpoints = [metrics, generateForCustomer, generateForMerchant, ...networkEndpoints, list];
