import type { AddressBook } from "#lib/chains/address-book.ts";
import { listRetryTimes } from "#lib/domain/attention/queries.ts";
import { listDueAddresses } from "#lib/domain/payment-links/queries.ts";
import { listAddressesAbove, listAddressesBelow } from "#lib/domain/wallets/queries.ts";
import { findRecordedBlocks, listPaidAbove } from "../queries.ts";
import { transactionSubject } from "../rules.ts";
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
    listPaidAbove: (height) => listPaidAbove(db, watch, height),
    findRecordedBlocks: (txHashes) => findRecordedBlocks(db, watch, txHashes),
    findSetAside: async (txHashes) => {
      const subject = (txHash: string) => transactionSubject(watch, txHash);
      const retried = await listRetryTimes(db, txHashes.map(subject));
      return new Set(txHashes.filter((txHash) => retried.has(subject(txHash))));
    },
  };
}
