import { sql } from "drizzle-orm";
import { customerCtes } from "#lib/domain/merchants/create-customers.ts";
import { availabilityDigest } from "#lib/domain/settings/queries.ts";
import { hasEndpointOfFormat } from "#lib/domain/webhooks/queries.ts";
import { createBatcher } from "#lib/platform/db/batching.ts";
import { type Db, isRowRejected, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
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

/** Four at once: links wait for a lock of a customer only behind other links of that customer. */
const BATCHES = { maxSize: 100, concurrency: 4 };

/** The customers of new links. A link without an e-mail address has none. */
const customersOfLinks = sql`(
  select merchant_id, env, customer_email as email, customer_first_name as first_name, customer_last_name as last_name,
    customer_phone as phone, ordinality as place
  from new_links where customer_email <> '')`;

interface InsertedRow extends Record<string, unknown> {
  readonly refid: string;
  readonly is_invoice: boolean;
  /** Null: the link was not inserted. */
  readonly id: string | null;
  readonly customer_id: string | null;
}

/**
 * Inserts links and the newest details of their customers in one statement, so in one transaction and one commit. A link that relies on
 * what was available (its digest) is left out if that has changed, or if shops hear of it as an invoice.
 */
const insertStatement = namedStatement<InsertedRow>(
  "insert_payment_links",
  sql`with given_links as materialized (
      select l.*, ${hasEndpointOfFormat({ merchantId: sql`l.merchant_id`, env: sql`l.env` }, "btcpay")} as is_invoice,
        (select ${sql.placeholder("digests")}::text[])[l.ordinality] as relies_on
      from json_populate_recordset(null::${paymentLinks}, ${sql.placeholder("links")}::json) with ordinality l
    ), new_links as (
      select * from given_links
      where relies_on is null or (not is_invoice
        and relies_on = case env when 'live' then ${availabilityDigest("live")} else ${availabilityDigest("test")} end)
    ), ${customerCtes(customersOfLinks)}, inserted as (
    insert into ${paymentLinks} (refid, merchant_id, env, customer_id, customer_email, customer_first_name,
      customer_last_name, customer_phone, payment_reference, amount, currency, usd_cents, success_url, cancel_url,
      expires_at, metadata, wallet_pre_generated, state, next_check_at, form_id, form_quantity, pos_device_id,
      pairs, description, items, language, created_at, updated_at)
    select l.refid, l.merchant_id, l.env, c.id, l.customer_email, l.customer_first_name,
      l.customer_last_name, l.customer_phone, l.payment_reference, l.amount, l.currency, l.usd_cents, l.success_url,
      l.cancel_url, l.expires_at, l.metadata, l.wallet_pre_generated, l.state, l.next_check_at, l.form_id,
      l.form_quantity, l.pos_device_id, l.pairs, l.description, l.items, l.language, l.created_at, l.updated_at
    from new_links l
    left join customer_ids c on c.merchant_id = l.merchant_id and c.env = l.env
      and c.mailbox = lower(l.customer_email)
    returning id, customer_id, refid, merchant_id, env, state, created_at
    ), counted as (${insertCreated("inserted")})
    select l.refid, l.is_invoice, i.id, i.customer_id from given_links l left join inserted i using (refid)`,
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

interface InsertedLink {
  /** Null: the link was left out. */
  readonly link: PaymentLinkRow | null;
  /** Shops hear of the link as an invoice. */
  readonly isInvoice: boolean;
}

interface GivenLink {
  readonly link: NewLinkRow;
  /** The digest of the availability that the link relies on. Null: it is inserted in any case, also if it is an invoice. */
  readonly digest: string | null;
}

async function insertLinks(db: Db | Tx, given: readonly GivenLink[]): Promise<readonly InsertedLink[]> {
  const links = given.map(({ link }) => link);
  const digests = given.map(({ digest }) => digest);
  const rows = await insertStatement(db, { links: JSON.stringify(links.map(toColumns)), digests });
  const inserted = new Map(rows.map((row) => [row.refid, row]));
  return links.map((link) => {
    const row = inserted.get(link.refid);
    if (row === undefined) throw new Error(`Payment link ${link.refid} was not inserted.`);
    return { link: toInserted(link, row), isInvoice: row.is_invoice };
  });
}

function toInserted(link: NewLinkRow, { id, customer_id }: InsertedRow): PaymentLinkRow | null {
  if (id === null) return null;
  return {
    ...link,
    id: Number(id),
    customerId: customer_id === null ? null : Number(customer_id),
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
}

type Inserted = PaymentLinkRow | null;

/** If the database rejects one row, inserts each link with its own statement, so that the others are kept. */
async function insertBatch(
  db: Db,
  links: readonly GivenLink[],
): Promise<readonly (Inserted | Promise<Inserted>)[]> {
  try {
    return (await insertLinks(db, links)).map(({ link }) => link);
  } catch (error) {
    if (links.length === 1 || !isRowRejected(error)) throw error;
    return links.map(async (link) => (await insertLinks(db, [link]))[0]?.link ?? null);
  }
}

const batchedInsert = oncePerDatabase((db) =>
  createBatcher(BATCHES, (links: readonly GivenLink[]) => insertBatch(db, links)),
);

/**
 * Inserts a link and the newest details of its customer, in one statement with other links that are inserted at the same
 * time. Returns null, and inserts nothing, if what was available has another digest now, or if shops hear of the link as an
 * invoice: their event needs a transaction.
 */
export function insertPlainLink(db: Db, link: NewLinkRow, digest: string): Promise<PaymentLinkRow | null> {
  return batchedInsert(db)({ link, digest });
}

/** Inserts a link and the newest details of its customer. `isInvoice`: shops hear of the link as an invoice. */
export async function insertLink(
  tx: Tx,
  newLink: NewLinkRow,
): Promise<{ readonly link: PaymentLinkRow; readonly isInvoice: boolean }> {
  const [inserted] = await insertLinks(tx, [{ link: newLink, digest: null }]);
  if (inserted === undefined || inserted.link === null)
    throw new Error(`Payment link ${newLink.refid} was not inserted.`);
  return { link: inserted.link, isInvoice: inserted.isInvoice };
}
