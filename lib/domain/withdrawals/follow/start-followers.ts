import { hasTransactions } from "#lib/chains/network.ts";
import type { Clock } from "#lib/platform/clock.ts";
import { repeat } from "#lib/platform/repeat.ts";
import { type FollowDeps, followWithdrawals, releaseWithdrawals } from "./follow-withdrawals.ts";
import { settleCosts } from "./settle-costs.ts";

/** From the end of a pass to the next one. */
const EVERY_MS = 5_000;

/**
 * Starts a loop for each network that follows its withdrawals and settles its costs, so that a node that hangs delays only its own
 * network. Releases need no node, so they have a loop of their own.
 */
export function startFollowers(
  deps: Omit<FollowDeps, "stopping"> & Partial<Clock>,
): readonly { stop(): Promise<void> }[] {
  const every = (name: string, pass: (deps: FollowDeps) => Promise<void>) =>
    repeat(name, EVERY_MS, deps, (stopping) => pass({ ...deps, stopping }));
  const adapters = deps.networks.all().filter(hasTransactions);
  return [
    every("releasing withdrawals", releaseWithdrawals),
    ...adapters.map((adapter) =>
      every(`following withdrawals: ${adapter.env} ${adapter.network}`, async (given) => {
        await followWithdrawals(given, adapter);
        await settleCosts(given, adapter);
      }),
    ),
  ];
}
