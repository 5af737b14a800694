import { NETWORKS } from "#lib/chains/networks.ts";
import { isStalled, sightName } from "./rules.ts";
import { readStandings } from "./standing-store.ts";
import type { PaymentLinkDeps } from "./types.ts";

/** The networks of which pages say now that they cannot be seen, by name and in order. */
export async function listUnseen(
  { db, networks }: Pick<PaymentLinkDeps, "db" | "networks">,
  now: Date,
): Promise<string[]> {
  const standings = await readStandings(db);
  const known = new Set(standings.map(({ env, network }) => sightName(env, network)));
  const stalled = standings.filter((one) => isStalled(one, NETWORKS[one.network].pollMs, now));
  const never = networks.all().filter(({ env, network }) => !known.has(sightName(env, network)));
  return [...stalled, ...never].map(({ env, network }) => sightName(env, network)).sort();
}
