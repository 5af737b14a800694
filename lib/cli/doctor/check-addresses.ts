import {
  AddressError,
  keepsNamedStatements,
  requireLastingSessions,
  requireSameDatabase,
} from "#lib/platform/db/addresses.ts";
import { type Finding, failed, ok } from "./finding.ts";
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
