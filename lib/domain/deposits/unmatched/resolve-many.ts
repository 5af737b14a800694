import type { NetworkRegistry } from "#lib/chains/network.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { creditMerchants } from "#lib/domain/ledger/credit-merchants.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { emitDepositEvents, getNetworkDisplay } from "../deposit-record.ts";
import { resolutionCause } from "../rules.ts";
import type { UnmatchedFilter } from "./many-queries.ts";
import { creditHeldDeposits, lockHeldDeposits, resolveUnlistedDeposits } from "./many-store.ts";

/** Deposits per transaction. */
const BATCH_SIZE = 200;

interface ManyResolutions {
  readonly filter: UnmatchedFilter;
  /** Who gets the deposits. */
  readonly merchant: Merchant;
  /** Who resolves them, for the audit log. */
  readonly actor: string;
}

/**
 * Assigns every unmatched deposit of a filter to a merchant, oldest first, as resolveDeposit does with one. Unlisted
 * tokens are only marked as resolved.
 *
 * Writes, in one transaction for each batch: deposit status, ledger transfers, webhook events and one line of the audit log
 * with the ids. When the process is killed, a batch is either complete or not written. The next call continues, because
 * what is resolved no longer fits the filter. `report` gets the number of resolved deposits after each batch. Returns it.
 */
export async function resolveDeposits(
  db: Db,
  networks: NetworkRegistry,
  request: ManyResolutions,
  { now, report }: { readonly now: () => Date; readonly report: (resolved: number) => void },
): Promise<number> {
  let resolved = 0;
  for (const resolveBatch of [resolveHeld, resolveUnlisted]) {
    for (let after = 0; ; ) {
      const batch = { ...request, networks, after };
      const ids = await db.transaction((tx) => resolveBatch(tx, batch, now()));
      after = ids.at(-1) ?? after;
      resolved += ids.length;
      if (ids.length > 0) report(resolved);
      if (ids.length < BATCH_SIZE) break;
    }
  }
  return resolved;
}

interface Batch extends ManyResolutions {
  readonly networks: NetworkRegistry;
  /** Only ids above this one. */
  readonly after: number;
}

/** Returns the ids, in order. */
async function resolveHeld(tx: Tx, batch: Batch, now: Date): Promise<readonly number[]> {
  const { filter, merchant, networks, after } = batch;
  const held = await lockHeldDeposits(tx, filter, { after, limit: BATCH_SIZE });
  if (held.length === 0) return [];
  const { env } = filter;
  const ids = held.map(({ id }) => id);
  await creditHeldDeposits(tx, ids, merchant.id, now);
  const credits = held.map(({ id, creditRound, ...deposit }) => {
    const cause = resolutionCause({ id, creditRound });
    return { ...deposit, env, merchantId: merchant.id, source: "unmatched", cause } as const;
  });
  await creditMerchants(tx, credits, now);
  for (const [network, of] of Map.groupBy(held, (deposit) => deposit.network)) {
    const event = { type: "deposit_credited", depositIds: of.map(({ id }) => id) } as const;
    await emitDepositEvents(tx, getNetworkDisplay(networks, env, network), event, now);
  }
  await recordBatch(tx, batch, { ids, sums: sumByToken(held) }, now);
  return ids;
}

async function resolveUnlisted(tx: Tx, batch: Batch, now: Date): Promise<readonly number[]> {
  const { filter, merchant, after } = batch;
  const page = { after, limit: BATCH_SIZE, merchantId: merchant.id };
  const ids = await resolveUnlistedDeposits(tx, filter, page, now);
  if (ids.length > 0) await recordBatch(tx, batch, { ids, sums: {} }, now);
  return ids;
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

function recordBatch(
  tx: Tx,
  { filter, merchant, actor }: Batch,
  { ids, sums }: { readonly ids: readonly number[]; readonly sums: Readonly<Record<string, string>> },
  now: Date,
): Promise<void> {
  const details = { to: merchant.email, env: filter.env, deposits: ids.length, ids: ids.join(" "), ...sums };
  const entry = { actor, action: "deposit.resolve-many", subject: `deposit:${ids[0]}`, details };
  return recordDecision(tx, entry, now);
}
