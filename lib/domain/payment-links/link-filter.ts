import { and, eq, gte, isNull, lt, lte, or, sql } from "drizzle-orm";
import { isPaid } from "./rules.ts";
import { paymentLinks } from "./tables.ts";
import type { LinkFilter } from "./types.ts";

/** True for a filter that no link passes: a link that a payment completed is in a paid state. */
export const isContradictory = ({ state, paidBy }: LinkFilter): boolean =>
  paidBy != null && state !== null && !isPaid(state);

const SELLER_COLUMNS = { form: paymentLinks.formId, device: paymentLinks.posDeviceId };

/** The condition that a link passes a filter. */
export function matchesFilter(filter: LinkFilter) {
  if (isContradictory(filter)) return sql`false`;
  const { merchantId, env, state, paymentReference, paidBy, amount, seller, customerEmail, created } = filter;
  return and(
    merchantId === null ? undefined : eq(paymentLinks.merchantId, merchantId),
    eq(paymentLinks.env, env),
    state === null ? undefined : eq(paymentLinks.state, state),
    paymentReference === null ? undefined : eq(paymentLinks.paymentReference, paymentReference),
    paidBy
      ? and(eq(paymentLinks.paidNetwork, paidBy.network), eq(paymentLinks.paidToken, paidBy.token))
      : undefined,
    amount ? eq(paymentLinks.currency, amount.currency) : undefined,
    amount?.least == null ? undefined : gte(paymentLinks.amount, amount.least),
    amount?.most == null ? undefined : lte(paymentLinks.amount, amount.most),
    seller ? eq(SELLER_COLUMNS[seller.kind], seller.id) : undefined,
    customerEmail === undefined ? undefined : eq(sql`lower(${paymentLinks.customerEmail})`, customerEmail),
    filter.anyOf === undefined ? undefined : or(sql`false`, ...filter.anyOf.map(isIn)),
    filter.withoutArchived === true ? isNull(paymentLinks.archivedAt) : undefined,
    created?.from ? gte(paymentLinks.createdAt, created.from) : undefined,
    created?.to ? lt(paymentLinks.createdAt, created.to) : undefined,
  );
}

type OneOf = NonNullable<LinkFilter["anyOf"]>[number];

const isIn = ({ state, reason }: OneOf) =>
  and(eq(paymentLinks.state, state), reason === undefined ? undefined : eq(paymentLinks.reason, reason));
