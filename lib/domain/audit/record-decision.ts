import { sql } from "drizzle-orm";
import { getClientAddress } from "#lib/platform/client-address.ts";
import type { Tx } from "#lib/platform/db/connection.ts";

/** A decision of a person. */
export interface AuditEntry {
  /** The actor who decided: "operator:{system user}". */
  readonly actor: string;
  /** The action of the person: "deposit.resolve". */
  readonly action: string;
  /** The object of the action: "deposit:12". */
  readonly subject: string;
  /** The merchant whose people see the entry. Absent: only the operator does. */
  readonly merchantId?: number;
  /** A payer's request caused it: the client's address is personal data of a customer, and is not kept. */
  readonly byPayer?: boolean;
  /** Facts that explain the decision later. Amounts are text. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
}

/**
 * Records a decision in the audit log, in the transaction that carries it out. A decision that a request causes
 * has the client's address, unless the request is a payer's.
 */
export function recordDecision(tx: Tx, entry: AuditEntry, at: Date): Promise<void> {
  return recordDecisions(tx, [entry], at);
}

/** Records decisions that one transaction carries out, at least one. */
export async function recordDecisions(tx: Tx, entries: readonly AuditEntry[], at: Date): Promise<void> {
  const ip = getClientAddress();
  const rows = entries.map(
    ({ actor, action, subject, merchantId = null, byPayer = false, details }) =>
      sql`(${at}::timestamptz, ${actor}, ${action}, ${subject}, ${merchantId}::bigint, ${byPayer ? null : ip}, ${JSON.stringify(details)}::jsonb)`,
  );
  // Without the id, which a role of few rights may not choose.
  await tx.execute(sql`
    insert into audit_log (at, actor, action, subject, merchant_id, ip, details) values ${sql.join(rows, sql`, `)}`);
}
