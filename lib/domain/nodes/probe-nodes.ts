import type { Logger } from "pino";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import { listMissing, type NodeProbe } from "#lib/chains/node-probe.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { replaceNodeProbes } from "./store.ts";

/** How long a result counts when nothing was missing. */
const RECENT_MS = 6 * 3_600_000;

/**
 * Returns a task that tries out what watching needs on every node of every network that is on, logs what is missing and
 * stores the result. It asks at its first run, at every run while something is missing, and otherwise every six hours.
 * Networks are independent: a slow node delays only its own.
 */
export function createNodeProbe({
  db,
  networks,
  log,
}: {
  readonly db: Db;
  readonly networks: NetworkRegistry;
  readonly log: Logger;
}): (now: Date, stopping: AbortSignal) => Promise<void> {
  const goodSince = new Map<NetworkAdapter, number>();
  return async (now, stopping) => {
    const due = networks
      .all()
      .filter((adapter) => now.getTime() - (goodSince.get(adapter) ?? 0) >= RECENT_MS);
    await Promise.all(
      due.map(async (adapter) => {
        const probes = await adapter.nodes.probe({ all: false, signal: stopping });
        if (stopping.aborted) return;
        for (const probe of probes) logMissing(log, adapter, probe);
        await db.transaction((tx) => replaceNodeProbes(tx, adapter, probes, now));
        const good = probes.every(({ checks }) => listMissing(checks).length === 0);
        if (good) goodSince.set(adapter, now.getTime());
        else goodSince.delete(adapter);
      }),
    );
  };
}

function logMissing(log: Logger, { env, network }: NetworkAdapter, { node, checks }: NodeProbe): void {
  const missing = listMissing(checks);
  if (missing.length === 0) log.info({ env, network, node }, "node answers everything that watching needs");
  else log.error({ env, network, node, missing }, "node lacks something that watching needs");
}
