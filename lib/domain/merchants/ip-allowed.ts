import { BlockList } from "node:net";
import type { Db } from "#lib/platform/db/connection.ts";
import { parseIpRange } from "#lib/platform/http/ip-ranges.ts";
import { selectIpEntries } from "./store.ts";

/** Whether the merchant's list lets this address in: everybody when the list is empty, else only whom it names. */
export async function isIpAllowed(db: Db, merchantId: number, ip: string): Promise<boolean> {
  const entries = await selectIpEntries(db, merchantId);
  if (entries.length === 0) return true;
  const caller = parseIpRange(ip);
  if (caller === null) return false;
  const list = new BlockList();
  for (const entry of entries) {
    const range = parseIpRange(entry.address);
    if (range !== null) list.addSubnet(range.address, range.bits, range.family);
  }
  return list.check(caller.address, caller.family);
}
