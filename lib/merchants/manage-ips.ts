import type { Db, Tx } from "#lib/db/connection.ts";
import { readIpRange } from "./read-ip-range.ts";
import { deleteIpEntry, insertIpEntry, selectIpEntries, selectMerchantByEmail } from "./store.ts";
import type { IpEntry } from "./types.ts";

/** Lets an address or CIDR in. From the first entry on, live keys work from nowhere else. */
export async function addIp(
  tx: Tx,
  email: string,
  entry: { name: string; address: string },
  now: Date,
): Promise<{ ok: true; id: number } | { ok: false; reason: "merchant_not_found" | "invalid_address" }> {
  const merchant = await selectMerchantByEmail(tx, email);
  if (merchant === null) return { ok: false, reason: "merchant_not_found" };
  const address = entry.address.trim();
  if (readIpRange(address) === null) return { ok: false, reason: "invalid_address" };
  const { id } = await insertIpEntry(tx, { merchantId: merchant.id, name: entry.name, address }, now);
  return { ok: true, id };
}

export async function removeIp(
  tx: Tx,
  id: number,
): Promise<{ ok: true } | { ok: false; reason: "entry_not_found" }> {
  return (await deleteIpEntry(tx, id)) ? { ok: true } : { ok: false, reason: "entry_not_found" };
}

/** The merchant's entries, oldest first. */
export function listIps(db: Db | Tx, merchantId: number): Promise<IpEntry[]> {
  return selectIpEntries(db, merchantId);
}
