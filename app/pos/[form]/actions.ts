"use server";

import { refresh } from "next/cache";
import { headers } from "next/headers";
import { notFound, RedirectType, redirect } from "next/navigation";
import { isFromOwnOrigin, linkPath, readKeptParams, withQuery } from "#app/posted-form.ts";
import type { PosNoticeCode } from "#components/checkout/notice-codes.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { pairDevice } from "#lib/domain/pos/manage-devices.ts";
import { cancelSale, sell } from "#lib/domain/pos/sell.ts";
import { getServices } from "#lib/web/services.ts";
import { keepDeviceToken, readDeviceToken } from "./device-cookie.ts";

const VISIT = /^[0-9a-f]{32}$/;
/** Longer than every field may be. */
const MAX_TEXT = 100;

/** Form action: connect this device with its code. Anyone can post it, so that tries are limited. */
export async function pair(posted: FormData): Promise<void> {
  const { formCode, read, backTo, ip } = await checkPosted(posted);
  const { database, pairing } = getServices();
  if (!pairing.admit(ip)) return backTo("too_many_tries");
  const given = { formCode, typed: read("device_code"), timeZone: read("time_zone") };
  const token = await pairDevice(database.db, given, new Date());
  if (token === null) return backTo("wrong_code");
  await keepDeviceToken(formCode, token);
  return backTo(null);
}

/** Form action: start a payment. Ends in a redirect to the payment's page, or back with a notice. */
export async function charge(posted: FormData): Promise<void> {
  const { formCode, read, backTo, kept } = await checkPosted(posted);
  const visit = read("visit");
  if (!VISIT.test(visit)) notFound();
  const given = { amount: read("amount"), quantity: read("quantity") };
  const request = { formCode, token: await readDeviceToken(), visit, given };
  const sold = await sell(getServices().paymentLinks, request, new Date());
  if (sold.ok) redirect(withQuery(linkPath(sold.refid), kept), RedirectType.push);
  switch (sold.reason) {
    case "not_found":
    case "closed":
    case "sold_out":
      // The page says it.
      return backTo(null);
    default:
      return backTo(sold.reason);
  }
}

/** Form action: cancel a sale of this device that nobody has paid. The list shows what became of it. */
export async function cancel(posted: FormData): Promise<void> {
  const { formCode, read, backTo } = await checkPosted(posted);
  const refid = read("refid");
  if (!isRefid(refid)) notFound();
  const sale = { formCode, token: await readDeviceToken(), refid };
  await cancelSale(getServices().paymentLinks, sale, new Date());
  // Without the page's script. With it, a redirect would empty the amount that was begun meanwhile.
  if ((await headers()).get("next-action") === null) return backTo(null);
  refresh();
}

/** Checks that a form was posted by the point of sale that it names, and shows "not found" otherwise. */
async function checkPosted(posted: FormData) {
  const read = (name: string): string => {
    const value = posted.get(name);
    return typeof value === "string" ? value.slice(0, MAX_TEXT) : "";
  };
  const head = await headers();
  const formCode = read("form");
  const isOwn = isRefid(formCode) && head.get("x-paylink-pos") === formCode && (await isFromOwnOrigin());
  if (!isOwn) notFound();
  const kept = await readKeptParams(read("lang") || null);
  const backTo = (notice: PosNoticeCode | null) =>
    redirect(
      withQuery(`/pos/${formCode}`, { ...(notice !== null && { notice }), ...kept }),
      RedirectType.replace,
    );
  return { formCode, read, kept, backTo, ip: head.get("x-paylink-client-address") ?? "" };
}
