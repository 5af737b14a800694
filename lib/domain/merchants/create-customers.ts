import { type SQL, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { namedStatement } from "#lib/platform/db/statements.ts";
import { customers } from "./tables.ts";

export interface NewCustomer {
  readonly merchantId: number;
  readonly env: Env;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string | null;
}

/**
 * Common table expressions for the WITH clause of a named statement that needs the ids of customers. `source` has rows
 * (merchant_id, env, email, first_name, last_name, phone, place). The last expression is
 * `customer_ids` (id, merchant_id, env, mailbox). A mailbox is an e-mail address in lower case: it identifies the
 * customer, whatever the case in which it is sent. Only the database converts it, because the unique index compares
 * what the database converted. If a customer has several rows, the names of the last one count. Customers are inserted or
 * updated in one order everywhere, so that concurrent statements do not deadlock. A missing phone keeps the stored one.
 * An unchanged customer is not written, so that many links of one customer do not wait for one row.
 */
export const customerCtes = (source: SQL): SQL => sql`
  given_customers as (
    select merchant_id, env, lower(email) as mailbox, (array_agg(email order by place))[1] as email,
      (array_agg(first_name order by place desc))[1] as first_name,
      (array_agg(last_name order by place desc))[1] as last_name,
      (array_agg(phone order by place desc) filter (where phone is not null))[1] as phone
    from ${source} g
    group by merchant_id, env, lower(email)),
  known_customers as (
    select g.*, (select c.id from ${customers} c
      where c.merchant_id = g.merchant_id and c.env = g.env and lower(c.email) = g.mailbox
        and c.first_name = g.first_name and c.last_name = g.last_name
        and coalesce(g.phone, c.phone) is not distinct from c.phone) as known_id
    from given_customers g),
  written_customers as (
    insert into ${customers} (merchant_id, env, email, first_name, last_name, phone)
    select merchant_id, env, email, first_name, last_name, phone from known_customers where known_id is null
    order by merchant_id, env, mailbox
    on conflict (merchant_id, env, lower(email)) do update
    set first_name = excluded.first_name, last_name = excluded.last_name,
      phone = coalesce(excluded.phone, ${customers}.phone)
    returning id, merchant_id, env, lower(email) as mailbox),
  customer_ids as (
    select known_id as id, merchant_id, env, mailbox from known_customers where known_id is not null
    union all select id, merchant_id, env, mailbox from written_customers)`;

const given = (name: string, type: string) => sql`${sql.placeholder(name)}::${sql.raw(type)}`;

const customerStatement = namedStatement<{ id: string }>(
  "upsert_customer",
  sql`with ${customerCtes(sql`(
    select ${given("merchantId", "bigint")} as merchant_id, ${given("env", "text")} as env, ${given("email", "text")} as email,
      ${given("firstName", "text")} as first_name, ${given("lastName", "text")} as last_name,
      ${given("phone", "text")} as phone, 1 as place)`)}
    select id from customer_ids`,
);

/**
 * Creates or updates the merchant's customer with this e-mail address, in upper or lower case. A missing phone keeps
 * the stored one.
 */
export async function createOrUpdateCustomer(db: Db | Tx, customer: NewCustomer): Promise<{ id: number }> {
  const [row] = await customerStatement(db, { ...customer });
  if (row === undefined) throw new Error("a written customer was not returned");
  return { id: Number(row.id) };
}
