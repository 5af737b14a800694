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
  /** The operator's own reference, unique per environment: a repeated command changes nothing. */
  readonly reference: string;
  readonly movement: OperatorMovement;
}

/**
 * Posts coins that the operator moved, within the caller's transaction. First locks the two accounts and checks that
 * custody of the source network and the debited account have enough.
 */
export async function recordMovement(
  tx: Tx,
  { env, token, amount, reference, movement }: NewOperatorMovement,
  now: Date,
): Promise<
  { readonly ok: true; readonly transferId: number } | { ok: false; reason: OperatorMovementRefusal }
> {
  const problem = checkMovement(movement, { token, amount, reference });
  if (problem !== null) return { ok: false, reason: problem };
  const { from, to } = movementAccounts(movement);
  const cause = `operator:${env}:${reference}`;
  const batch = await openBatch(
    tx,
    [from, to].map((code) => ({ env, token, code })),
    now,
  );
  if ((await listPostedCauses(tx, [cause])).size > 0)
    return { ok: false, reason: "movement_recorded_before" };
  const shortfall = checkMovementFunds(movement, amount, (code) => batch.balance({ env, token, code }));
  if (shortfall !== null) return { ok: false, reason: shortfall };
  batch.post({ env, token, from, to, amount, cause });
  const ids = await writeBatch(tx, batch, now);
  return { ok: true, transferId: ids.get(cause) ?? 0 };
}
