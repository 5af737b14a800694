import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import type { NodeCounters } from "#lib/chains/node-metrics.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { hourOf, NODE_HOURS_KEPT_MS } from "./health-rules.ts";
import { addNodeHours, deleteNodeHours } from "./store.ts";
import type { NodeHour } from "./types.ts";

/**
 * Returns a task that adds what this process has asked its nodes since the last run to their hour, how many requests
 * failed, and how far each node is behind the highest of its network. It also deletes old hours. A process that is killed
 * loses what it asked since its last run.
 */
export function createNodeHours({
  db,
  networks,
  counters,
}: {
  readonly db: Db;
  readonly networks: NetworkRegistry;
  readonly counters: Pick<NodeCounters, "requests" | "errors">;
}): (now: Date) => Promise<void> {
  let before = new Map<string, Counts>();
  return async (now) => {
    const counts = await readCounts(counters);
    const hours = networks.all().flatMap((adapter) => sample(adapter, { before, counts, hour: hourOf(now) }));
    await addNodeHours(db, hours);
    before = counts;
    await deleteNodeHours(db, new Date(now.getTime() - NODE_HOURS_KEPT_MS));
  };
}

interface Counts {
  readonly requests: number;
  readonly errors: number;
}

const NONE: Counts = { requests: 0, errors: 0 };
const keyOf = ({ env, network, node }: Partial<Record<"env" | "network" | "node", string | number>>) =>
  `${env}/${network}/${node}`;

async function readCounts({
  requests,
  errors,
}: Pick<NodeCounters, "requests" | "errors">): Promise<Map<string, Counts>> {
  const [asked, failed] = await Promise.all([requests.get(), errors.get()]);
  const failures = new Map(failed.values.map(({ labels, value }) => [keyOf(labels), value]));
  return new Map(
    asked.values.map(({ labels, value }) => {
      const key = keyOf(labels);
      return [key, { requests: value, errors: failures.get(key) ?? 0 }];
    }),
  );
}

/** Counts the requests to the nodes of a network since `before`. Nodes of one name are counted together. */
function sample(
  adapter: NetworkAdapter,
  { before, counts, hour }: { before: Map<string, Counts>; counts: Map<string, Counts>; hour: Date },
): NodeHour[] {
  const { env, network } = adapter;
  const reports = adapter.nodes.report();
  const highest = Math.max(0, ...reports.map(({ height }) => height ?? 0));
  return [...Map.groupBy(reports, ({ name }) => name)].map(([node, named]) => {
    const key = keyOf({ env, network, node });
    const [now, then] = [counts.get(key) ?? NONE, before.get(key) ?? NONE];
    const behind = Math.max(...named.map(({ height }) => (height === null ? 0 : highest - height)));
    return {
      env,
      network,
      node,
      hour,
      requests: now.requests - then.requests,
      errors: now.errors - then.errors,
      behind,
    };
  });
}
