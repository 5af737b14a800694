import { findTransactionNetwork } from "#lib/chains/network.ts";
import { ENVS } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import {
  type FollowDeps,
  followWithdrawals,
  releaseWithdrawals,
} from "#lib/domain/withdrawals/follow/follow-withdrawals.ts";
import { settleCosts } from "#lib/domain/withdrawals/follow/settle-costs.ts";
import { outgoingTransactions } from "#lib/domain/withdrawals/tables.ts";

/** Checks the open withdrawals of every network once. A worker has a loop for each network instead. */
export async function followAll(deps: FollowDeps): Promise<void> {
  await releaseWithdrawals(deps);
  for (const env of ENVS)
    for (const network of Object.keys(NETWORKS)) {
      const adapter = findTransactionNetwork(deps.networks, { env, network });
      if (adapter !== null) await followWithdrawals(deps, adapter);
    }
}

/** Settles the costs of every network that has transactions. */
export async function settleAllCosts(deps: FollowDeps): Promise<void> {
  const { env, network } = outgoingTransactions;
  for (const queue of await deps.db.selectDistinct({ env, network }).from(outgoingTransactions)) {
    const adapter = findTransactionNetwork(deps.networks, queue);
    if (adapter !== null) await settleCosts(deps, adapter);
  }
}
