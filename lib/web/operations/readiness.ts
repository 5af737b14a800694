import type { NetworkRegistry } from "#lib/chains/network.ts";
import { listNetworkTroubles, listWatchGaps } from "#lib/domain/network-status/queries.ts";
import { type Db, isPermissionDenied } from "#lib/platform/db/connection.ts";
import { countPendingMigrations, MigrationError } from "#lib/platform/db/migrate.ts";
import type { Services } from "#lib/web/services.ts";

/** A load balancer waits about this long for an answer. */
const PATIENCE_MS = 3_000;

/** "ok", or a short reason. */
export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<"database" | "migrations" | "roles", string>>;
  /** The networks that are unwatched or have blocks that were never read. They do not count for `ready`. */
  readonly networks: string;
}

/**
 * True if this process can work. The database answers in time and has the tables of this version or a newer
 * one (processes are replaced one by one), and every role is started and not stopping. Networks and rates
 * do not count: without them the page still informs the customer.
 */
export async function checkReadiness(
  { database, networks }: Pick<Services, "database" | "networks">,
  roles: { readonly running: boolean },
): Promise<Readiness> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null).unref());
  const [pending, watching] = await Promise.all([
    Promise.race([
      countPendingMigrations(database.db).catch((error: unknown) =>
        isPermissionDenied(error) ? "forbidden" : error instanceof MigrationError ? "too old" : null,
      ),
      late,
    ]),
    Promise.race([describeNetworks(database.db, networks).catch(() => null), late]),
  ]);
  const checks = {
    database: pending === null ? "does not answer" : "ok",
    migrations: pending === null ? "not known" : describeMigrations(pending),
    roles: roles.running ? "ok" : "starting or stopping",
  };
  const ready = Object.values(checks).every((check) => check === "ok");
  return { ready, checks, networks: watching ?? "not known" };
}

/** "ok", or for example "unwatched: live:xrp; finality: live:bep20:late; blocks not read: test:bitcoin". */
async function describeNetworks(db: Db, networks: NetworkRegistry): Promise<string> {
  const [{ unwatched, late }, gaps] = await Promise.all([
    listNetworkTroubles({ db, networks }, new Date()),
    listWatchGaps(db),
  ]);
  const withGap = gaps.map(({ env, network }) => `${env}:${network}`).sort();
  const parts = [
    ...(unwatched.length > 0 ? [`unwatched: ${unwatched.join(", ")}`] : []),
    ...(late.length > 0 ? [`finality: ${late.join(", ")}`] : []),
    ...(withGap.length > 0 ? [`blocks not read: ${withGap.join(", ")}`] : []),
  ];
  return parts.length > 0 ? parts.join("; ") : "ok";
}

function describeMigrations(pending: number | "forbidden" | "too old"): string {
  if (pending === "too old")
    return "from before version 1.0.0; docs/operate/upgrade.md says how to get there";
  if (pending === "forbidden")
    return "this database role cannot read it; docs/operate/database.md has the grant";
  return pending > 0 ? `${pending} missing` : "ok";
}
