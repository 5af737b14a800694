import { asc, gte } from "drizzle-orm";
import type { NetworkScope } from "#lib/chains/networks.ts";
import { listMissing } from "#lib/chains/node-probe.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { nodeHours, nodeProbes } from "./tables.ts";
import type { NodeHour } from "./types.ts";

/** The state of one configured node when it was last tried out. */
export interface ProbedNode extends NetworkScope {
  /** Its place in the list of the network's nodes. */
  readonly place: number;
  readonly node: string;
  readonly missing: readonly string[];
  readonly probedAt: Date;
}

/** Lists every node that was tried out, also of networks that are off now. There are as many as were ever configured. */
export async function listProbedNodes(db: Db): Promise<readonly ProbedNode[]> {
  const rows = await db
    .select()
    .from(nodeProbes)
    .orderBy(asc(nodeProbes.env), asc(nodeProbes.network), asc(nodeProbes.place));
  return rows.map(({ checks, ...row }) => ({ ...row, missing: listMissing(checks) }));
}

/** Lists the hours of every node from `since` on, oldest first. */
export function listNodeHours(db: Db, since: Date): Promise<NodeHour[]> {
  return db.select().from(nodeHours).where(gte(nodeHours.hour, since)).orderBy(asc(nodeHours.hour));
}
