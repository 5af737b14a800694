import { sql } from "drizzle-orm";
import { type Db, oncePerDatabase, type Tx } from "#lib/db/connection.ts";
import { type CustomerRow, customerSteps } from "./store.ts";

// For a statement that writes a customer and, in the same breath, what belongs to it.
export { type CustomerRow, customerSteps };

const upsert = oncePerDatabase((db) => {
  const customer = customerSteps(db);
  return db
    .with(...customer.steps)
    .select({ id: customer.id.mapWith(Number) })
    .from(sql`(select) as nothing`)
    .prepare("upsert_customer");
});

/** The merchant's customer with this e-mail, made or brought up to date; an absent phone keeps the known one. */
export async function upsertCustomer(db: Db | Tx, customer: CustomerRow): Promise<{ id: number }> {
  const [row] = await upsert(db).execute({ ...customer });
  if (row === undefined) throw new Error("a written customer was not returned");
  return row;
}
