import type { Logger } from "pino";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { poolLevel } from "./pool-rules.ts";
import { listPoolStatuses } from "./queries.ts";

/** Pause between two warnings about the same level. */
const REPEAT_MS = 3_600_000;

/**
 * Creates a check that logs a warning if an enabled network has few or no addresses left to allocate. It warns when the
 * level changes, and every hour after that.
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
  const reported = new Map<string, { readonly level: string; readonly at: number }>();
  return async (now) => {
    const pooled = networks.all().filter(({ data }) => data.addressSource === "pool");
    if (pooled.length === 0) return;
    const statuses = await listPoolStatuses(db);
    for (const { env, network } of pooled) {
      const found = statuses.find((one) => one.env === env && one.network === network);
      const { size, left } = found ?? { size: 0, left: 0 };
      const level = poolLevel({ size, left });
      const key = `${env} ${network}`;
      const last = reported.get(key);
      if (last?.level === level && (level === "well" || now.getTime() - last.at < REPEAT_MS)) continue;
      reported.set(key, { level, at: now.getTime() });
      const fields = { env, network, left, size };
      if (level === "empty") log.error(fields, "address pool is empty, import addresses");
      if (level === "low") log.warn(fields, "address pool is low, import more addresses");
    }
  };
}
