import type { NetworkAdapter } from "#lib/chains/network.ts";
import { networksSharingAddresses } from "#lib/domain/deposits/find-address-owners.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { type ListedAddress, listAddresses } from "./queries.ts";

const ROWS = 1_000;

/** Every address that custody of a network may have money on, in pages. Each page is one query. */
export async function* listOurAddresses(
  db: Db | Tx,
  adapter: NetworkAdapter,
  limit = ROWS,
): AsyncGenerator<readonly ListedAddress[]> {
  for (const allocatedOn of networksSharingAddresses(adapter)) {
    for (let after = 0; ; ) {
      const rows = await listAddresses(db, adapter, { allocatedOn, after, limit });
      yield rows;
      if (rows.length < limit) break;
      after = rows.at(-1)?.id ?? after;
    }
  }
}
