import { and, eq, gt, isNotNull, sql } from "drizzle-orm";
import type { AddressBook } from "#lib/chains/address-book.ts";

import { listDueAddresses } from "#lib/domain/payment-links/queries.ts";
import { listAddressesAbove, listAddressesBelow } from "#lib/domain/wallets/queries.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { isDepositOf } from "../record/store.ts";
import { deposits } from "../tables.ts";
import type { WatchContext } from "../types.ts";

/** A link's end is decided after its addresses were asked about again, so they are named before. */
const DUE_MS = 600_000;

/** Opens the addresses that a node must know if it does not show whole blocks. */
export function openAddressBook(watch: WatchContext): AddressBook {
  const { db } = watch.database;
  return {
    listBefore: (id, limit) => listAddressesBelow(db, watch, id, limit),
    listAfter: (id, limit) => listAddressesAbove(db, watch, id, limit),
    listDue: (limit) =>
      listDueAddresses(db, watch, { before: new Date(watch.now().getTime() + DUE_MS), limit }),
    async listPaidAbove(height) {
      const rows = await db
        .selectDistinct({ address: addresses.address })
        .from(deposits)
        .innerJoin(addresses, eq(addresses.id, deposits.addressId))
        .where(and(isDepositOf(watch), gt(deposits.blockHeight, height)));
      return rows.map(({ address }) => address);
    },
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
