import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { isInRanges, parseIpRange } from "#lib/platform/http/ip-ranges.ts";
import { findMerchant, findMerchantByEmail, listIpEntries } from "./queries.ts";
import { deleteIpEntry, insertIpEntry } from "./store.ts";
import type { IpEntry, Merchant } from "./types.ts";

/** Adds an address or CIDR range. As soon as there is an entry, live keys work only from the entries. */
export async function addIpEntry(
  tx: Tx,
  email: string,
  entry: { name: string; address: string },
  now: Date,
): Promise<
  | { ok: true; id: number; merchant: Merchant }
  | { ok: false; reason: "merchant_not_found" | "invalid_address" }
> {
  const merchant = await findMerchantByEmail(tx, email);
  if (merchant === null) return { ok: false, reason: "merchant_not_found" };
  const address = entry.address.trim();
  if (parseIpRange(address) === null) return { ok: false, reason: "invalid_address" };
  const { id } = await insertIpEntry(tx, { merchantId: merchant.id, name: entry.name, address }, now);
  return { ok: true, id, merchant };
}

/** Removes an entry and returns it. */
export async function removeIpEntry(
  tx: Tx,
  id: number,
): Promise<{ ok: true; entry: IpEntry; merchant: Merchant } | { ok: false; reason: "entry_not_found" }> {
  const deleted = await deleteIpEntry(tx, id);
  const merchant = deleted && (await findMerchant(tx, deleted.merchantId));
  if (deleted === null || merchant === null) return { ok: false, reason: "entry_not_found" };
  const { merchantId: _, ...entry } = deleted;
  return { ok: true, entry, merchant };
}

/** True if the merchant has no entries, or if one of them contains the address. */
export async function isIpAllowed(db: Db, merchantId: number, ip: string): Promise<boolean> {
  const entries = await listIpEntries(db, merchantId);
  if (entries.length === 0) return true;
  const ranges = entries.flatMap(({ address }) => parseIpRange(address) ?? []);
  return isInRanges(ranges, ip);
}
