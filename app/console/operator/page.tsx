import type { Metadata } from "next";
import { type Fact, Facts } from "#components/console/facts.tsx";
import { LocalTime } from "#components/console/local-time.tsx";
import { NodeHealth } from "#components/console/node-health.tsx";
import { OperatorFrame } from "#components/console/operator-frame.tsx";
import { NETWORKS } from "#lib/chains/networks.ts";
import { countOpenDeposits } from "#lib/domain/deposits/queries.ts";
import { listNetworkTroubles, measureWatching } from "#lib/domain/network-status/queries.ts";
import { qualifiedNetworkName } from "#lib/domain/network-status/rules.ts";
import type { WatchMeasurement } from "#lib/domain/network-status/types.ts";
import { NODE_HOURS_KEPT_MS } from "#lib/domain/nodes/health-rules.ts";
import { listNodeHours, listProbedNodes, type ProbedNode } from "#lib/domain/nodes/queries.ts";
import type { NodeHour } from "#lib/domain/nodes/types.ts";
import { listPoolStatuses } from "#lib/domain/wallets/queries.ts";
import { getServices } from "#lib/web/services.ts";
import { requireOperator } from "../session.ts";

export const metadata: Metadata = { title: "Networks" };

/** The state of one network that is on. */
interface NetworkState {
  readonly measured: WatchMeasurement;
  readonly isUnwatched: boolean;
  readonly waiting: number;
  readonly held: number;
  /** Addresses left in the pool. null: its addresses derive from a key. */
  readonly left: number | null;
  readonly nodes: readonly ProbedNode[];
  readonly hours: readonly NodeHour[];
}

export default async function Page() {
  await requireOperator();
  const now = new Date();
  const networks = await readNetworks(now);
  return (
    <OperatorFrame section="Networks">
      <p className="text-sm text-muted">
        As this page was loaded. The alarms of monitoring come by themselves.
      </p>
      {networks.length === 0 && (
        <p className="panel text-sm text-muted">
          No network has a node. Set one, such as LIVE_BITCOIN_RPC_URL.
        </p>
      )}
      <div className="grid gap-4 lg:grid-cols-2">
        {networks.map((state) => (
          <Network key={`${state.measured.env}:${state.measured.network}`} state={state} now={now} />
        ))}
      </div>
    </OperatorFrame>
  );
}

async function readNetworks(now: Date): Promise<readonly NetworkState[]> {
  const { database, networks } = getServices();
  const { db } = database;
  const [watching, open, troubles, pools, probed, hours] = await Promise.all([
    measureWatching(db, networks),
    countOpenDeposits(db),
    listNetworkTroubles({ db, networks }, now),
    listPoolStatuses(db),
    listProbedNodes(db),
    listNodeHours(db, new Date(now.getTime() - NODE_HOURS_KEPT_MS)),
  ]);
  return watching.map((measured) => {
    const { env, network } = measured;
    const isSame = (one: { env: string; network: string }) => one.env === env && one.network === network;
    const countOf = (state: string) => open.find((one) => isSame(one) && one.state === state)?.count ?? 0;
    return {
      measured,
      isUnwatched: troubles.unwatched.includes(qualifiedNetworkName(env, network)),
      waiting: countOf("waiting"),
      held: countOf("held"),
      left: pools.find(isSame)?.left ?? null,
      nodes: probed.filter(isSame),
      hours: hours.filter(isSame),
    };
  });
}

function Network({ state, now }: { state: NetworkState; now: Date }) {
  const { measured, isUnwatched, waiting, held, left, nodes, hours } = state;
  const { env, network, progress, gapBlocks } = measured;
  const facts: readonly Fact[] = [
    ["Height", progress === null ? "never read" : String(progress.height)],
    ["Blocks behind its node", progress === null ? "–" : String(progress.nodeHeight - progress.height)],
    ["Deposits that wait for confirmations", String(waiting)],
    ["Deposits that wait for you", String(held)],
    ...(gapBlocks > 0 ? [["Blocks never read", String(gapBlocks)] as const] : []),
    ...(left === null ? [] : [["Addresses left in the pool", String(left)] as const]),
    ...(progress?.passStartedAt
      ? [["Last read", <LocalTime key="read" at={progress.passStartedAt} />] as const]
      : []),
  ];
  return (
    <section
      className={`panel gap-3 ${isUnwatched ? "border-bad" : ""}`}
      aria-labelledby={`${env}-${network}`}
    >
      <h2
        id={`${env}-${network}`}
        className="flex flex-wrap items-center justify-between gap-2 font-semibold"
      >
        <span>
          {NETWORKS[network].name} <span className="text-sm font-normal text-muted">{env}</span>
        </span>
        <span className={`badge ${isUnwatched ? "bg-bad-soft text-bad" : "bg-good-soft text-good"}`}>
          {isUnwatched ? "Not read now" : "Read"}
        </span>
      </h2>
      <Facts facts={facts} />
      {nodes.map(({ place, node, missing }) => (
        <section key={place} className="grid gap-2 border-t border-line pt-3">
          <h3 className="text-sm break-words">
            Node {place + 1}, {node}:{" "}
            {missing.length === 0 ? "has all that is needed" : `lacks ${missing.join(", ")}`}
          </h3>
          <NodeHealth node={node} hours={hours.filter((hour) => hour.node === node)} now={now} />
        </section>
      ))}
    </section>
  );
}
