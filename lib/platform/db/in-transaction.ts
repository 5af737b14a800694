import type { Db, Tx } from "./connection.ts";

/**
 * Runs `work` in one transaction and returns its result. When the result is a refusal (`ok` is false), everything that
 * `work` wrote is rolled back first. Refusals are values: a use case returns them and throws only for faults.
 */
export async function inTransaction<T extends { readonly ok: boolean }>(
  db: Db | Tx,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  let refusal: T | null = null;
  // Drizzle rolls back only when the callback throws. This error never leaves the function.
  const rollback = new Error("transaction refused");
  try {
    return await db.transaction(async (tx) => {
      const result = await work(tx);
      if (result.ok) return result;
      refusal = result;
      throw rollback;
    });
  } catch (error) {
    if (error === rollback && refusal !== null) return refusal;
    throw error;
  }
}
