import type { Db, Tx } from "#lib/platform/db/connection.ts";

/** PostgreSQL plans a statement for each of its first five calls, and then keeps a plan unless it expects new plans to be cheaper. */
export const TIMES = 8;

/** The statements of this connection that ran TIMES times or more, and whether their plans were kept. */
export async function listKept(db: Db | Tx): Promise<ReadonlyMap<string, boolean>> {
  const { rows } = await db.execute<{ name: string; kept: boolean }>(`
    select name, custom_plans < ${TIMES} as kept from pg_prepared_statements
    where generic_plans + custom_plans >= ${TIMES}`);
  return new Map(rows.map(({ name, kept }) => [name, kept]));
}

/** The plan of a statement of this connection, as it would run now. Kept plans do not depend on the values. */
export async function keptPlanOf(db: Db | Tx, name: string): Promise<string> {
  const { rows: found } = await db.execute<{ count: number }>(
    `select cardinality(parameter_types) as count from pg_prepared_statements where name = '${name}'`,
  );
  const values = Array(found[0]?.count ?? 0).fill("null");
  const { rows } = await db.execute<{ "QUERY PLAN": string }>(
    `explain execute ${name} (${values.join(", ")})`,
  );
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}
