import { notFound, redirect } from "next/navigation";
import { listWorkplaces } from "#lib/domain/members/queries.ts";
import { findLink } from "#lib/domain/payment-links/queries.ts";
import { getServices } from "#lib/web/services.ts";
import { requireSignedIn } from "../../session.ts";

/** The page of an invoice that a plugin of a shop leads to: the payment in the merchant's console. */
export default async function Page({ params }: { params: Promise<{ refid: string }> }) {
  const { refid } = await params;
  const { db } = getServices().database;
  const signedIn = await requireSignedIn();
  const row = await findLink(db, refid);
  const places = row === null ? [] : await listWorkplaces(db, signedIn);
  const place = places.find(({ merchantId }) => merchantId === row?.link.merchantId);
  if (row === null || place === undefined) notFound();
  redirect(`/console/m/${place.code}/${row.link.env}/payments/${refid}`);
}
