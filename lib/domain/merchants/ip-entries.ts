import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { isInRanges, parseIpRange } from "#lib/platform/http/ip-ranges.ts";
import { listIpEntries } from "./queries.ts";
import { MAX_IP_ENTRIES } from "./rules.ts";
import { deleteIpEntry, insertIpEntry } from "./store.ts";

const MAX_NAME = 100;

/** Allows live keys from another address or CIDR range. The first entry forbids every other address. */
export const addIp = defineVerb(
  "ip.add",
  async ({ tx, now, merchantId }, given: { readonly name: string; readonly address: string }) => {
    const [name, address] = [given.name.trim(), given.address.trim()];
    if (name === "" || name.length > MAX_NAME || /[\p{Cc}\p{Cs}]/u.test(name))
      return refuse("ip_name_malformed");
    if (parseIpRange(address) === null) return refuse("invalid_address");
    await lockMerchant(tx, merchantId);
    if ((await listIpEntries(tx, merchantId)).length >= MAX_IP_ENTRIES) return refuse("too_many_ips");
    const { id } = await insertIpEntry(tx, { merchantId, name, address }, now);
    return done({ id, name, address }, { subject: `ip:${id}`, details: { name, address } });
  },
);

/**
 * Removes an entry. After the last one, live keys work from any address again: a program cannot remove it, nor the one that it needs.
 */
export const removeIp = defineVerb(
  "ip.remove",
  async ({ tx, actor, merchantId }, { id }: { readonly id: number }) => {
    await lockMerchant(tx, merchantId);
    const entries = await listIpEntries(tx, merchantId);
    const entry = entries.find((one) => one.id === id);
    if (entry === undefined) return refuse("entry_not_found");
    const rest = entries.flatMap((one) => (one === entry ? [] : (parseIpRange(one.address) ?? [])));
    if (actor.kind === "key" && !isInRanges(rest, actor.clientAddress)) return refuse("would_lock_out");
    await deleteIpEntry(tx, id);
    const { name, address } = entry;
    return done({}, { subject: `ip:${id}`, details: { name, address } });
  },
);

/** True if the merchant has no entries, or if one of them contains the address. */
export async function isIpAllowed(db: Db, merchantId: number, ip: string): Promise<boolean> {
  const entries = await listIpEntries(db, merchantId);
  if (entries.length === 0) return true;
  const ranges = entries.flatMap(({ address }) => parseIpRange(address) ?? []);
  return isInRanges(ranges, ip);
}
