import type { NetworkRegistry } from "#lib/chains/network.ts";
import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Act } from "#lib/domain/authority/types.ts";
import { creditMerchants } from "#lib/domain/ledger/credit-merchants.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { emitDepositEvents, getNetworkDisplay } from "../deposit-record.ts";
import { resolutionCause } from "../rules.ts";
import type { UnmatchedFilter } from "./many-queries.ts";
import { creditHeldDeposits, lockHeldDeposits, resolveUnlistedDeposits } from "./many-store.ts";
import { findReceiver } from "./resolve-deposit.ts";

/** Deposits per transaction. */
const BATCH_SIZE = 200;

/** The next deposits of a kind, oldest first. */
interface Batch {
  readonly kind: "held" | "unlisted";
  /** Only ids above this one. */
  readonly after: number;
}

interface ManyResolutions extends Batch {
  readonly networks: NetworkRegistry;
  readonly filter: Omit<UnmatchedFilter, "env">;
}

/**
 * Assigns a batch of the unmatched deposits of a filter to the act's merchant, as resolveDeposit does with one: writes deposit status,
 * ledger transfers, webhook events and one line of the audit log with the ids. Unlisted tokens are only marked as resolved. Returns the
 * ids, in order.
 */
export const resolveDepositBatch = defineVerb("deposit.resolve-many", async (act, batch: ManyResolutions) => {
  const merchant = await findReceiver(act);
  if (merchant === null) return refuse("merchant_not_found");
  const { ids, sums } = await (batch.kind === "held" ? resolveHeld : resolveUnlisted)(act, batch);
  if (ids.length === 0) return done({ ids }, null);
  const details = { to: merchant.email, env: act.env, deposits: ids.length, ids: ids.join(" "), ...sums };
  return done({ ids }, { subject: `deposit:${ids[0]}`, details });
});

/**
 * Resolves every deposit of a filter, in batches: `resolve` does resolveDepositBatch in a transaction. When the process is killed, a batch
 * is either complete or not written. The next call continues, because a resolved deposit no longer fits the filter. `report` gets the
 * number of resolved deposits after each batch. Returns it.
 */
export async function resolveDeposits(
  resolve: (batch: Batch) => Promise<{ readonly ids: readonly number[] }>,
  report: (resolved: number) => void,
): Promise<number> {
  let resolved = 0;
  for (const kind of ["held", "unlisted"] as const) {
    for (let after = 0; ; ) {
      const { ids } = await resolve({ kind, after });
      after = ids.at(-1) ?? after;
      resolved += ids.length;
      if (ids.length > 0) report(resolved);
      if (ids.length < BATCH_SIZE) break;
    }
  }
  return resolved;
}

interface ResolvedBatch {
  readonly ids: readonly number[];
  readonly sums: Readonly<Record<string, string>>;
}

async function resolveHeld(
  { tx, now, merchantId, env }: Act,
  { filter, networks, after }: ManyResolutions,
): Promise<ResolvedBatch> {
  const held = await lockHeldDeposits(tx, { ...filter, env }, { after, limit: BATCH_SIZE });
  if (held.length === 0) return { ids: [], sums: {} };
  const ids = held.map(({ id }) => id);
  await creditHeldDeposits(tx, ids, merchantId, now);
  const credits = held.map(({ id, creditRound, ...deposit }) => {
    const cause = resolutionCause({ id, creditRound });
    return { ...deposit, env, merchantId, source: "unmatched", cause } as const;
  });
  await creditMerchants(tx, credits, now);
  for (const [network, of] of Map.groupBy(held, (deposit) => deposit.network)) {
    const event = { type: "deposit_credited", depositIds: of.map(({ id }) => id) } as const;
    await emitDepositEvents(tx, getNetworkDisplay(networks, env, network), event, now);
  }
  return { ids, sums: sumByToken(held) };
}

async function resolveUnlisted(
  { tx, now, merchantId, env }: Act,
  { filter, after }: ManyResolutions,
): Promise<ResolvedBatch> {
  const page = { after, limit: BATCH_SIZE, merchantId };
  return { ids: await resolveUnlistedDeposits(tx, { ...filter, env }, page, now), sums: {} };
}

/** The total of each token, as decimal text. */
export function sumByToken(
  held: readonly { readonly token: TokenCode; readonly amount: bigint }[],
): Record<string, string> {
  const sums = [...Map.groupBy(held, ({ token }) => token)].map(([token, of]) => {
    const total = of.reduce((sum, { amount }) => sum + amount, 0n);
    return [token, formatAmount(total, TOKENS[token].ledgerDecimals)];
  });
  return Object.fromEntries(sums);
}
