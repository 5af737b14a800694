import { integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { ProbeCheck } from "#lib/chains/node-probe.ts";
import { env, network } from "#lib/domain/columns.ts";
import { timestampMs } from "#lib/platform/db/columns.ts";

/** What each configured node could do when it was last tried out. */
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
