import type { Logger } from "pino";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { listLimitedMerchants } from "./address-limit-store.ts";
import { poolLevel } from "./pool-rules.ts";
import { listPoolStatuses } from "./queries.ts";

/** Pause between two warnings about the same level. */
const REPEAT_MS = 3_600_000;

interface AlertDeps {
  readonly db: Db;
  readonly networks: NetworkRegistry;
  readonly log: Logger;
}

/**
 * Creates a check that logs a warning if an enabled network has few or no addresses left to allocate, or if a merchant
 * is near its limit of unpaid addresses. It warns when the level changes, and every hour after that.
 */
export function createAddressAlert(deps: AlertDeps): (now: Date) => Promise<void> {
  let reported = new Map<string, Report>();
  return async (now) => {
    const levels = [...(await listPoolLevels(deps)), ...(await listMerchantLevels(deps))];
    const current = new Map<string, Report>();
    for (const { key, level, write } of levels) {
      const last = reported.get(key);
      const isDue = last?.level !== level || now.getTime() - last.at >= REPEAT_MS;
      if (isDue) write();
      current.set(key, { level, at: isDue ? now.getTime() : last.at });
    }
    reported = current;
  };
}

interface Report {
  readonly level: string;
  readonly at: number;
}

/** A level that operators must know. A subject without one is well. */
interface Level {
  readonly key: string;
  readonly level: string;
  write(): void;
}

async function listPoolLevels({ db, networks, log }: AlertDeps): Promise<Level[]> {
  const pooled = networks.all().filter(({ data }) => data.addressSource === "pool");
  const statuses = pooled.length === 0 ? [] : await listPoolStatuses(db);
  return pooled.flatMap(({ env, network }) => {
    const found = statuses.find((one) => one.env === env && one.network === network);
    const { size, left } = found ?? { size: 0, left: 0 };
    const level = poolLevel({ size, left });
    if (level === "well") return [];
    const fields = { env, network, left, size };
    const write = () =>
      level === "empty"
        ? log.error(fields, "address pool is empty, import addresses")
        : log.warn(fields, "address pool is low, import more addresses");
    return [{ key: `pool ${env} ${network}`, level, write }];
  });
}

async function listMerchantLevels({ db, log }: AlertDeps): Promise<Level[]> {
  return (await listLimitedMerchants(db)).map((limited) => {
    const { env, network, merchantId, unpaid, limit } = limited;
    const level = unpaid >= limit ? "reached" : "near";
    const write = () =>
      level === "reached"
        ? log.error(limited, "merchant has too many unpaid addresses and gets no new ones")
        : log.warn(limited, "merchant has many unpaid addresses");
    return { key: `merchant ${merchantId} ${env} ${network}`, level, write };
  });
}
