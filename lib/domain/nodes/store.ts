import { and, eq } from "drizzle-orm";
import type { NodeProbe } from "#lib/chains/node-probe.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { nodeProbes } from "./tables.ts";
import type { NetworkScope } from "./types.ts";

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
