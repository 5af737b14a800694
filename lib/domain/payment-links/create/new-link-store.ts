import { sql } from "drizzle-orm";
import { customerCtes, customersParameter } from "#lib/domain/merchants/upsert-customer.ts";
import { createBatcher } from "#lib/platform/db/batching.ts";
import {
  type Db,
  isRowRejected,
  isTransaction,
  oncePerDatabase,
  type Tx,
} from "#lib/platform/db/connection.ts";
import { namedStatement } from "#lib/platform/db/statements.ts";
import type { LinkRow } from "../store.ts";
import { paymentLinks } from "../tables.ts";

type Link = LinkRow["link"];
/** A link as it begins. */
export type NewLink = Omit<Link, "id" | "customerId" | "reason" | "late" | "version" | "seq" | "completedAt">;

/** One statement is being made ready while another is committed. */
const TOGETHER = { maxSize: 100, concurrency: 2 };

/** Links and their customers' newest details, in one statement: it is one transaction, one commit for all of them. */
const insertion = namedStatement<{ id: string; customer_id: string; refid: string }>(
  "insert_payment_links",
  sql`with ${customerCtes}
    insert into ${paymentLinks} (refid, merchant_id, env, customer_id, customer_email, customer_first_name,
      customer_last_name, customer_phone, payment_reference, amount, currency, usd_cents, success_url, cancel_url,
      expires_at, metadata, wallet_pre_generated, state, next_check_at, created_at, updated_at)
    select l.refid, l.merchant_id, l.env, c.id, l.customer_email, l.customer_first_name,
      l.customer_last_name, l.customer_phone, l.payment_reference, l.amount, l.currency, l.usd_cents, l.success_url,
      l.cancel_url, l.expires_at, l.metadata, l.wallet_pre_generated, l.state, l.next_check_at, l.created_at, l.updated_at
    from jsonb_populate_recordset(null::${paymentLinks}, ${sql.placeholder("links")}::jsonb) l
    join customer_ids c on c.merchant_id = l.merchant_id and c.env = l.env and c.email = l.customer_email
    returning id, customer_id, refid`,
);

function columnsOf(link: NewLink): object {
  return {
    ...{ refid: link.refid, merchant_id: link.merchantId, env: link.env },
    customer_email: link.customerEmail,
    customer_first_name: link.customerFirstName,
    customer_last_name: link.customerLastName,
    customer_phone: link.customerPhone,
    payment_reference: link.paymentReference,
    ...{ amount: link.amount.toString(), currency: link.currency },
    usd_cents: link.usdCents?.toString(),
    ...{ success_url: link.successUrl, cancel_url: link.cancelUrl },
    ...{ expires_at: link.expiresAt, metadata: link.metadata },
    wallet_pre_generated: link.walletPreGenerated,
    ...{ state: link.state, next_check_at: link.nextCheckAt },
    ...{ created_at: link.createdAt, updated_at: link.updatedAt },
  };
}

async function insertLinks(db: Db | Tx, links: readonly NewLink[]): Promise<readonly Link[]> {
  const rows = await insertion(db, {
    links: JSON.stringify(links.map(columnsOf)),
    customers: customersParameter(
      links.map((link) => ({
        ...{ merchantId: link.merchantId, env: link.env, email: link.customerEmail },
        ...{ firstName: link.customerFirstName, lastName: link.customerLastName, phone: link.customerPhone },
      })),
    ),
  });
  const idsOf = new Map(
    rows.map(({ refid, id, customer_id }) => [refid, { id: Number(id), customerId: Number(customer_id) }]),
  );
  return links.map((link) => {
    const ids = idsOf.get(link.refid);
    if (ids === undefined) throw new Error("payment link not inserted");
    return { ...link, ...ids, reason: null, late: false, version: 1, seq: 0, completedAt: null };
  });
}

/** A link that the tables refuse takes none of its batch along: each is then a statement of its own. */
async function insertBatch(db: Db, links: readonly NewLink[]): Promise<readonly (Link | Promise<Link>)[]> {
  try {
    return await insertLinks(db, links);
  } catch (error) {
    if (links.length === 1 || !isRowRejected(error)) throw error;
    return links.map((link) => insertOne(db, link));
  }
}

async function insertOne(db: Db | Tx, link: NewLink): Promise<Link> {
  const [written] = await insertLinks(db, [link]);
  if (written === undefined) throw new Error("payment link not inserted");
  return written;
}

const queueOf = oncePerDatabase((db) =>
  createBatcher(TOGETHER, (links: readonly NewLink[]) => insertBatch(db, links)),
);

/**
 * Stores a link and its customer's newest details: in the transaction that `db` is, else whole by itself, in one
 * statement with those that come in at the same time.
 */
export function insertLink(db: Db | Tx, link: NewLink): Promise<Link> {
  return isTransaction(db) ? insertOne(db, link) : queueOf(db)(link);
}
