import type { Db, Tx } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { linksOfAddresses } from "./store.ts";

export interface AddressLink {
  /** What it asks for at the address. */
  readonly token: TokenCode;
  readonly refid: string;
  /** What the whole link was worth, for getRequiredConfirmations; null: not known. */
  readonly usdCents: bigint | null;
}

/** The payment links that these addresses were handed out for, by address id; one query. */
export async function listLinksByAddress(
  db: Db | Tx,
  addressIds: readonly number[],
): Promise<ReadonlyMap<number, AddressLink>> {
  const rows = await linksOfAddresses(db, addressIds);
  return new Map(rows.map(({ addressId, ...link }) => [addressId, link]));
}
