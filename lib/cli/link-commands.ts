import { type Command, Option } from "commander";
import type { Env } from "#lib/chains/network-data.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { findMerchant, listMerchantEmails } from "#lib/domain/merchants/queries.ts";
import { findLink } from "#lib/domain/payment-links/queries.ts";
import type { LinkFilter, PaymentLinkSummary, TokenAmount } from "#lib/domain/payment-links/types.ts";
import type { PaymentLinkRecord } from "#lib/domain/payment-links/view/compose-view.ts";
import {
  customerRecord,
  itemRecords,
  linkIdentityRecord,
  linkTermsRecord,
  paymentRecord,
  tokenAmountRecord,
} from "#lib/domain/payment-links/view/link-record.ts";
import {
  findPaymentLinkRecord,
  listPaymentLinks,
  type StoredLinkDeps,
} from "#lib/domain/payment-links/view/read-payment-links.ts";
import type { Rates } from "#lib/domain/rates/types.ts";
import { LINK_STATES, type LinkState } from "#lib/domain/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { type Cli, CommandRefusal, requireSuccess, type WithCli } from "./cli.ts";
import { getMerchantFilter } from "./find-merchant.ts";
import { envOption } from "./options.ts";
import { addListOptions, type ListOptions, printList } from "./print-list.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";

export function addLinkCommands(link: Command, withCli: WithCli): void {
  link
    .command("show")
    .description("a link with its addresses, prices and payments, in either environment")
    .argument("<refid>", "the last part of its URL")
    .action(withCli(show));
  link
    .command("cancel")
    .description("end a link that nobody has paid; a payment that comes later is late")
    .argument("<refid>", "the last part of its URL")
    .action(withCli(cancel));
  const list = link
    .command("list")
    .description("newest first")
    .option("--merchant <email>", "only links of this merchant")
    .addOption(envOption())
    .addOption(new Option("--state <state>", "only links in this state").choices(LINK_STATES))
    .option("--reference <text>", "only links with this payment reference")
    .option("--before <refid>", "only links older than this one");
  addListOptions(list).action(withCli(printLinks));
}

async function withLinks(cli: Cli, work: (deps: StoredLinkDeps) => Promise<void>): Promise<void> {
  await cli.withDatabase(({ config, database }) =>
    work({ db: database.db, networks: openNetworks(config.networks), settings: config }),
  );
}

interface ListGiven extends ListOptions {
  readonly env: Env;
  readonly merchant?: string;
  readonly state?: LinkState;
  readonly reference?: string;
  readonly before?: string;
}

async function printLinks(cli: Cli, options: ListGiven): Promise<void> {
  const { env, merchant: email, state = null, reference: paymentReference = null, limit } = options;
  await withLinks(cli, async (deps) => {
    const merchantId = await getMerchantFilter(deps.db, email);
    const before = options.before === undefined ? null : await getLink(deps.db, options.before);
    const filter: LinkFilter = { merchantId, env, state, paymentReference };
    const links = await listPaymentLinks(deps, filter, { before, limit: limit + 1 });
    const emails = await listMerchantEmails(
      deps.db,
      links.map((one) => one.merchantId),
    );
    printList(
      cli,
      links.map((one) => showSummary(one, emails.get(one.merchantId) ?? null)),
      options,
      {
        columns: [
          ...(["refid", "merchant", "state", "amount_required", "amount_currency"] as const),
          ...(["payment_reference", "customer", "created_at", "expires_at"] as const),
        ],
        next: ({ refid }) => `--before ${refid}`,
      },
    );
  });
}

async function getLink(db: Db, refid: string) {
  const found = await findLink(db, refid);
  const { link } = requireSuccess(
    found === null ? { ok: false, reason: "link_not_found" } : { ok: true, link: found.link },
  );
  return link;
}

function showSummary(link: PaymentLinkSummary, merchant: string | null) {
  return {
    env: link.env,
    ...linkIdentityRecord(link),
    merchant,
    state: link.state,
    reason: link.reason,
    late: link.late,
    ...linkTermsRecord(link, asText),
    customer: link.customer.email,
    created_at: link.createdAt,
    completed_at: link.completedAt,
  };
}

const asText = (decimal: string) => decimal;

async function show(cli: Cli, refid: string): Promise<void> {
  await withLinks(cli, async (deps) => {
    const link = await findPaymentLinkRecord(deps, refid, cli.now());
    if (link === null) throw new CommandRefusal(REFUSAL_TEXTS.link_not_found);
    const merchant = await findMerchant(deps.db, link.merchantId);
    cli.print(showLink(link, merchant?.email ?? null));
  });
}

/** A link that can be canceled has no payment, so nothing is valued. */
const NO_RATES: Rates = { current: () => null, refresh: async () => {}, start() {}, stop() {} };

async function cancel(cli: Cli, refid: string): Promise<void> {
  // Settling loads what servers need.
  const { cancelLink } = await import("#lib/domain/payment-links/settle/cancel-link.ts");
  await cli.withDatabase(async ({ config, database }) => {
    const place = await getLink(database.db, refid);
    const services = { networks: openNetworks(config.networks), settings: config, rates: NO_RATES };
    await cli.perform(database, cancelLink, place, { services, refid });
  });
  await show(cli, refid);
}

/** The record of the API with amounts as texts, and what only the operator sees. */
function showLink(link: PaymentLinkRecord, merchant: string | null) {
  const toRecord = (amount: TokenAmount) => tokenAmountRecord(amount, asText);
  return {
    ...showSummary(link, merchant),
    customer: customerRecord(link),
    success_url: link.successUrl,
    cancel_url: link.cancelUrl,
    metadata: link.metadata,
    description: link.description,
    items: itemRecords(link, asText),
    addresses: link.wallets,
    quotes: link.quotes.map((quote) => ({
      network: quote.network,
      token: quote.token,
      amount: formatAmount(quote.amount, TOKENS[quote.token].ledgerDecimals),
      rate: quote.rate,
      rate_source: quote.rateSource,
      rate_at: quote.rateAt,
      valid_until: quote.validUntil,
      live: quote.live,
    })),
    payments: link.payments.map((payment) => paymentRecord(payment, asText)),
    payments_count: link.paymentCount,
    remaining: link.remaining.map(toRecord),
    excess: link.excess.map(toRecord),
    unwatched: link.unwatched,
  };
}
