"use server";

import { redirect } from "next/navigation";
import { keepDraft } from "#app/console/draft.ts";
import { fieldsOf, perform, readRequest } from "#app/console/session.ts";
import type { NoticeCode } from "#components/console/notices.ts";
import { readEmail, readName } from "#lib/domain/members/rules.ts";
import { createLink as createRecordedLink } from "#lib/domain/payment-links/create/create-link.ts";
import { isDescription } from "#lib/domain/payment-links/order-rules.ts";
import { isRefid, newRefid } from "#lib/domain/payment-links/refid.ts";
import { CURRENCIES, isCurrencyCode } from "#lib/platform/money/currencies.ts";
import { parseCurrencyAmount } from "#lib/platform/money/currency-amount.ts";
import { readTypedAmount } from "#lib/platform/money/typed-amount.ts";
import { getServices } from "#lib/web/services.ts";

const REFERENCE = /^[0-9A-Za-z]{1,20}$/;
const HOUR_MS = 3_600_000;
const LINK_FIELDS = [
  "amount",
  "currency",
  "reference",
  "description",
  "email",
  "first_name",
  "last_name",
  "hours",
];
/** The longest time to pay that the form offers: 30 days. */
const MAX_HOURS = 720;

/** Form action: create a payment link. Ends at its page, or back at the form with a notice. */
export async function createLink(posted: FormData): Promise<void> {
  const read = fieldsOf(posted);
  const request = await readRequest(read, "new");
  const refuse = async (notice: NoticeCode) => {
    await keepDraft(request.page, Object.fromEntries(LINK_FIELDS.map((name) => [name, read(name)])));
    redirect(`${request.page}?notice=${notice}`);
  };
  const currency = read("currency");
  const amount = isCurrencyCode(currency)
    ? parseCurrencyAmount(readTypedAmount(read("amount"), CURRENCIES[currency]), currency)
    : null;
  if (!isCurrencyCode(currency) || amount === null) return refuse("amount_malformed");
  const paymentReference = read("reference").trim();
  if (!REFERENCE.test(paymentReference)) return refuse("reference_malformed");
  const email = readEmail(read("email"));
  const firstName = readName(read("first_name"));
  const lastName = readName(read("last_name"));
  if (email === null || firstName === null || lastName === null) return refuse("customer_malformed");
  const description = read("description").trim() || null;
  if (description !== null && !isDescription(description)) return refuse("description_malformed");
  const hours = Math.min(Math.max(Number.parseInt(read("hours"), 10) || 2, 1), MAX_HOURS);
  const link = {
    amount,
    currency,
    customer: { email, firstName, lastName, phone: null },
    paymentReference,
    description,
    refid: isRefid(read("refid")) ? read("refid") : newRefid(),
    expiresAt: new Date(request.act.now.getTime() + hours * HOUR_MS),
  };
  const created = await perform(createRecordedLink, request, { services: getServices().paymentLinks, link });
  if (!created.ok) return refuse(created.reason);
  redirect(`/console/m/${read("merchant")}/${read("env")}/payments/${created.refid}`);
}
