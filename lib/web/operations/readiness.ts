import { isPermissionDenied } from "#lib/platform/db/connection.ts";
import { countPendingMigrations } from "#lib/platform/db/migrate.ts";
import type { Services } from "#lib/web/services.ts";

/** Longer than this, and whoever asks (a load balancer) has given up. */
const PATIENCE_MS = 3_000;

/** "ok", or in a word what is wrong. */
export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<"database" | "migrations" | "roles", string>>;
}

/**
 * Can this process do its work? The database answers in time, has the tables this program wants (a newer program's will
 * do: processes are replaced one by one), and every role has started and is not being stopped. Nodes and prices do not
 * count: without them the page still tells a customer what is the matter.
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
    migrations: pending === null ? "not known" : standing(pending),
    roles: roles.running ? "ok" : "starting or stopping",
  };
  return { ready: Object.values(checks).every((check) => check === "ok"), checks };
}

function standing(pending: number | "forbidden"): string {
  if (pending === "forbidden")
    return "this database role cannot read it; docs/operate/database.md has the grant";
  return pending > 0 ? `${pending} missing` : "ok";
}
