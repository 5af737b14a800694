import { type SQL, sql } from "drizzle-orm";
import { customerCtes } from "#lib/domain/merchants/create-customers.ts";
import { availabilityDigest } from "#lib/domain/settings/queries.ts";
import { hasEndpointOfFormat } from "#lib/domain/webhooks/queries.ts";
import { createBatcher } from "#lib/platform/db/batching.ts";
import { type Db, isRowRejected, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { namedStatement } from "#lib/platform/db/statements.ts";
import { paymentLinks } from "../tables.ts";
import { insertCreated } from "../totals/count-days.ts";
import type { PaymentLinkRow } from "../types.ts";

/** The known columns of a link before it is inserted. The database and its later life set the other columns. */
const GIVEN = [
  "refid",
  "merchantId",
  "env",
  "customerEmail",
  "customerFirstName",
  "customerLastName",
  "customerPhone",
  "paymentReference",
  "amount",
  "currency",
  "usdCents",
  "successUrl",
  "cancelUrl",
  "expiresAt",
  "metadata",
  "walletPreGenerated",
  "state",
  "nextCheckAt",
  "formId",
  "formQuantity",
  "posDeviceId",
  "pairs",
  "description",
  "items",
  "language",
  "createdAt",
  "updatedAt",
] as const satisfies readonly (keyof PaymentLinkRow)[];

/** A link before it is inserted. */
export type NewLinkRow = Pick<PaymentLinkRow, (typeof GIVEN)[number]>;

/** Four at once: while a batch waits for the lock of a customer, others pass it. */
const BATCHES = { maxSize: 100, concurrency: 4 };

const columns = GIVEN.map((field) => paymentLinks[field]);
const listColumns = (from = ""): SQL => sql.raw(columns.map(({ name }) => `${from}${name}`).join(", "));
const typedColumns = sql.raw(columns.map((column) => `${column.name} ${column.getSQLType()}`).join(", "));

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
      from rows from (json_to_recordset(${sql.placeholder("links")}::json) as (${typedColumns})) with ordinality l
    ), new_links as (
      select * from given_links
      where relies_on is null or (not is_invoice
        and relies_on = case env when 'live' then ${availabilityDigest("live")} else ${availabilityDigest("test")} end)
    ), ${customerCtes(customersOfLinks)}, inserted as (
    insert into ${paymentLinks} (customer_id, ${listColumns()})
    select c.id, ${listColumns("l.")}
    from new_links l
    left join customer_ids c on c.merchant_id = l.merchant_id and c.env = l.env
      and c.mailbox = lower(l.customer_email)
    returning id, customer_id, refid, merchant_id, env, state, created_at
    ), counted as (${insertCreated("inserted")})
    select l.refid, l.is_invoice, i.id, i.customer_id from given_links l left join inserted i using (refid)`,
);

/** A row of the statement's JSON. A column without a value is left out: PostgreSQL need not read it. */
function toColumns(link: NewLinkRow): object {
  const row: Record<string, unknown> = {};
  for (const field of GIVEN) {
    const value = link[field];
    if (value !== null) row[paymentLinks[field].name] = typeof value === "bigint" ? value.toString() : value;
  }
  return row;
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
