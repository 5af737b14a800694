import type { Env } from "#lib/chains/network-data.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { openingsOf } from "./rules.ts";
import { selectOpenings } from "./store.ts";
import type { Openings } from "./types.ts";

/** What may be received now, in one prepared query. Read anew each time: a change counts at once, in every process. */
export async function readOpenings(db: Db | Tx, env: Env): Promise<Openings> {
  return openingsOf(await selectOpenings(db, env));
}
