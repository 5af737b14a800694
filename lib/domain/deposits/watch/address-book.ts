import { and, isNotNull, sql } from "drizzle-orm";
import type { AddressBook } from "#lib/chains/address-book.ts";

import { listAddressesAbove, listAddressesBelow } from "#lib/domain/wallets/queries.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { isDepositOf } from "../record/store.ts";
import { deposits } from "../tables.ts";
import type { WatchContext } from "../types.ts";

/** What nodes must know that do not show whole blocks. */
export function openAddressBook(watch: WatchContext): AddressBook {
  const { db } = watch.database;
  return {
    listBefore: (id, limit) => listAddressesBelow(db, watch, id, limit),
    listAfter: (id, limit) => listAddressesAbove(db, watch, id, limit),
    async findRecordedBlocks(txHashes) {
      if (txHashes.length === 0) return new Map();
      const rows = await db
        .select({ txHash: deposits.txHash, blockHash: deposits.blockHash })
        .from(deposits)
        .where(
          and(
            isDepositOf(watch),
            isNotNull(deposits.blockHash),
            sql`${deposits.txHash} = any(${sqlArray(txHashes, "text")})`,
          ),
        );
      return new Map(rows.map(({ txHash, blockHash }) => [txHash, blockHash ?? ""]));
    },
  };
}
