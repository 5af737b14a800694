import {
  AddressError,
  keepsNamedStatements,
  requireLastingSessions,
  requireSameDatabase,
} from "#lib/platform/db/addresses.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import { findReplicaProblem, REPLICA_PROBLEMS } from "#lib/platform/db/replica.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";
import { tryConnection } from "./try-connection.ts";

const CHECK = "database addresses";
const ADVICE = "See PgBouncer in docs/operate/database.md.";

/**
 * Checks that `url` is PostgreSQL itself, and that PgBouncer at `pooledUrl` has the same database and keeps named statements. Empty if there
 * is nothing to compare.
 */
export async function checkAddresses(url: string, pooledUrl: string | null): Promise<readonly Finding[]> {
  try {
    await requireLastingSessions(url);
    if (pooledUrl === null) return [];
    const refused = await tryConnection(pooledUrl);
    if (refused !== null) return [{ ...refused, check: CHECK }];
    await requireSameDatabase(url, pooledUrl);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    return [failed(CHECK, error.message, ADVICE)];
  }
  if (await keepsNamedStatements(pooledUrl))
    return [ok(CHECK, "both are of the same database, and PgBouncer keeps named statements")];
  return [
    failed(
      CHECK,
      "the pooler of DATABASE_URL loses named statements",
      "Set max_prepared_statements = 200 in PgBouncer 1.21 or later: docs/operate/database.md.",
    ),
  ];
}

/** Checks that reads use the replica at `readUrl`. Empty without one. */
export async function checkReplica(database: Database, readUrl: string | null): Promise<readonly Finding[]> {
  if (readUrl === null) return [];
  const refused = await tryConnection(readUrl);
  if (refused !== null) return [{ ...refused, status: "warning", check: "replica" }];
  const problem = await findReplicaProblem(database, readUrl);
  if (problem === null) return [ok("replica", "it has what the database has, and reads use it")];
  const advice = "See a replica for reads in docs/operate/database.md.";
  const found = `${REPLICA_PROBLEMS[problem]}: the database itself answers reads`;
  if (problem !== "other") return [warning("replica", found, advice)];
  return [failed("replica", `${REPLICA_PROBLEMS.other}: no web process starts`, advice)];
}
