import { isPermissionDenied } from "#lib/platform/db/connection.ts";
import { countPendingMigrations } from "#lib/platform/db/migrate.ts";
import type { Services } from "#lib/web/services.ts";

/** A load balancer waits about this long for an answer. */
const PATIENCE_MS = 3_000;

/** "ok", or a short reason. */
export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<"database" | "migrations" | "roles", string>>;
}

/**
 * True if this process can work. The database answers in time and has the tables of this version or a newer
 * one (processes are replaced one by one), and every role is started and not stopping. Nodes and rates do
 * not count: without them the page still informs the customer.
 */
export async function checkReadiness(
  { database }: Pick<Services, "database">,
  roles: { readonly running: boolean },
): Promise<Readiness> {
  const pending = await Promise.race([
    countPendingMigrations(database.db).catch((error: unknown) =>
      isPermissionDenied(error) ? "forbidden" : null,
    ),
    new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null).unref()),
  ]);
  const checks = {
    database: pending === null ? "does not answer" : "ok",
    migrations: pending === null ? "not known" : describeMigrations(pending),
    roles: roles.running ? "ok" : "starting or stopping",
  };
  return { ready: Object.values(checks).every((check) => check === "ok"), checks };
}

function describeMigrations(pending: number | "forbidden"): string {
  if (pending === "forbidden")
    return "this database role cannot read it; docs/operate/database.md has the grant";
  return pending > 0 ? `${pending} missing` : "ok";
}
