import type { AuditEntry } from "#lib/domain/audit/record-decision.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { Database, Tx } from "#lib/platform/db/connection.ts";
import type { RefusalReason } from "./refusals.ts";
import { requireSuccess } from "./run-command.ts";

type Outcome = { readonly ok: true } | { readonly ok: false; readonly reason: RefusalReason };
type Done<R extends Outcome> = Extract<R, { ok: true }>;

/** Who sits at the command: the system's user. */
export function getOperatorName(): string {
  return `operator:${process.env.SUDO_USER ?? process.env.USER ?? "unknown"}`;
}

/** Does what an operator decided and puts it on record, in one transaction; a refusal leaves neither. */
export function runAudited<R extends Outcome>(
  { db }: Database,
  work: (tx: Tx, now: Date) => Promise<R>,
  describe: (done: Done<R>) => Omit<AuditEntry, "actor">,
): Promise<Done<R>> {
  const now = new Date();
  return db.transaction(async (tx) => {
    const done = requireSuccess(await work(tx, now));
    await recordDecision(tx, { actor: getOperatorName(), ...describe(done) }, now);
    return done;
  });
}
