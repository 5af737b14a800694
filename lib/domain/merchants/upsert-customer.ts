import { sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { namedStatement } from "#lib/platform/db/statements.ts";
import { customerCtes, customersParameter, type NewCustomer } from "./store.ts";

// For a statement that writes customers and, in the same breath, what belongs to them.
export { customerCtes, customersParameter, type NewCustomer };

const upsert = namedStatement<{ id: string }>(
  "upsert_customer",
  sql`with ${customerCtes} select id from customer_ids`,
);

/** The merchant's customer with this e-mail, made or brought up to date; an absent phone keeps the known one. */
export async function createOrUpdateCustomer(db: Db | Tx, customer: NewCustomer): Promise<{ id: number }> {
  const [row] = await upsert(db, { customers: customersParameter([customer]) });
  if (row === undefined) throw new Error("a written customer was not returned");
  return { id: Number(row.id) };
}
