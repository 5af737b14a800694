import type { Db, Tx } from "#lib/db/connection.ts";
import type { Env } from "#lib/networks/network-data.ts";
import { openingsOf } from "./rules.ts";
import { selectOpenings } from "./store.ts";
import type { Openings } from "./types.ts";

/** What may be received now, in one prepared query. Read anew each time: a change counts at once, in every process. */
export async function readOpenings(db: Db | Tx, env: Env): Promise<Openings> {
  return openingsOf(await selectOpenings(db, env));
}
