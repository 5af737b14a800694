import { createHash } from "node:crypto";
import type { components, PaylinkClient, RequestBody, RequestQuery } from "@paylink/client";
import { compareDecimals } from "./decimal.ts";
import { refundInTokens } from "./refund-rules.ts";

export type PaymentLink = components["schemas"]["PaymentLink"];
/** A link in a list: without its payments. */
export type LinkSummary = components["schemas"]["PaymentLinkSummary"];
export type Customer = RequestBody<"/payment-links">["customer_details"];

/** The amount that a shop asks a customer to pay. The shop keeps it, and never takes it from a webhook. */
export interface Asked {
  /** The shop's own id of what is paid: a payment session, an order. */
  readonly id: string;
  /** A decimal in whole units of the currency. */
  readonly amount: string;
  /** ISO 4217, in any case. */
  readonly currency: string;
}

export interface NewShopLink extends Asked {
  readonly customer: Customer;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly description?: string;
  /** The same key never creates a second link within 24 hours. */
  readonly idempotencyKey: string;
}

/**
 * The decision of Paylink. `paid`: the whole amount is final. `waiting`: it can still be paid. `ended`: the time is over, or the link was
 * canceled. An ended link can still become paid, if the merchant accepts a late payment.
 */
export type Decision = "paid" | "waiting" | "ended";

/** Paylink refused a call. `code` is stable, see docs/integrate/error-codes.md. */
export class PaylinkRefusal extends Error {
  readonly code: string;

  constructor(doing: string, failure: { readonly message?: string; readonly code?: string }) {
    super(`Paylink refused to ${doing}: ${failure.message ?? "no reason given"}`);
    this.name = "PaylinkRefusal";
    this.code = failure.code ?? "unknown";
  }
}

/** The link pays something else than the shop asked for: another order, amount or currency. */
export class LinkMismatch extends Error {
  constructor(refid: string, problem: string) {
    super(`The payment link ${refid} is not for this order: ${problem}.`);
    this.name = "LinkMismatch";
  }
}

/** The reference that people see in Paylink: the id itself if it is a valid reference, else 20 letters and digits made of it. */
export function referenceOf(id: string): string {
  if (/^[A-Za-z0-9]{1,20}$/.test(id)) return id;
  return BigInt(`0x${createHash("sha256").update(id).digest("hex")}`)
    .toString(36)
    .toUpperCase()
    .slice(0, 20);
}

/** Makes a payment link for what the shop asks. Throws PaylinkRefusal, or LinkMismatch if Paylink has understood another amount. */
export async function createShopLink(
  paylink: PaylinkClient,
  link: NewShopLink,
): Promise<{ readonly refid: string; readonly url: string }> {
  const { data, error } = await paylink.POST("/payment-links", {
    params: { header: { "idempotency-key": link.idempotencyKey } },
    body: {
      amount: link.amount,
      amount_currency: link.currency.toLowerCase() as NonNullable<
        RequestBody<"/payment-links">["amount_currency"]
      >,
      customer_details: link.customer,
      payment_reference: referenceOf(link.id),
      success_url: link.successUrl,
      cancel_url: link.cancelUrl,
      metadata: { shop_id: link.id },
      ...(link.description !== undefined && { description: link.description }),
    },
  });
  if (error) throw new PaylinkRefusal("make a payment link", error);
  const { refid, payment_link: url, amount_required: amount, amount_currency: currency } = data.data;
  checkAmount({ refid, amount_required: amount, amount_currency: currency }, link);
  return { refid, url };
}

function checkAmount(
  link: Pick<PaymentLink, "refid" | "amount_required" | "amount_currency">,
  asked: Pick<Asked, "amount" | "currency">,
): void {
  if (link.amount_currency.toLowerCase() !== asked.currency.toLowerCase())
    throw new LinkMismatch(link.refid, `its currency is ${link.amount_currency}, not ${asked.currency}`);
  if (compareDecimals(link.amount_required, asked.amount) !== 0)
    throw new LinkMismatch(link.refid, `its amount is ${link.amount_required}, not ${asked.amount}`);
}

type LinkQuery = RequestQuery<"/payment-links">;

/** Lists links with their metadata, newest first, page by page. */
async function* listLinks(paylink: PaylinkClient, filter: LinkQuery): AsyncGenerator<LinkSummary> {
  for (let cursor: string | undefined; ; ) {
    const query = { ...filter, metadata: "1", limit: 100, ...(cursor && { cursor }) } as LinkQuery;
    const { data, error } = await paylink.GET("/payment-links", { params: { query } });
    if (error) throw new PaylinkRefusal("list payment links", error);
    yield* data.data;
    if (!data.meta.next_cursor) return;
    cursor = data.meta.next_cursor;
  }
}

/** Lists the links that were made for one id of the shop, newest first. */
export async function* listLinksFor(paylink: PaylinkClient, id: string): AsyncGenerator<LinkSummary> {
  for await (const link of listLinks(paylink, { payment_reference: referenceOf(id) }))
    if (shopIdOf(link) === id) yield link;
}

/** Lists the paid links of shops that were made since a time. */
export async function* listPaidLinks(paylink: PaylinkClient, since: Date): AsyncGenerator<LinkSummary> {
  for (const status of ["completed", "overpaid"] as const)
    for await (const link of listLinks(paylink, { status })) {
      if (new Date(link.created_at) < since) break;
      if (shopIdOf(link) !== null) yield link;
    }
}

/** Asks Paylink for a link. Null: this merchant has no such link in this environment. */
export async function fetchLink(paylink: PaylinkClient, refid: string): Promise<PaymentLink | null> {
  const { data, error, response } = await paylink.GET("/payment-links/{refid}", {
    params: { path: { refid } },
  });
  if (data) return data.data;
  if (response.status === 404) return null;
  throw new PaylinkRefusal("show a payment link", error);
}

/** The shop's id of what a link is for. Null: the link was not made by `createShopLink`. */
export function shopIdOf({ metadata }: { readonly metadata?: unknown }): string | null {
  if (typeof metadata !== "object" || metadata === null || !("shop_id" in metadata)) return null;
  return typeof metadata.shop_id === "string" ? metadata.shop_id : null;
}

/** The decision about a link. It says nothing about whose order it is: `checkDecision` does. */
export function decisionOf({ state }: Pick<PaymentLink, "state">): Decision {
  if (state === "completed" || state === "overpaid") return "paid";
  return state === "failed" || state === "expired" ? "ended" : "waiting";
}

/** Returns the decision about a link that is for exactly what the shop asked. Throws LinkMismatch otherwise. */
export function checkDecision(link: LinkSummary, asked: Asked): Decision {
  if (shopIdOf(link) !== asked.id)
    throw new LinkMismatch(link.refid, `it is for ${shopIdOf(link)}, not for ${asked.id}`);
  checkAmount(link, asked);
  return decisionOf(link);
}

/** Asks Paylink for the decision about a link that must be for exactly what the shop asked. */
export async function fetchDecision(paylink: PaylinkClient, refid: string, asked: Asked): Promise<Decision> {
  const link = await fetchLink(paylink, refid);
  if (link === null) throw new LinkMismatch(refid, "Paylink does not know it");
  return checkDecision(link, asked);
}

/**
 * Ends a link, so that nobody pays for an order that has changed. `canceled`: nothing can complete it any more. `money`: something was
 * paid or is being paid, so the link stays. Canceling again changes nothing.
 */
export async function cancelShopLink(paylink: PaylinkClient, refid: string): Promise<"canceled" | "money"> {
  const { error, response } = await paylink.POST("/payment-links/{refid}/cancel", {
    params: { path: { refid } },
  });
  if (!error || response.status === 404) return "canceled";
  if (response.status !== 409) throw new PaylinkRefusal("cancel a payment link", error);
  const link = await fetchLink(paylink, refid);
  return link !== null && link.state === "expired" ? "canceled" : "money";
}

export interface ShopRefund {
  readonly refid: string;
  /** A decimal in the currency of the link. */
  readonly amount: string;
  readonly note: string;
  /** The same key never refunds twice. */
  readonly idempotencyKey: string;
  /** `mail`: Paylink mails the page to the customer. `url`: the shop gets its URL, and anyone who has it can say where the money goes. */
  readonly by: "mail" | "url";
}

export interface ShopRefundClaim {
  readonly claim: number;
  readonly network: string;
  readonly token: string;
  /** Whole tokens. */
  readonly amount: string;
  /** Only `by` "url". */
  readonly url: string | null;
}

/**
 * Makes a refund claim: a page on which the customer enters an address. The withdrawal then needs what the merchant's policy asks for.
 * Throws PaylinkRefusal.
 */
export async function refundShopLink(paylink: PaylinkClient, refund: ShopRefund): Promise<ShopRefundClaim> {
  const { refid } = refund;
  const link = await fetchLink(paylink, refid);
  const tokens = link && refundInTokens(link.payments, { amount: refund.amount, of: link.amount_required });
  if (!tokens) throw new PaylinkRefusal("refund", { message: "nothing is credited that can be refunded" });
  const { data, error } = await paylink.POST("/payment-links/{refid}/refunds", {
    params: { path: { refid }, header: { "idempotency-key": refund.idempotencyKey } },
    body: {
      network: tokens.network as RequestBody<"/payment-links/{refid}/refunds">["network"],
      token: tokens.token as RequestBody<"/payment-links/{refid}/refunds">["token"],
      amount: tokens.amount,
      note: refund.note,
      ...(refund.by === "mail" && { mail: 1 as const }),
    },
  });
  if (error) throw new PaylinkRefusal("refund", error);
  const url = refund.by === "url" ? (data.data.refund_url ?? null) : null;
  return { ...tokens, claim: data.data.claim ?? 0, url };
}

/** Returns true if a claim exists that refunds the link or has refunded it. Only keys of the scope `full` may ask: false for others. */
export async function hasRefunds(paylink: PaylinkClient, refid: string): Promise<boolean> {
  const { data } = await paylink.GET("/payment-links/{refid}/refund-claims", { params: { path: { refid } } });
  return data?.data.some(({ state }) => state === "open" || state === "used") ?? false;
}
