import { sql } from "drizzle-orm";
import { customerCtes, customersParameter } from "#lib/domain/merchants/create-customers.ts";
import { createBatcher } from "#lib/platform/db/batching.ts";
import {
  type Db,
  isRowRejected,
  isTransaction,
  oncePerDatabase,
  type Tx,
} from "#lib/platform/db/connection.ts";
import { namedStatement } from "#lib/platform/db/statements.ts";
import { paymentLinks } from "../tables.ts";
import { insertCreated } from "../totals/count-days.ts";
import type { PaymentLinkRow } from "../types.ts";

/** A new link without the columns that the database or its later life set. */
export type NewLinkRow = Omit<
  PaymentLinkRow,
  | "id"
  | "customerId"
  | "reason"
  | "late"
  | "version"
  | "seq"
  | "completedAt"
  | "paidNetwork"
  | "paidToken"
  | "canceledAt"
  | "archivedAt"
>;

/** A link without an e-mail address has no customer. */
const hasCustomer = ({ customerEmail }: NewLinkRow) => customerEmail !== "";

/** Two batches at a time: one statement runs while the next one is prepared. */
const BATCHES = { maxSize: 100, concurrency: 2 };

/** Inserts links and the newest details of their customers in one statement, so in one transaction and one commit. */
const insertStatement = namedStatement<{ id: string; customer_id: string | null; refid: string }>(
  "insert_payment_links",
  sql`with ${customerCtes}, inserted as (
    insert into ${paymentLinks} (refid, merchant_id, env, customer_id, customer_email, customer_first_name,
      customer_last_name, customer_phone, payment_reference, amount, currency, usd_cents, success_url, cancel_url,
      expires_at, metadata, wallet_pre_generated, state, next_check_at, form_id, form_quantity, pos_device_id,
      pairs, description, items, language, created_at, updated_at)
    select l.refid, l.merchant_id, l.env, c.id, l.customer_email, l.customer_first_name,
      l.customer_last_name, l.customer_phone, l.payment_reference, l.amount, l.currency, l.usd_cents, l.success_url,
      l.cancel_url, l.expires_at, l.metadata, l.wallet_pre_generated, l.state, l.next_check_at, l.form_id,
      l.form_quantity, l.pos_device_id, l.pairs, l.description, l.items, l.language, l.created_at, l.updated_at
    from jsonb_populate_recordset(null::${paymentLinks}, ${sql.placeholder("links")}::jsonb) l
    left join customer_ids c on c.merchant_id = l.merchant_id and c.env = l.env
      and c.mailbox = lower(l.customer_email)
    returning id, customer_id, refid, merchant_id, env, state, created_at
    ), counted as (${insertCreated("inserted")})
    select id, customer_id, refid from inserted`,
);

function toColumns(link: NewLinkRow): object {
  return {
    refid: link.refid,
    merchant_id: link.merchantId,
    env: link.env,
    customer_email: link.customerEmail,
    customer_first_name: link.customerFirstName,
    customer_last_name: link.customerLastName,
    customer_phone: link.customerPhone,
    payment_reference: link.paymentReference,
    amount: link.amount.toString(),
    currency: link.currency,
    usd_cents: link.usdCents?.toString(),
    success_url: link.successUrl,
    cancel_url: link.cancelUrl,
    expires_at: link.expiresAt,
    metadata: link.metadata,
    wallet_pre_generated: link.walletPreGenerated,
    state: link.state,
    next_check_at: link.nextCheckAt,
    form_id: link.formId,
    form_quantity: link.formQuantity,
    pos_device_id: link.posDeviceId,
    pairs: link.pairs,
    description: link.description,
    items: link.items,
    language: link.language,
    created_at: link.createdAt,
    updated_at: link.updatedAt,
  };
}

async function insertLinks(db: Db | Tx, links: readonly NewLinkRow[]): Promise<readonly PaymentLinkRow[]> {
  const rows = await insertStatement(db, {
    links: JSON.stringify(links.map(toColumns)),
    customers: customersParameter(
      links.filter(hasCustomer).map((link) => ({
        merchantId: link.merchantId,
        env: link.env,
        email: link.customerEmail,
        firstName: link.customerFirstName,
        lastName: link.customerLastName,
        phone: link.customerPhone,
      })),
    ),
  });
  const inserted = new Map(
    rows.map(({ refid, id, customer_id }) => [
      refid,
      { id: Number(id), customerId: customer_id === null ? null : Number(customer_id) },
    ]),
  );
  return links.map((link) => {
    const ids = inserted.get(link.refid);
    if (ids === undefined) throw new Error(`Payment link ${link.refid} was not inserted.`);
    return {
      ...link,
      ...ids,
      reason: null,
      late: false,
      version: 1,
      seq: 0,
      completedAt: null,
      paidNetwork: null,
      paidToken: null,
      canceledAt: null,
      archivedAt: null,
    };
  });
}

/** If the database rejects one row, inserts each link with its own statement, so that the others are kept. */
async function insertBatch(
  db: Db,
  links: readonly NewLinkRow[],
): Promise<readonly (PaymentLinkRow | Promise<PaymentLinkRow>)[]> {
  try {
    return await insertLinks(db, links);
  } catch (error) {
    if (links.length === 1 || !isRowRejected(error)) throw error;
    return links.map((link) => insertOne(db, link));
  }
}

async function insertOne(db: Db | Tx, link: NewLinkRow): Promise<PaymentLinkRow> {
  const [inserted] = await insertLinks(db, [link]);
  if (inserted === undefined) throw new Error(`Payment link ${link.refid} was not inserted.`);
  return inserted;
}

const batchedInsert = oncePerDatabase((db) =>
  createBatcher(BATCHES, (links: readonly NewLinkRow[]) => insertBatch(db, links)),
);

/**
 * Inserts a link and the newest details of its customer. Runs in the transaction `db`; on the pool it shares one
 * statement with other links that are inserted at the same time.
 */
export function insertLink(db: Db | Tx, link: NewLinkRow): Promise<PaymentLinkRow> {
  return isTransaction(db) ? insertOne(db, link) : batchedInsert(db)(link);
}
