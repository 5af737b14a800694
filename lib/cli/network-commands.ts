import { Argument, type Command, Option } from "commander";
import type { NetworkConfig } from "#lib/chains/network.ts";
import { ENVS, type Env, type NetworkData } from "#lib/chains/network-data.ts";
import { NETWORK_CODES, NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import { getConfiguredData, openNetworks } from "#lib/chains/registry.ts";
import { withOneNode } from "#lib/chains/with-one-node.ts";
import { acceptGap } from "#lib/domain/deposits/watch/accept-gap.ts";
import { openCertificateStore } from "#lib/domain/deposits/watch/node-certificates.ts";
import { findWatchStatus } from "#lib/domain/network-status/queries.ts";
import type { FinalityProgress } from "#lib/domain/network-status/types.ts";
import { listProbedNodes, type ProbedNode } from "#lib/domain/nodes/queries.ts";
import { poolLevel } from "#lib/domain/wallets/pool-rules.ts";
import { listHighestIndexes, listPoolStatuses } from "#lib/domain/wallets/queries.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { describeFinality } from "#lib/server/confirmation-tiers.ts";
import type { Cli, WithCli } from "./cli.ts";
import { envOption } from "./options.ts";
import { addFormatOptions, type FormatOptions, printRows } from "./print-list.ts";
import { addNetworkSettingCommand } from "./setting-commands.ts";

export function addNetworksCommand(networks: Command, withCli: WithCli): void {
  networks
    // Its subcommands have --env too: see run-command.ts.
    .enablePositionalOptions()
    .option("--on", "only networks that are on")
    .addOption(new Option("--env <env>", "only this environment; default: both").choices(ENVS));
  addFormatOptions(networks).action(withCli(listNetworks));
  networks
    .command("accept-gap")
    .description("end the alarm about blocks that were never read, after their payments were checked")
    .addArgument(new Argument("<network>", "its code").choices(NETWORK_CODES))
    .addOption(envOption())
    .action(withCli(acceptNetworkGap));
  addNetworkSettingCommand(networks, withCli);
}

async function acceptNetworkGap(cli: Cli, network: NetworkCode, { env }: { env: Env }): Promise<void> {
  await cli.withDatabase(async ({ database }) => {
    const { gap } = await cli.performHere(database, acceptGap, { env, network });
    cli.print({ env, network, accepted: gap });
  });
}

type ListGiven = FormatOptions & { readonly on?: true; readonly env?: Env };

async function listNetworks(cli: Cli, options: ListGiven): Promise<void> {
  await cli.withDatabase(async ({ config, database }) => {
    const highest = await listHighestIndexes(database.db);
    const pools = await listPoolStatuses(database.db);
    const probed = await listProbedNodes(database.db);
    const envs = options.env === undefined ? ENVS : [options.env];
    const rows = envs.flatMap((env) =>
      NETWORK_CODES.flatMap((network) => {
        const isSame = (one: { env: Env; network: string }) => one.env === env && one.network === network;
        const on = config.networks.find(isSame) ?? null;
        if (options.on && on === null) return [];
        const pool = poolToJson(network, pools.find(isSame) ?? null);
        const index = highest.find(isSame)?.index ?? null;
        const known = probed.filter(isSame);
        return networkRow(database.db, { env, network }, { config: on, known }).then((row) => ({
          ...row,
          highest_index: index,
          pool,
        }));
      }),
    );
    printRows(cli, await Promise.all(rows), options, [
      ...(["env", "network", "on", "node_height", "watched_height", "lag_blocks"] as const),
      ...(["highest_index", "gap", "error", "warning"] as const),
    ]);
  });
}

/** How many imported addresses are left; null for a network whose addresses derive from a key. */
function poolToJson(network: NetworkCode, pool: { size: number; left: number } | null) {
  const data: NetworkData = NETWORKS[network];
  if (data.addressSource !== "pool") return null;
  const { size, left } = pool ?? { size: 0, left: 0 };
  return { size, left, level: poolLevel({ size, left }) };
}

async function networkRow(
  db: Db,
  { env, network }: { env: Env; network: NetworkCode },
  { config, known }: { readonly config: NetworkConfig | null; readonly known: readonly ProbedNode[] },
) {
  const watched = await findWatchStatus(db, { env, network });
  const nodes =
    config === null
      ? []
      : await Promise.all(
          config.rpcUrls.map((_, place) => askNode(db, { config, place, known: known[place] })),
        );
  const heights = nodes.flatMap(({ height }) => height ?? []);
  const nodeHeight = heights.length === 0 ? null : Math.max(...heights);
  const watchedHeight = watched?.height ?? null;
  const dead = nodeHeight === null && nodes.length > 0;
  return {
    env,
    network,
    on: config !== null,
    confirmations: config === null ? null : describeFinality(getConfiguredData(config).finality),
    node_height: nodeHeight,
    watched_height: watchedHeight,
    lag_blocks:
      nodeHeight === null || watchedHeight === null ? null : Math.max(0, nodeHeight - watchedHeight),
    error:
      config === null ? null : dead ? nodes.map(({ error }) => error).join("; ") : (watched?.error ?? null),
    mempool_error: watched?.mempoolError ?? null,
    warning: config === null || watched === null ? null : warnOfFinality(watched.finality),
    gap: watched?.gap ?? null,
    nodes,
  };
}

function warnOfFinality({ finalizedHeight, finalizedSince, finalityLate }: FinalityProgress): string | null {
  if (!finalityLate) return null;
  const since = finalizedSince?.toISOString();
  return finalizedHeight === null
    ? `no block is final since ${since}: nothing is credited`
    : `no block above ${finalizedHeight} is final since ${since}: nothing is credited`;
}

/** Asks one node. An error is part of the result, so that one node or network does not hide the others. */
async function askNode(
  db: Db,
  {
    config,
    place,
    known,
  }: { readonly config: NetworkConfig; readonly place: number; readonly known: ProbedNode | undefined },
) {
  // URLs of hosted nodes contain their key in the path.
  const one = withOneNode(config, place);
  const node = one.rpcUrls.map((url) => new URL(url).host).join();
  // The nodes were changed since the worker tried them out.
  const probed = known?.node === node ? known : null;
  const row = { node, missing: probed?.missing ?? null, probed_at: probed?.probedAt ?? null };
  try {
    const certificates = openCertificateStore(db);
    const [adapter] = openNetworks([one], { certificates }).all();
    if (adapter === undefined) throw new Error("no adapter");
    return { ...row, height: (await adapter.blocks.fetchHead()).height, error: null };
  } catch (error) {
    return { ...row, height: null, error: error instanceof Error ? error.message : String(error) };
  }
}
