import { NETWORKS } from "#lib/chains/networks.ts";
import { isUnwatched, qualifiedNetworkName } from "./settle/state-rules.ts";
import { readStandings } from "./standing-store.ts";
import type { PaymentLinkDeps } from "./types.ts";

/** The networks of which pages say now that they cannot be seen, by name and in order. */
export async function listUnwatchedNetworks(
  { db, networks }: Pick<PaymentLinkDeps, "db" | "networks">,
  now: Date,
): Promise<string[]> {
  const standings = await readStandings(db);
  const known = new Set(standings.map(({ env, network }) => qualifiedNetworkName(env, network)));
  const stalled = standings.filter((one) => isUnwatched(one, NETWORKS[one.network].pollMs, now));
  const never = networks.all().filter(({ env, network }) => !known.has(qualifiedNetworkName(env, network)));
  return [...stalled, ...never].map(({ env, network }) => qualifiedNetworkName(env, network)).sort();
}
