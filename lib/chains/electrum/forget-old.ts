import type { AddressFilter } from "../blocks.ts";
import { matchTransfers, type ScanContext } from "./scan-proven.ts";

/**
 * Forgets old transactions that need no reading any more. They are in the tables, pay nobody here, or pay too little to be
 * recorded. One that was set aside is kept: it is read again from its block (retryTransactions), however old it is.
 */
export async function forgetOld(
  context: Pick<ScanContext, "proven" | "lookedFor" | "reader">,
  below: number,
  ours: AddressFilter,
): Promise<void> {
  const { proven, lookedFor } = context;
  const { book } = lookedFor;
  const old = proven.listOld(below);
  if (old.length === 0 || book === null) return;
  const paying = new Set((await matchTransfers(context, old, ours)).map(({ txHash }) => txHash));
  const recorded = await book.findRecordedBlocks([...paying]);
  const isForeign = ({ transaction: { txid }, block }: (typeof old)[number]) =>
    !paying.has(txid) || recorded.get(txid) === block.hash;
  const others = old.filter((one) => !isForeign(one));
  const setAside = await book.findSetAside(others.map(({ transaction }) => transaction.txid));
  // Nothing is changed before here: what is asked may fail, and is then asked again by the next pass.
  proven.forget(old.filter(isForeign));
  proven.keep(others.filter(({ transaction }) => setAside.has(transaction.txid)));
  proven.leaveOut(others.filter(({ transaction }) => !setAside.has(transaction.txid)));
}
