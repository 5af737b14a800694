import { type SQL, sql } from "drizzle-orm";
import type { NetworkCode, NetworkScope } from "#lib/chains/networks.ts";
import { depositLiteral } from "#lib/domain/deposit-status.ts";
import { paymentLinks, paymentLinkWallets } from "#lib/domain/payment-links/tables.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { OPEN_STATUSES, statusLiterals } from "#lib/domain/withdrawal-status.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { CHANNELS } from "#lib/platform/db/listen-for-changes.ts";
import { deposits } from "../tables.ts";

/**
 * Returns whether anything is open on the network or can be expected there: an open payment link with an address on it, a
 * deposit that waits for confirmations, an open withdrawal, or an address of a wallet that was allocated after `since` or
 * paid in block `sinceHeight` or later. One query. It reads every open link at worst.
 */
export function isPaymentExpected(
  db: Db,
  scope: NetworkScope,
  { since, sinceHeight }: { readonly since: Date; readonly sinceHeight: number },
): Promise<boolean> {
  const { env, network } = scope;
  return ask(db, [
    ...somethingWaits(scope),
    sql`select from ${addresses} where env = ${env} and network = ${network}
      and created_at > ${since} and purpose in ('customer', 'merchant')`,
    sql`select from ${paymentLinks} l join ${paymentLinkWallets} w on w.payment_link_id = l.id
      where l.env = ${env} and w.network = ${network} and l.next_check_at is not null`,
    sql`select from ${deposits} d join ${addresses} a on a.id = d.address_id
      where d.env = ${env} and d.network = ${network} and d.block_height >= ${sinceHeight}
        and a.purpose in ('customer', 'merchant')`,
  ]);
}

/**
 * Returns whether something began since isPaymentExpected found nothing: an address of any kind was allocated after
 * `since`, or something waits. Reads a few entries of indexes, however many links are open.
 */
export function hasBegun(db: Db, scope: NetworkScope, since: Date): Promise<boolean> {
  const { env, network } = scope;
  const allocated = sql`select from ${addresses} where env = ${env} and network = ${network} and created_at > ${since}`;
  return ask(db, [...somethingWaits(scope), allocated]);
}

function somethingWaits({ env, network }: NetworkScope): readonly SQL[] {
  return [
    sql`select from ${deposits} where env = ${env} and network = ${network} and status = ${depositLiteral("seen")}`,
    sql`select from ${withdrawals} where env = ${env} and network = ${network} and status in ${statusLiterals(OPEN_STATUSES)}`,
  ];
}

/** Whether one of these queries has a row. */
async function ask(db: Db, queries: readonly SQL[]): Promise<boolean> {
  const any = sql.join(
    queries.map((query) => sql`exists (${query})`),
    sql` or `,
  );
  const { rows } = await db.execute<{ found: boolean }>(sql`select ${any} as found`);
  return rows[0]?.found === true;
}

/**
 * Notifies the watcher that a payment of this link was sent. Does nothing for a link that has no address on the network, and
 * for one that has ended. A hint proves nothing: only what the watcher then finds counts.
 */
export async function hintTransaction(db: Db, refid: string, network: NetworkCode): Promise<void> {
  await db.execute(sql`
    select pg_notify(${CHANNELS.sentPayments}, l.env || ':' || w.network)
    from ${paymentLinks} l join ${paymentLinkWallets} w on w.payment_link_id = l.id
    where l.refid = ${refid} and w.network = ${network} and l.next_check_at is not null`);
}
