import type { Logger } from "pino";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { poolLevel } from "./pool-rules.ts";
import { listPoolStatuses } from "./pool-store.ts";
import type { PoolStatus } from "./types.ts";

/** What stays low is told again so often. */
const AGAIN_MS = 3_600_000;

/** How the pools of imported addresses stand. */
export function listPools(db: Db): Promise<PoolStatus[]> {
  return listPoolStatuses(db);
}

/**
 * Makes what warns, in the log, of networks that are on and soon have no address left to give out, or have none: when
 * it comes to that, and every hour after.
 */
export function createPoolAlert({
  db,
  networks,
  log,
}: {
  readonly db: Db;
  readonly networks: NetworkRegistry;
  readonly log: Logger;
}): (now: Date) => Promise<void> {
  const told = new Map<string, { readonly level: string; readonly at: number }>();
  return async (now) => {
    const pooled = networks.all().filter(({ data }) => data.addressSource === "pool");
    if (pooled.length === 0) return;
    const standings = await listPoolStatuses(db);
    for (const { env, network } of pooled) {
      const found = standings.find((one) => one.env === env && one.network === network);
      const { size, left } = found ?? { size: 0, left: 0 };
      const level = poolLevel({ size, left });
      const key = `${env} ${network}`;
      const last = told.get(key);
      if (last?.level === level && (level === "well" || now.getTime() - last.at < AGAIN_MS)) continue;
      told.set(key, { level, at: now.getTime() });
      const fields = { env, network, left, size };
      if (level === "empty") log.error(fields, "the pool has no address left: import some");
      if (level === "low") log.warn(fields, "few addresses are left in the pool: import more");
    }
  };
}
