import { z } from "@hono/zod-openapi";
import { ENVS, isNetworkCode, PAYMENT_PAIRS } from "#lib/networks/networks.ts";
import { createPaymentLink } from "#lib/payment-links/create-payment-link.ts";
import type { NewPaymentLink, Pair, PaymentLinkDeps } from "#lib/payment-links/types.ts";
import { viewPaymentLink } from "#lib/payment-links/view-payment-link.ts";
import { creatingEndpoint, type Edge, publicEndpoint, readingEndpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { failure } from "../errors.ts";
import { amountIn, newPaymentLinkBody } from "./payment-link-fields.ts";
import { createdLinkData, createdLinkToJson, linkData, linkToJson } from "./payment-link-json.ts";

const tag = "Payment links";

/** Endpoint 23. */
const supportedNetworks = publicEndpoint(
  {
    method: "get",
    path: "/payment-links/supported-networks",
    operationId: "getSupportedNetworks",
    tag,
    summary: "Networks and tokens that payment links can be paid with",
    data: z.object({
      supported_networks: z.array(z.object({ network: z.string(), tokens: z.array(z.string()) })),
    }),
    errors: [],
  },
  async ({ edge }) => {
    const on = PAYMENT_PAIRS.filter(({ network }) => ENVS.some((env) => edge.networks.get(env, network)));
    const networks = Map.groupBy(on, (pair) => pair.network);
    return success("supported networks retrieved successfully", {
      supported_networks: [...networks].map(([network, pairs]) => ({
        network,
        tokens: pairs.map(({ token }) => token.toUpperCase()),
      })),
    });
  },
);

/** Endpoint 24. */
const create = creatingEndpoint(
  {
    method: "post",
    path: "/payment-links",
    operationId: "createPaymentLink",
    tag,
    summary: "Create a payment link",
    description:
      "With `wallets`, their addresses are made at once; without, when the customer chooses a network on the page.",
    scopes: ["payment-links"],
    body: newPaymentLinkBody,
    data: createdLinkData,
    errors: [
      "not_a_number",
      "amount_not_positive",
      "amount_too_many_decimals",
      "amount_too_large",
      "customer_not_object",
      "customer_field_missing",
      "not_a_string",
      "unsupported_character",
      "field_too_long",
      "payment_reference_malformed",
      "url_not_https",
      "expires_at_not_future",
      "metadata_not_json",
      "metadata_too_large",
      "currency_not_supported",
      "wallets_not_array",
      "wallet_pair_unsupported",
      "wallet_network_repeated",
      "amount_below_minimum",
      "network_unavailable",
    ],
  },
  async ({ edge, caller, input, now, db }) => {
    const currency = input.amount_currency ?? "ngn";
    const amount = amountIn(currency, input.amount);
    if (!amount.ok) return failure(amount.reason);
    const wallets: Pair[] = [];
    for (const { network, token } of input.wallets ?? []) {
      if (!isNetworkCode(network)) return failure("network_unavailable");
      wallets.push({ network, token });
    }
    const customer = input.customer_details;
    const link: NewPaymentLink = {
      amount: amount.units,
      currency,
      customer: {
        email: customer.email,
        firstName: customer.first_name,
        lastName: customer.last_name,
        phone: customer.phone || null,
      },
      paymentReference: input.payment_reference,
      successUrl: input.success_url,
      cancelUrl: input.cancel_url,
      expiresAt: input.expires_at ?? null,
      metadata: input.metadata ?? null,
      wallets,
    };
    const created = await createPaymentLink(db, linkDeps(edge), caller, link, now);
    if (!created.ok) return failure(created.reason);
    return success("payment link generated successfully", createdLinkToJson(created.link));
  },
);

const read = readingEndpoint(
  {
    method: "get",
    path: "/payment-links/:refid",
    operationId: "getPaymentLink",
    tag,
    summary: "Read a payment link: its state, quotes and payments",
    scopes: ["read", "payment-links"],
    data: linkData,
    errors: ["link_not_found"],
  },
  async ({ edge, caller, path, now }) => {
    const owner = { merchantId: caller.merchant.id, env: caller.env };
    const link = await viewPaymentLink(linkDeps(edge), path.refid, now, owner);
    if (link === null) return failure("link_not_found");
    return success("payment link retrieved successfully", linkToJson(link));
  },
);

export const paymentLinkEndpoints = [supportedNetworks, create, read];

function linkDeps({ database, networks, rates, settings }: Edge): PaymentLinkDeps {
  return { db: database.db, networks, rates, settings };
}
