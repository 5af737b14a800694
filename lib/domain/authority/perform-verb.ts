import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { inTransaction } from "#lib/platform/db/in-transaction.ts";
import type { Barred, Outcome, Refusal } from "./define-verb.ts";
import type { InstallationAct } from "./types.ts";

/** The database of a verb. */
interface Stage {
  readonly db: Db;
  /** A transaction that the act joins. `afterwards` runs work after it has ended. Absent: the act has a transaction of its own. */
  readonly joined?: {
    readonly db: Db | Tx;
    afterwards(work: () => Promise<void>): void;
  };
}

/** Does a verb in one transaction. After a refusal, the transaction is rolled back, and then the attempt is kept if the verb says so. */
export async function performVerb<A extends InstallationAct, Input, Result, Reason extends string>(
  { db, joined }: Stage,
  verb: (act: A, input: Input) => Promise<Outcome<Result, Reason>>,
  act: Omit<A, "tx">,
  input: Input,
): Promise<({ readonly ok: true } & Result) | Refusal<Reason> | Barred> {
  const outcome = await inTransaction<Outcome<Result, Reason>>(joined?.db ?? db, (tx) =>
    verb({ ...act, tx } as A, input),
  );
  if (outcome.ok || "barred" in outcome) return outcome;
  const { keep, ...refusal } = outcome;
  if (keep !== undefined && joined !== undefined) joined.afterwards(() => keep(db));
  else await keep?.(db);
  return refusal;
}
