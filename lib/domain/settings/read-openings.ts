import type { Env } from "#lib/chains/network-data.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { buildAvailability } from "./rules.ts";
import { selectOpenings } from "./store.ts";
import type { Availability } from "./types.ts";

/** What may be received now, in one prepared query. Read anew each time: a change counts at once, in every process. */
export async function getAvailability(db: Db | Tx, env: Env): Promise<Availability> {
  return buildAvailability(await selectOpenings(db, env));
}
