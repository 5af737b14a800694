import type { Tx } from "#lib/platform/db/connection.ts";
import { openBatch, writeBatch } from "./post-transfers.ts";
import { parseMerchantId, transferAccounts } from "./rules.ts";
import { listUnreversedTransfers } from "./store.ts";
import type { AccountCode, LedgerAccountRef, NewLedgerTransfer } from "./types.ts";

export interface Reversal {
  readonly cause: string;
  readonly reversalCause: string;
}

/**
 * Takes back transfers by their causes: each gets its mirror image. Where a merchant has spent the money meanwhile,
 * the missing part is first lent by receivable:{merchant}, so that the mirror is whole. Causes unknown or taken back
 * already are skipped; returns the causes taken back. Throws when another account cannot pay.
 */
export async function reverseTransfers(
  tx: Tx,
  reversals: readonly Reversal[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const causes = reversals.map(({ cause }) => cause);
  // Locked first, then looked at again: of two who take back the same transfer, one finds it done.
  const book = await openBatch(tx, (await listUnreversedTransfers(tx, causes)).flatMap(accountsToOpen), now);
  const live = new Map(
    (await listUnreversedTransfers(tx, causes)).map((transfer) => [transfer.cause, transfer]),
  );
  const reverses = new Map<string, number>();
  for (const { cause, reversalCause } of reversals) {
    const transfer = live.get(cause);
    if (!transfer) continue;
    const { env, token, amount } = transfer;
    const mirror = { env, token, from: transfer.to, to: transfer.from, amount, cause: reversalCause };
    const debtor = debtorOf(transfer.to);
    const missing = amount - book.balance({ env, token, code: transfer.to });
    if (debtor && missing > 0n) {
      const cover = { env, token, from: debtor, to: transfer.to, amount: missing };
      book.post({ ...cover, cause: `${reversalCause}:cover` });
    }
    if (!book.post(mirror)) throw new Error(`${transfer.to} cannot give back ${amount} for ${reversalCause}`);
    reverses.set(reversalCause, transfer.id);
  }
  await writeBatch(tx, book, now, { reverses });
  return new Set(live.keys());
}

/** One of them. False when the cause is unknown or was taken back already. */
export async function reverseTransfer(
  tx: Tx,
  cause: string,
  reversalCause: string,
  now: Date,
): Promise<boolean> {
  return (await reverseTransfers(tx, [{ cause, reversalCause }], now)).has(cause);
}

function debtorOf(code: AccountCode): AccountCode | null {
  return code.startsWith("merchant:") ? `receivable:${parseMerchantId(code) ?? 0}` : null;
}

function accountsToOpen(transfer: NewLedgerTransfer): LedgerAccountRef[] {
  const code = debtorOf(transfer.to);
  const own = transferAccounts(transfer);
  return code ? [...own, { env: transfer.env, token: transfer.token, code }] : [...own];
}
