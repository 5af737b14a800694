import type { Db } from "#lib/platform/db/connection.ts";
import { framingOrigins } from "./framing-rules.ts";
import { readFramingTerms } from "./store.ts";

/** Origins that may show this link's page in a frame, the page's own aside; null when there is no such link. One query. */
export async function findFramingOrigins(db: Db, refid: string): Promise<readonly string[] | null> {
  const terms = await readFramingTerms(db, refid);
  return terms === null ? null : framingOrigins(terms);
}
