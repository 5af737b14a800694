import { and, eq, lt, sql } from "drizzle-orm";
import type { NetworkScope } from "#lib/chains/networks.ts";
import type { NodeProbe } from "#lib/chains/node-probe.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { nodeHours, nodeProbes } from "./tables.ts";
import type { NodeHour } from "./types.ts";

/** Replaces what is stored about the nodes of a network. */
export async function replaceNodeProbes(
  tx: Tx,
  { env, network }: NetworkScope,
  probes: readonly NodeProbe[],
  now: Date,
): Promise<void> {
  await tx.delete(nodeProbes).where(and(eq(nodeProbes.env, env), eq(nodeProbes.network, network)));
  if (probes.length === 0) return;
  await tx
    .insert(nodeProbes)
    .values(probes.map(({ node, checks }, place) => ({ env, network, place, node, checks, probedAt: now })))
    // Another process has stored its own meanwhile.
    .onConflictDoNothing();
}

/** Adds to the hours of nodes. Every process adds its own requests. */
export async function addNodeHours(db: Db, hours: readonly NodeHour[]): Promise<void> {
  if (hours.length === 0) return;
  const { env, network, node, hour, requests, errors, behind } = nodeHours;
  await db
    .insert(nodeHours)
    .values([...hours])
    .onConflictDoUpdate({
      target: [env, network, node, hour],
      set: {
        requests: sql`${requests} + excluded.requests`,
        errors: sql`${errors} + excluded.errors`,
        behind: sql`greatest(${behind}, excluded.behind)`,
      },
    });
}

export async function deleteNodeHours(db: Db, before: Date): Promise<void> {
  await db.delete(nodeHours).where(lt(nodeHours.hour, before));
}
