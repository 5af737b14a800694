import type { Db } from "#lib/platform/db/connection.ts";
import { lastUseCutoff, shouldRecordUse } from "./rules.ts";
import { setLastUsedAt } from "./store.ts";
import type { ApiKey } from "./types.ts";

/** Records that a key was used, at most once a minute. */
export async function recordKeyUse(
  db: Db,
  { id, lastUsedAt }: Pick<ApiKey, "id" | "lastUsedAt">,
  now: Date,
): Promise<void> {
  if (shouldRecordUse(lastUsedAt, now)) await setLastUsedAt(db, id, now, lastUseCutoff(now));
}
