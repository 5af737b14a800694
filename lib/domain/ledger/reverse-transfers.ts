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
 * Reverses transfers by their causes: each gets a transfer of the same amount in the opposite direction. If a merchant
 * has spent the money, receivable:{merchant} first lends the missing part, so that the reversal is complete. Unknown
 * and already reversed causes are skipped. Returns the causes that were reversed. Throws if another account has an
 * insufficient balance.
 */
export async function reverseTransfers(
  tx: Tx,
  reversals: readonly Reversal[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const causes = reversals.map(({ cause }) => cause);
  // Read again after the lock: another transaction may have reversed the same transfer.
  const found = await listUnreversedTransfers(tx, causes);
  const batch = await openBatch(tx, found.flatMap(reversalAccounts), now);
  const unreversed = new Map(
    (await listUnreversedTransfers(tx, causes)).map((transfer) => [transfer.cause, transfer]),
  );
  const reverses = new Map<string, number>();
  for (const { cause, reversalCause } of reversals) {
    const transfer = unreversed.get(cause);
    if (!transfer) continue;
    const { env, token, amount } = transfer;
    const reversal = { env, token, from: transfer.to, to: transfer.from, amount, cause: reversalCause };
    const receivable = receivableCode(transfer.to);
    const missing = amount - batch.balance({ env, token, code: transfer.to });
    if (receivable && missing > 0n) {
      const cover = { env, token, from: receivable, to: transfer.to, amount: missing };
      batch.post({ ...cover, cause: `${reversalCause}:cover` });
    }
    if (!batch.post(reversal)) {
      throw new Error(`insufficient balance on ${transfer.to}: ${amount} needed for ${reversalCause}`);
    }
    reverses.set(reversalCause, transfer.id);
  }
  await writeBatch(tx, batch, now, { reverses });
  return new Set(unreversed.keys());
}

/** Reverses one transfer. Returns false if the cause is unknown or reversed already. */
export async function reverseTransfer(
  tx: Tx,
  cause: string,
  reversalCause: string,
  now: Date,
): Promise<boolean> {
  return (await reverseTransfers(tx, [{ cause, reversalCause }], now)).has(cause);
}

/** The receivable account of a merchant's account. Null for any other account. */
function receivableCode(code: AccountCode): AccountCode | null {
  return code.startsWith("merchant:") ? `receivable:${parseMerchantId(code) ?? 0}` : null;
}

function reversalAccounts(transfer: NewLedgerTransfer): LedgerAccountRef[] {
  const code = receivableCode(transfer.to);
  const own = transferAccounts(transfer);
  return code ? [...own, { env: transfer.env, token: transfer.token, code }] : [...own];
}
