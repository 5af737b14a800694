import { z } from "@hono/zod-openapi";
import { ENVS, findReceivedToken } from "#lib/chains/network-data.ts";
import { DEFAULT_PAIRS } from "#lib/chains/networks.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import { merchantPairs } from "#lib/domain/payment-links/availability-rules.ts";
import { createPaymentLink } from "#lib/domain/payment-links/create/create-payment-link.ts";
import { type ItemsProblem, readItems } from "#lib/domain/payment-links/order-rules.ts";
import { countPaymentLinks, findLink } from "#lib/domain/payment-links/queries.ts";
import { latestDeadline } from "#lib/domain/payment-links/rules.ts";
import { MAX_SEARCH } from "#lib/domain/payment-links/search/search-text.ts";
import { cancelLink } from "#lib/domain/payment-links/settle/cancel-link.ts";
import { quoteLink } from "#lib/domain/payment-links/settle/view-for-payer.ts";
import type { NewPaymentLink, PaymentLinkDeps } from "#lib/domain/payment-links/types.ts";
import { composeSummary } from "#lib/domain/payment-links/view/compose-view.ts";
import { listPaymentLinks, searchPaymentLinks } from "#lib/domain/payment-links/view/read-payment-links.ts";
import { viewPaymentLink } from "#lib/domain/payment-links/view/view-payment-link.ts";
import { getAvailability } from "#lib/domain/settings/queries.ts";
import { isAvailable } from "#lib/domain/settings/rules.ts";
import { LINK_STATES } from "#lib/domain/types.ts";
import { addToLogContext } from "#lib/platform/log/log-context.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import { type ApiContext, endpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { type ApiReason, failure } from "../errors.ts";
import { apiReason, isStorableText } from "../field-reader.ts";
import { paymentReferenceField } from "../fields/common.ts";
import { parseUnits } from "../fields/money.ts";
import { paymentLinkBody } from "../fields/payment-link.ts";
import {
  createdLinkData,
  createdLinkToJson,
  linkData,
  linkSummaryData,
  linkSummaryToJson,
  linkToJson,
} from "../fields/payment-link-record.ts";
import { limitHeavyRows, paged } from "../paging.ts";
import { authorityOf, perform, performAsProgram } from "../perform.ts";

const tag = "Payment links";

const supportedNetwork = z
  .object({ network: z.string(), tokens: z.array(z.string()) })
  .openapi("SupportedNetwork");

/** Endpoint 23. */
export const getSupportedNetworksEndpoint = endpoint(
  {
    method: "get",
    path: "/payment-links/supported-networks",
    operationId: "getSupportedNetworks",
    tag,
    summary: "List the networks and tokens that payment links accept",
    description:
      "Needs no key. Lists what the live or the test environment accepts. With a key: of the pairs that the operator " +
      "chose for the merchant.",
    auth: "public",
    action: "payments.view",
    message: "supported networks retrieved successfully",
    data: z.object({
      supported_networks: z.array(supportedNetwork),
    }),
    errors: ["bad_request"],
  },
  async ({ api, findCaller }) => {
    const caller = await findCaller();
    const { db } = api.database;
    const availabilities = await Promise.all(
      ENVS.map(async (env) => ({ env, availability: await getAvailability(db, env) })),
    );
    const pairs = caller === null ? DEFAULT_PAIRS : merchantPairs(caller.merchant);
    // The call needs no key and so no environment. It lists what any environment accepts.
    const available = pairs.filter((pair) =>
      availabilities.some(({ env, availability }) => {
        const data = api.networks.find(env, pair.network)?.data;
        return data && findReceivedToken(data, env, pair.token) !== null && isAvailable(availability, pair);
      }),
    );
    const networks = Map.groupBy(available, (pair) => pair.network);
    return success({
      supported_networks: [...networks].map(([network, accepted]) => ({
        network,
        tokens: accepted.map(({ token }) => token.toUpperCase()),
      })),
    });
  },
);

/** Endpoint 24. */
export const createPaymentLinkEndpoint = endpoint(
  {
    method: "post",
    path: "/payment-links",
    operationId: "createPaymentLink",
    tag,
    summary: "Create a payment link",
    description:
      "With `wallets`, their addresses are allocated at once. Without, an address is allocated when the customer chooses a " +
      "network on the page.",
    ...authorityOf("link.create"),
    body: paymentLinkBody,
    idempotent: true,
    allocates: ({ wallets }: { readonly wallets?: readonly unknown[] | undefined }) =>
      Boolean(wallets?.length),
    message: "payment link generated successfully",
    data: createdLinkData,
    errors: [
      "not_a_number",
      "amount_not_positive",
      "amount_too_many_decimals",
      "amount_too_large",
      "customer_not_object",
      "customer_field_missing",
      "customer_email_malformed",
      "not_a_string",
      "unsupported_character",
      "field_too_long",
      "payment_reference_malformed",
      "url_not_https",
      "expires_at_not_future",
      "expires_at_too_far",
      "metadata_not_json",
      "metadata_too_large",
      "description_malformed",
      "items_malformed",
      "items_amount_malformed",
      "items_sum_differs",
      "currency_not_supported",
      "wallets_not_array",
      "wallet_pair_unsupported",
      "wallet_network_repeated",
      "pairs_malformed",
      "pair_not_accepted",
      "amount_below_minimum",
      "network_unavailable",
      "address_limit_reached",
      "pool_empty",
    ],
  },
  async ({ api, caller, input, now, db }) => {
    const expiresAt = input.expires_at ?? null;
    const atOnce = api.now();
    if (expiresAt !== null && expiresAt <= atOnce) return failure("expires_at_not_future");
    if (expiresAt !== null && expiresAt > latestDeadline(atOnce)) return failure("expires_at_too_far");
    const currency = input.amount_currency ?? "ngn";
    const amount = parseUnits(input.amount, CURRENCIES[currency]);
    if (!amount.ok) return failure(amount.reason);
    const items = readItems(input.items ?? [], { amount: amount.units, currency });
    if (!items.ok) return { ...failure(items.reason), ...sumHint(items, { amount: amount.units, currency }) };
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
      expiresAt,
      metadata: input.metadata ?? null,
      description: input.description ?? null,
      items: items.items,
      wallets: input.wallets ?? [],
      pairs: input.pairs,
    };
    const deps = linkDeps(api);
    const created = await createPaymentLink(db, deps, { owner: caller, input: link }, now);
    if (!created.ok) return { ...failure(created.reason), ...pairHint(created.reason, caller.merchant) };
    addToLogContext({ refid: created.link.refid });
    return success(createdLinkToJson(composeSummary(created, created.wallets, deps)));
  },
);

/** The amounts that differ. */
function sumHint(
  { sum }: { readonly reason: ItemsProblem; readonly sum?: bigint },
  { amount, currency }: Pick<NewPaymentLink, "amount" | "currency">,
): { readonly hint?: string } {
  if (sum === undefined) return {};
  const text = (units: bigint) => formatAmount(units, CURRENCIES[currency]);
  return {
    hint: `The items add up to ${text(sum)}, amount is ${text(amount)}. An item's amount is that of its whole quantity.`,
  };
}

/** The texts of these errors are fixed. The hint names what the merchant accepts. */
function pairHint(reason: ApiReason, merchant: Merchant): { readonly hint?: string } {
  if (reason !== "pair_not_accepted" && reason !== "wallet_pair_unsupported") return {};
  const names = merchantPairs(merchant).map(({ network, token }) => `${network}/${token.toUpperCase()}`);
  return { hint: `Enabled for this merchant: ${names.join(", ")}.` };
}

export const getPaymentLinkEndpoint = endpoint(
  {
    method: "get",
    path: "/payment-links/:refid",
    operationId: "getPaymentLink",
    tag,
    summary: "Get a payment link with its state, quotes and payments",
    description:
      "Its state changes on its own. A webhook reports each end. Reading it changes nothing: `remaining` is empty once the quotes ran out, until they are renewed.",
    auth: ["read", "payment-links"],
    action: "payments.view",
    notFound: "link_not_found",
    message: "payment link retrieved successfully",
    data: linkData,
    errors: ["link_not_found"],
  },
  async ({ api, caller, path, now }) => {
    const owner = { merchantId: caller.merchant.id, env: caller.env };
    const link = await viewPaymentLink(linkDeps(api), path.refid, now, owner);
    if (link === null) return failure("link_not_found");
    return success(linkToJson(link));
  },
);

/** Not in the interface document: docs/decisions.md, Payment links. */
export const quotePaymentLinkEndpoint = endpoint(
  {
    method: "post",
    path: "/payment-links/:refid/quotes",
    operationId: "quotePaymentLink",
    tag,
    summary: "Renew the quotes of a payment link that ran out",
    description:
      "For a program that shows the amounts to the customer itself: the payment page renews them by itself. Makes a quote for " +
      "each selected pair of an unpaid link that has none that is live and whose token has a price, so that `remaining` can be " +
      "paid. Otherwise it changes nothing.",
    ...authorityOf("link.quote"),
    notFound: "link_not_found",
    message: "payment link retrieved successfully",
    data: linkData,
    errors: ["link_not_found"],
  },
  async ({ path: { refid }, ...call }) => {
    const quoted = await performAsProgram(quoteLink, call, { deps: linkDeps(call.api), refid });
    return quoted.ok ? success(linkToJson(quoted.link)) : failure(quoted.reason);
  },
);

/** Not in the interface document: docs/decisions.md, Payment links. */
export const cancelPaymentLinkEndpoint = endpoint(
  {
    method: "post",
    path: "/payment-links/:refid/cancel",
    operationId: "cancelPaymentLink",
    tag,
    summary: "Cancel a payment link that nobody has paid",
    description:
      "Its state becomes `expired`, with the reason `canceled`, and `payment_link_failed` is sent. Refused once money was " +
      "seen. Its addresses stay watched: a payment that comes later is late. Canceling it again changes nothing.",
    ...authorityOf("link.cancel"),
    idempotent: true,
    notFound: "link_not_found",
    message: "payment link canceled successfully",
    data: linkData,
    errors: ["link_not_found", "link_not_cancelable"],
  },
  async ({ path: { refid }, ...call }) => {
    const { api, caller, now, db } = call;
    const owner = { merchantId: caller.merchant.id, env: caller.env };
    const deps = { ...linkDeps(api), db };
    const canceled = await perform(cancelLink, call, { services: deps, refid }, {});
    if (!canceled.ok) {
      if (canceled.reason !== "link_not_cancelable") return canceled;
      return failure(canceled.reason, (await findLink(db, refid, owner))?.link.state);
    }
    const link = await viewPaymentLink(deps, refid, now, owner);
    if (link === null) return failure("link_not_found");
    return success(linkToJson(link));
  },
);

/** Not in the interface document: docs/decisions.md, Payment links. */
export const listPaymentLinksEndpoint = endpoint(
  {
    method: "get",
    path: "/payment-links",
    operationId: "listPaymentLinks",
    tag,
    summary: "List payment links, newest first",
    description:
      "Without quotes and payments: get one link for these. Without `metadata`, unless the query asks for it.",
    auth: ["read", "payment-links"],
    action: "payments.view",
    query: z.object({
      status: z
        .enum(LINK_STATES, apiReason("link_state_unknown"))
        .optional()
        .openapi({ description: "Only links in this state." }),
      payment_reference: paymentReferenceField
        .optional()
        .openapi({ description: "Only links with this reference." }),
      search: z
        .string(apiReason("not_a_string"))
        .max(MAX_SEARCH, apiReason("field_too_long"))
        .refine(isStorableText, apiReason("unsupported_character"))
        .optional()
        .openapi({
          description:
            "Only links with this refid, reference, e-mail address, first or last name, both names, transaction hash or " +
            "address. Whole texts, in upper or lower case for e-mail addresses and names. `count` has no effect.",
          example: "ada@example.com",
        }),
      metadata: z.enum(["0", "1"], apiReason("not_a_flag")).optional().openapi({
        description: "1: each link has its `metadata`, and a page has at most 100 links.",
      }),
    }),
    paged: "pair",
    message: "payment links retrieved successfully",
    data: z.array(linkSummaryData),
    errors: ["link_state_unknown", "payment_reference_malformed", "field_too_long", "unsupported_character"],
  },
  async ({ api, caller, input, page: asked }) => {
    const filter = {
      merchantId: caller.merchant.id,
      env: caller.env,
      state: input.status ?? null,
      paymentReference: input.payment_reference ?? null,
    };
    const withMetadata = input.metadata === "1";
    const { search } = input;
    const page = { ...asked, counted: asked.counted && search === undefined };
    const { data, meta } = await paged(withMetadata ? limitHeavyRows(page) : page, {
      list: ({ before: time, beforeSecond: id, limit }) => {
        const before = time === null || id === null ? null : { createdAt: new Date(time), id };
        const range = { before, limit, withMetadata };
        return search === undefined
          ? listPaymentLinks(linkDeps(api), filter, range)
          : searchPaymentLinks(linkDeps(api), filter, search, range);
      },
      count: () => countPaymentLinks(api.database.db, filter),
      toJson: (link) => ({ ...linkSummaryToJson(link), ...(!withMetadata && { metadata: undefined }) }),
      writeCursor: ({ createdAt, id }) => `${createdAt.getTime()}-${id}`,
    });
    return success(data, meta);
  },
);

function linkDeps({ database, networks, rates, settings }: ApiContext): PaymentLinkDeps {
  return { db: database.db, networks, rates, settings };
}
