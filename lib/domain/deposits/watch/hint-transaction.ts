import { sql } from "drizzle-orm";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { paymentLinks, paymentLinkWallets } from "#lib/domain/payment-links/tables.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { CHANNELS } from "#lib/platform/db/listen-for-changes.ts";

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
