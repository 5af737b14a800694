import { listLinkRecords } from "#lib/domain/payment-links/view/list-records.ts";
import { type CreateClaimRefusal, createClaim } from "#lib/domain/withdrawals/claims/create-claim.ts";
import { MAX_NOTE } from "#lib/domain/withdrawals/claims/rules.ts";
import type { ShopRefund } from "#lib/domain/withdrawals/create/refund-rules.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { oneLineOf } from "#lib/platform/plain-text.ts";
import { type Answer, answer, type FieldProblem, invalid, NO_INVOICE, problem } from "../answers.ts";
import { perform } from "../perform.ts";
import { findPaidPair, type RefundedLink, readKept, readRefund, wholeRefund } from "../read-refund.ts";
import { type GreenfieldCall, type GreenfieldRoute, storeRoute } from "../route.ts";
import { findInvoice } from "./invoices.ts";

const REFUND = "btcpay.store.cancreatenonapprovedpullpayments";
/** Links with one reference among which the paid one is looked for. */
const MOST_LINKS = 20;

interface Asked extends RefundedLink {
  readonly amount: ShopRefund;
}

const NON_REFUNDABLE = problem(
  400,
  "non-refundable",
  "Nothing was paid for this invoice that can be refunded.",
);

/** Makes the refund claim. A person enters the address, and the withdrawal then needs what the merchant's policy asks for. */
async function claim(call: GreenfieldCall, { link, pair, amount }: Asked): Promise<Answer> {
  const { api, caller, fields } = call;
  const note = oneLineOf(fields.text("description") || fields.text("name") || "")
    .slice(0, MAX_NOTE)
    .toWellFormed();
  const made = await perform(createClaim, call, {
    networks: api.networks,
    secrets: api.secrets,
    settings: api.settings,
    paymentLink: link.refid,
    ...pair,
    amount,
    note: note === "" ? null : note,
    mail: false,
    idempotencyKey: null,
    // Plugins have no idempotency key, and repeat a request that got no answer in time.
    fingerprint: `key:${caller.keyId}:${fields.fingerprint()}`,
  });
  if (!made.ok) {
    if (made.reason === undefined) return made.answer;
    return made.reason === "refund_no_excess"
      ? invalid({ path: "refundVariant", message: "Nothing was paid too much, or it is refunded already." })
      : problem(400, "non-refundable", textOf(made.reason));
  }
  const { token } = pair;
  return answer({
    id: String(made.claim.id),
    name: fields.text("name") ?? `Refund ${link.refid}`,
    description: fields.text("description") ?? "",
    currency: token.toUpperCase(),
    amount: formatAmount(made.claim.amount, TOKENS[token].ledgerDecimals),
    autoApproveClaims: false,
    archived: false,
    viewLink: made.url ?? "",
  });
}

/** Texts of refusals that the person at the shop can do something about. */
const TEXTS: Readonly<Partial<Record<CreateClaimRefusal, string>>> = {
  refund_above_credited: "The refund is more than what is left of what was received.",
  send_amount_not_positive: "Nothing is left of the refund.",
};

const textOf = (reason: CreateClaimRefusal) => TEXTS[reason] ?? `The refund was refused: ${reason}.`;

/** Refunds an invoice in the token of its payment, at the rate of that payment. */
async function refundInvoice(call: GreenfieldCall): Promise<Answer> {
  const link = await findInvoice(call);
  if (link === null) return NO_INVOICE;
  const pair = findPaidPair(link, call);
  if (pair === null) return NON_REFUNDABLE;
  const { fields } = call;
  const kept = readKept(fields);
  if (typeof kept !== "bigint") return invalid(kept);
  const asked = readVariant({ link, pair }, call);
  return "path" in asked ? invalid(asked) : claim(call, { link, pair, amount: { ...asked, kept } });
}

function readVariant(refunded: RefundedLink, call: GreenfieldCall): ShopRefund | FieldProblem {
  const { fields } = call;
  switch (fields.text("refundVariant")?.toLowerCase()) {
    case "overpaidamount":
      return wholeRefund(refunded, "excess", call);
    case "ratethen":
    case "currentrate":
    case "fiat":
      return wholeRefund(refunded, "all", call);
    case "custom":
      return readRefund(
        refunded,
        { text: fields.text("customAmount"), currency: fields.text("customCurrency") },
        call,
      );
    default:
      return { path: "refundVariant", message: "The refund variant is unknown." };
  }
}

/** The order that a plugin names in the name of a pull payment: "Refund of order 13; wrong size". */
function readOrder(name: string): string | null {
  return /\border\s+#?([^\s;,]+)/i.exec(oneLineOf(name))?.[1] ?? null;
}

/**
 * Makes a pull payment: WooCommerce's way to refund. It is bound to an order by its name alone. The claim is of the order's paid link, so that
 * it never exceeds what was paid.
 */
async function createPullPayment(call: GreenfieldCall): Promise<Answer> {
  const { api, caller, fields, now } = call;
  const order = readOrder(fields.text("name") ?? "");
  const links =
    order === null
      ? []
      : await listLinkRecords(
          { db: api.database.db, networks: api.networks, settings: api.settings },
          { merchantId: caller.merchant.id, env: caller.env, state: null, paymentReference: order },
          { skip: 0, take: MOST_LINKS },
          now,
        );
  // Two shops of one store may number their orders alike.
  const [link, other] = links.filter((one) => findPaidPair(one, call) !== null);
  if (link !== undefined && other !== undefined)
    return invalid({
      path: "name",
      message: "Several paid invoices have this order id. Refund the payment in the console.",
    });
  if (link === undefined)
    return invalid({
      path: "name",
      message: "The name says no order that was paid, such as: Refund of order 13.",
    });
  const pair = findPaidPair(link, call);
  if (pair === null) return NON_REFUNDABLE;
  const given = { text: fields.text("amount"), currency: fields.text("currency") };
  const amount = readRefund({ link, pair }, given, call);
  return "path" in amount ? invalid(amount) : claim(call, { link, pair, amount });
}

export const REFUND_ROUTES: readonly GreenfieldRoute[] = [
  storeRoute("post", "/invoices/:invoiceId/refund", REFUND, refundInvoice),
  storeRoute("post", "/pull-payments", REFUND, createPullPayment),
];
