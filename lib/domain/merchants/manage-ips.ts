import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { parseIpRange } from "#lib/platform/http/ip-ranges.ts";
import {
  countIpEntries,
  deleteIpEntry,
  insertIpEntry,
  selectIpEntries,
  selectIpPage,
  selectMerchant,
  selectMerchantByEmail,
} from "./store.ts";
import type { IpEntry, Merchant } from "./types.ts";

/** Lets an address or CIDR in. From the first entry on, live keys work from nowhere else. */
export async function addIpEntry(
  tx: Tx,
  email: string,
  entry: { name: string; address: string },
  now: Date,
): Promise<
  | { ok: true; id: number; merchant: Merchant }
  | { ok: false; reason: "merchant_not_found" | "invalid_address" }
> {
  const merchant = await selectMerchantByEmail(tx, email);
  if (merchant === null) return { ok: false, reason: "merchant_not_found" };
  const address = entry.address.trim();
  if (parseIpRange(address) === null) return { ok: false, reason: "invalid_address" };
  const { id } = await insertIpEntry(tx, { merchantId: merchant.id, name: entry.name, address }, now);
  return { ok: true, id, merchant };
}

/** Takes an entry off; answers what it was. */
export async function removeIpEntry(
  tx: Tx,
  id: number,
): Promise<{ ok: true; entry: IpEntry; merchant: Merchant } | { ok: false; reason: "entry_not_found" }> {
  const deleted = await deleteIpEntry(tx, id);
  const merchant = deleted && (await selectMerchant(tx, deleted.merchantId));
  if (deleted === null || merchant === null) return { ok: false, reason: "entry_not_found" };
  const { merchantId: _, ...entry } = deleted;
  return { ok: true, entry, merchant };
}

/** The merchant's entries, oldest first. */
export function listIps(db: Db | Tx, merchantId: number): Promise<IpEntry[]> {
  return selectIpEntries(db, merchantId);
}

/** A part of them, newest first, those below id `before`. */
export function pageOfIps(
  db: Db | Tx,
  merchantId: number,
  page: { readonly before: number | null; readonly limit: number },
): Promise<IpEntry[]> {
  return selectIpPage(db, merchantId, page);
}

export function totalIps(db: Db | Tx, merchantId: number): Promise<number> {
  return countIpEntries(db, merchantId);
}
