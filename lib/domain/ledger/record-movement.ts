import type { Env } from "#lib/chains/network-data.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import {
  checkMovement,
  checkMovementFunds,
  movementAccounts,
  type OperatorMovement,
  type OperatorMovementRefusal,
} from "./movement-rules.ts";
import { openBatch, writeBatch } from "./post-transfers.ts";
import { listPostedCauses } from "./store.ts";

export interface NewOperatorMovement {
  readonly env: Env;
  readonly token: TokenCode;
  /** Ledger units. */
  readonly amount: bigint;
  /** The operator's own, once per environment: a repeated command changes nothing. */
  readonly reference: string;
  readonly movement: OperatorMovement;
}

/**
 * Books coins that the operator moved, within the caller's transaction. The books must have them: custody of the
 * network they leave, and the account they are taken from, are locked and looked at first.
 */
export async function recordMovement(
  tx: Tx,
  { env, token, amount, reference, movement }: NewOperatorMovement,
  now: Date,
): Promise<
  { readonly ok: true; readonly transferId: number } | { ok: false; reason: OperatorMovementRefusal }
> {
  const fault = checkMovement(movement, { token, amount, reference });
  if (fault !== null) return { ok: false, reason: fault };
  const { from, to } = movementAccounts(movement);
  const cause = `operator:${env}:${reference}`;
  const book = await openBatch(
    tx,
    [from, to].map((code) => ({ env, token, code })),
    now,
  );
  if ((await listPostedCauses(tx, [cause])).size > 0)
    return { ok: false, reason: "movement_recorded_before" };
  const shortfall = checkMovementFunds(movement, amount, (code) => book.balance({ env, token, code }));
  if (shortfall !== null) return { ok: false, reason: shortfall };
  book.post({ env, token, from, to, amount, cause });
  const ids = await writeBatch(tx, book, now);
  return { ok: true, transferId: ids.get(cause) ?? 0 };
}
