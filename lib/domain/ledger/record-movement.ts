import type { Env } from "#lib/chains/network-data.ts";
import { defineInstallationVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import {
  checkMovement,
  checkMovementFunds,
  movementAccounts,
  type OperatorMovement,
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
 * Posts coins that the operator moved. First locks the two accounts and checks that custody of the source network and the debited account
 * have enough.
 */
export const recordMovement = defineInstallationVerb(
  "ledger.movement",
  async ({ tx, now }, given: NewOperatorMovement) => {
    const { env, token, amount, reference, movement } = given;
    const problem = checkMovement(movement, { token, amount, reference });
    if (problem !== null) return refuse(problem);
    const { from, to } = movementAccounts(movement);
    const cause = `operator:${env}:${reference}`;
    const accounts = [from, to].map((code) => ({ env, token, code }));
    const batch = await openBatch(tx, accounts, now);
    if ((await listPostedCauses(tx, [cause])).size > 0) return refuse("movement_recorded_before");
    const shortfall = checkMovementFunds(movement, amount, (code) => batch.balance({ env, token, code }));
    if (shortfall !== null) return refuse(shortfall);
    batch.post({ env, token, from, to, amount, cause });
    const ids = await writeBatch(tx, batch, now);
    const transferId = ids.get(cause) ?? 0;
    const moved = { amount: formatAmount(amount, TOKENS[token].ledgerDecimals), reference, ...movement };
    return done({ transferId }, { subject: `transfer:${transferId}`, details: { env, token, ...moved } });
  },
);
