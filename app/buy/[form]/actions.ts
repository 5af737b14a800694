"use server";

import { headers } from "next/headers";
import { notFound, RedirectType, redirect } from "next/navigation";
import { isFromOwnOrigin, linkPath, readKeptParams, withQuery } from "#app/posted-form.ts";
import { submitForm } from "#lib/domain/forms/submit-form.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { getServices } from "#lib/web/services.ts";

/** Longer than every answer may be. */
const MAX_TEXT = 2_000;
const VISIT = /^[0-9a-f]{32}$/;

/**
 * Form action: create a payment link. Anyone can post this form, so every field is checked here and in the use case.
 * Always ends in a redirect: to the link's page, or back to the form with a notice.
 */
export async function submit(posted: FormData): Promise<void> {
  const read = (name: string) => {
    const value = posted.get(name);
    return typeof value === "string" ? value.slice(0, MAX_TEXT) : "";
  };
  const head = await headers();
  const code = read("form");
  const visit = read("visit");
  const posts = isRefid(code) && VISIT.test(visit) && head.get("x-paylink-form") === code;
  if (!posts || !(await isFromOwnOrigin())) notFound();
  const given = {
    amount: read("amount"),
    quantity: read("quantity"),
    email: read("email"),
    firstName: read("first_name"),
    lastName: read("last_name"),
    phone: read("phone"),
    note: read("note"),
    fields: [read("field_0"), read("field_1"), read("field_2")],
  };
  const ip = head.get("x-paylink-client-address") ?? "";
  const result = await submitForm(getServices().paymentLinks, { code, given, visit, ip }, new Date());
  const kept = await readKeptParams(read("lang") || null);
  if (result.ok) redirect(withQuery(linkPath(result.refid), kept), RedirectType.replace);
  const page = `/buy/${code}`;
  switch (result.reason) {
    case "not_found":
      notFound();
      break;
    case "closed":
    case "sold_out":
      // The page says it.
      redirect(withQuery(page, kept), RedirectType.replace);
      break;
    default:
      redirect(withQuery(page, { notice: result.reason, ...kept }), RedirectType.replace);
  }
}
