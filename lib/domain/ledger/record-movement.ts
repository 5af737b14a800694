import type { Env } from "#lib/chains/network-data.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import {
  type Movement,
  type MovementRefusal,
  movementFault,
  movementShortfall,
  sidesOf,
} from "./movement-rules.ts";
import { closeBook, openBook } from "./post-transfers.ts";
import { postedCauses } from "./store.ts";

export interface NewMovement {
  readonly env: Env;
  readonly token: TokenCode;
  /** Ledger units. */
  readonly amount: bigint;
  /** The operator's own, once per environment: a repeated command changes nothing. */
  readonly reference: string;
  readonly movement: Movement;
}

/**
 * Books coins that the operator moved, within the caller's transaction. The books must have them: custody of the
 * network they leave, and the account they are taken from, are locked and looked at first.
 */
export async function recordMovement(
  tx: Tx,
  { env, token, amount, reference, movement }: NewMovement,
  now: Date,
): Promise<{ readonly ok: true; readonly transferId: number } | { ok: false; reason: MovementRefusal }> {
  const fault = movementFault(movement, { token, amount, reference });
  if (fault !== null) return { ok: false, reason: fault };
  const { from, to } = sidesOf(movement);
  const cause = `operator:${env}:${reference}`;
  const book = await openBook(
    tx,
    [from, to].map((code) => ({ env, token, code })),
    now,
  );
  if ((await postedCauses(tx, [cause])).size > 0) return { ok: false, reason: "movement_recorded_before" };
  const shortfall = movementShortfall(movement, amount, (code) => book.balance({ env, token, code }));
  if (shortfall !== null) return { ok: false, reason: shortfall };
  book.post({ env, token, from, to, amount, cause });
  const ids = await closeBook(tx, book, now);
  return { ok: true, transferId: ids.get(cause) ?? 0 };
}
