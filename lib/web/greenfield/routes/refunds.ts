import { isSamePair, type PaymentPair } from "#lib/chains/networks.ts";
import { findPaymentMethod } from "#lib/chains/payment-method.ts";
import type { PaymentLinkRecord } from "#lib/domain/payment-links/view/compose-view.ts";
import { listLinkRecords } from "#lib/domain/payment-links/view/list-records.ts";
import { createClaim } from "#lib/domain/withdrawals/claims/create-claim.ts";
import { MAX_NOTE } from "#lib/domain/withdrawals/claims/rules.ts";
import type { RefundAmount } from "#lib/domain/withdrawals/create/refund-rules.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { oneLineOf } from "#lib/platform/plain-text.ts";
import { isStorableText } from "#lib/web/api/field-reader.ts";
import { type Answer, answer, type FieldProblem, invalid, NO_INVOICE, problem } from "../answers.ts";
import { perform } from "../perform.ts";
import { readRounded } from "../read-amount.ts";
import { type GreenfieldCall, type GreenfieldRoute, storeRoute } from "../route.ts";
import { findInvoice } from "./invoices.ts";

const REFUND = "btcpay.store.cancreatenonapprovedpullpayments";
/** Links with one reference among which the paid one is looked for. */
const MOST_LINKS = 20;

interface Asked {
  readonly link: PaymentLinkRecord;
  readonly pair: PaymentPair;
  readonly amount: RefundAmount;
}

/** The pair of a refund: one of those that the plugin asks for and that paid, else the newest that paid. */
function findPaidPair(link: PaymentLinkRecord, { fields }: GreenfieldCall): PaymentPair | null {
  const ids = [
    ...(fields.texts("payoutMethods") ?? []),
    ...(fields.texts("paymentMethods") ?? []),
    fields.text("payoutMethodId") ?? "",
    fields.text("paymentMethod") ?? "",
  ];
  const paid = link.payments.filter(({ status }) => status === "credited");
  const asked = ids.flatMap((id) => findPaymentMethod(id) ?? []);
  const found = paid.find((payment) => asked.some((pair) => isSamePair(pair, payment))) ?? paid.at(-1);
  return found === undefined ? null : { network: found.network, token: found.token };
}

/** Reads an amount of the link's currency, at the rate of its payment, or of the token itself. */
function readAmount(
  link: PaymentLinkRecord,
  pair: PaymentPair,
  { text, currency }: { readonly text: string | null; readonly currency: string | null },
): bigint | FieldProblem {
  const code = (currency || link.currency).toLowerCase();
  if (code === pair.token) {
    const units = readRounded(text ?? "", TOKENS[pair.token].ledgerDecimals);
    return units ?? { path: "amount", message: "The amount is not a decimal number above 0." };
  }
  if (code !== link.currency)
    return {
      path: "currency",
      message: "The currency is neither that of the invoice nor that of the payment.",
    };
  const units = readRounded(text ?? "", CURRENCIES[link.currency]);
  if (units === null) return { path: "amount", message: "The amount is not a decimal number above 0." };
  const quote = link.quotes.find((one) => isSamePair(one, pair));
  return quote === undefined ? 0n : (quote.amount * units) / link.amount;
}

const NON_REFUNDABLE = problem(
  400,
  "non-refundable",
  "Nothing was paid for this invoice that can be refunded.",
);

/** Makes the refund claim. A person enters the address, and the withdrawal then needs what the merchant's policy asks for. */
async function claim(call: GreenfieldCall, { link, pair, amount }: Asked): Promise<Answer> {
  const { api, fields } = call;
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
  });
  if (!made.ok)
    return made.reason === undefined
      ? made.answer
      : problem(400, "non-refundable", `The refund was refused: ${made.reason}.`);
  const { token } = pair;
  const text = formatAmount(made.claim.amount, TOKENS[token].ledgerDecimals);
  return answer({
    id: String(made.claim.id),
    name: fields.text("name") ?? `Refund ${link.refid}`,
    description: fields.text("description") ?? "",
    currency: token.toUpperCase(),
    amount: text,
    autoApproveClaims: false,
    archived: false,
    viewLink: made.url ?? "",
  });
}

/** Refunds an invoice in the token of its payment, at the rate of that payment. */
async function refundInvoice(call: GreenfieldCall): Promise<Answer> {
  const link = await findInvoice(call);
  if (link === null) return NO_INVOICE;
  const pair = findPaidPair(link, call);
  if (pair === null) return NON_REFUNDABLE;
  const { fields } = call;
  if ((readRounded(fields.text("subtractPercentage") ?? "", 2) ?? 0n) > 0n)
    return invalid({
      path: "subtractPercentage",
      message: "A part of the refund cannot be kept. Say the amount.",
    });
  const whole = { text: formatAmount(link.amount, CURRENCIES[link.currency]), currency: null };
  const custom = { text: fields.text("customAmount"), currency: fields.text("customCurrency") };
  switch (fields.text("refundVariant")?.toLowerCase()) {
    case "overpaidamount":
      return claim(call, { link, pair, amount: "excess" });
    case "ratethen":
    case "currentrate":
    case "fiat":
      return claimPart(call, { link, pair }, whole);
    case "custom":
      return claimPart(call, { link, pair }, custom);
    default:
      return invalid({ path: "refundVariant", message: "The refund variant is unknown." });
  }
}

async function claimPart(
  call: GreenfieldCall,
  { link, pair }: Omit<Asked, "amount">,
  asked: Parameters<typeof readAmount>[2],
): Promise<Answer> {
  const amount = readAmount(link, pair, asked);
  return typeof amount === "bigint" ? claim(call, { link, pair, amount }) : invalid(amount);
}

/** The order that a plugin names in the name of a pull payment: "Refund of order 13; wrong size". */
function readOrder(name: string): string | null {
  return /\border\s+#?([^\s;,]+)/i.exec(name)?.[1] ?? null;
}

/**
 * Makes a pull payment: WooCommerce's way to refund. It is bound to an order by its name alone. The claim is of the order's paid link, so that
 * it never exceeds what was paid.
 */
async function createPullPayment(call: GreenfieldCall): Promise<Answer> {
  const { api, caller, fields, now } = call;
  const order = readOrder(fields.text("name") ?? "");
  const links =
    order === null || !isStorableText(order)
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
  const asked = { text: fields.text("amount"), currency: fields.text("currency") };
  return claimPart(call, { link, pair }, asked);
}

export const REFUND_ROUTES: readonly GreenfieldRoute[] = [
  storeRoute("post", "/invoices/:invoiceId/refund", REFUND, refundInvoice),
  storeRoute("post", "/pull-payments", REFUND, createPullPayment),
];
