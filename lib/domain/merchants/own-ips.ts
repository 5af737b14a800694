import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { isInRanges, parseIpRange } from "#lib/platform/http/ip-ranges.ts";
import { removeIpEntry } from "./ip-entries.ts";
import { listIpEntries } from "./queries.ts";
import { insertIpEntry } from "./store.ts";

export const MAX_IP_ENTRIES = 100;
const MAX_NAME = 100;

interface By {
  readonly actor: string;
  readonly merchantId: number;
  /** Address of a program that changes the list. It must not lock itself out. Absent: a person does. */
  readonly clientAddress?: string;
}

/** Allows live keys from another address or CIDR range. The first entry forbids every other address. */
export async function addOwnIp(
  tx: Tx,
  { actor, merchantId }: By,
  given: { readonly name: string; readonly address: string },
  now: Date,
): Promise<
  | { readonly ok: true; readonly id: number }
  | { readonly ok: false; readonly reason: "invalid_address" | "ip_name_malformed" | "too_many_ips" }
> {
  const [name, address] = [given.name.trim(), given.address.trim()];
  if (name === "" || name.length > MAX_NAME || /[\p{Cc}\p{Cs}]/u.test(name))
    return { ok: false, reason: "ip_name_malformed" };
  if (parseIpRange(address) === null) return { ok: false, reason: "invalid_address" };
  await lockMerchant(tx, merchantId);
  if ((await listIpEntries(tx, merchantId)).length >= MAX_IP_ENTRIES)
    return { ok: false, reason: "too_many_ips" };
  const { id } = await insertIpEntry(tx, { merchantId, name, address }, now);
  await recordDecision(
    tx,
    { actor, action: "ip.add", subject: `ip:${id}`, merchantId, details: { name, address } },
    now,
  );
  return { ok: true, id };
}

/**
 * Removes an entry of the merchant. After the last one, live keys work from any address again: a program cannot remove it,
 * nor the one that it needs.
 */
export async function removeOwnIp(
  tx: Tx,
  { actor, merchantId, clientAddress }: By,
  id: number,
  now: Date,
): Promise<
  { readonly ok: true } | { readonly ok: false; readonly reason: "entry_not_found" | "would_lock_out" }
> {
  await lockMerchant(tx, merchantId);
  const entries = await listIpEntries(tx, merchantId);
  const isOwn = entries.some((entry) => entry.id === id);
  const rest = entries.flatMap((entry) => (entry.id === id ? [] : (parseIpRange(entry.address) ?? [])));
  if (isOwn && clientAddress !== undefined && !isInRanges(rest, clientAddress))
    return { ok: false, reason: "would_lock_out" };
  const removed = isOwn ? await removeIpEntry(tx, id) : null;
  if (removed === null || !removed.ok) return { ok: false, reason: "entry_not_found" };
  const { name, address } = removed.entry;
  await recordDecision(
    tx,
    { actor, action: "ip.remove", subject: `ip:${id}`, merchantId, details: { name, address } },
    now,
  );
  return { ok: true };
}
