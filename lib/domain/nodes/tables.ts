import { bigint, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { ProbeCheck } from "#lib/chains/node-probe.ts";
import { env, network } from "#lib/domain/columns.ts";
import { timestampMs } from "#lib/platform/db/columns.ts";

/** The abilities of each configured node when it was last tried out. */
export const nodeProbes = pgTable(
  "node_probes",
  {
    env: env(),
    network: network(),
    /** Its place in the list of the network's nodes: two may have one name. */
    place: integer("place").notNull(),
    node: text("node").notNull(),
    checks: jsonb("checks").$type<readonly ProbeCheck[]>().notNull(),
    probedAt: timestampMs("probed_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.env, t.network, t.place] })],
);

/** How each node answered in each hour (UTC). Kept for NODE_HOURS_KEPT_MS. */
export const nodeHours = pgTable(
  "node_hours",
  {
    env: env(),
    network: network(),
    /** Its name. Nodes of one name are counted together. */
    node: text("node").notNull(),
    hour: timestampMs("hour").notNull(),
    requests: bigint("requests", { mode: "number" }).notNull(),
    errors: bigint("errors", { mode: "number" }).notNull(),
    /** The most blocks that it was behind the highest node of its network. */
    behind: integer("behind").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.env, t.network, t.node, t.hour] }),
    // For the hours that are deleted.
    index("node_hours_age").on(t.hour),
  ],
);
