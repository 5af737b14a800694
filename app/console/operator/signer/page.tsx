import type { Metadata } from "next";
import { readEnv, requireOperator } from "#app/console/session.ts";
import { tokenText } from "#components/checkout/money-text.ts";
import { type Fact, Facts } from "#components/console/facts.tsx";
import { holdText } from "#components/console/hold-texts.ts";
import { LocalTime } from "#components/console/local-time.tsx";
import { EnvTabs, OperatorFrame } from "#components/console/operator-frame.tsx";
import type { Env } from "#lib/chains/network-data.ts";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import { countPending } from "#lib/domain/withdrawals/queries.ts";
import { listMoves, type OutgoingPlace, sumCosts } from "#lib/domain/withdrawals/signer/outgoing-queries.ts";
import { isSignerRunning } from "#lib/domain/withdrawals/signer/signer-lock.ts";
import { countHolds, listSignerAccounts } from "#lib/domain/withdrawals/signer/signer-queries.ts";
import { getServices } from "#lib/web/services.ts";
import { Costs, Moves } from "./moves.tsx";
import { type HotAccount, readAccounts } from "./read-accounts.ts";

export const metadata: Metadata = { title: "Signer" };

const PAGE_SIZE = 50;
const COST_DAYS = 30;
const DAY_MS = 86_400_000;

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ searchParams }: PageProps) {
  await requireOperator();
  const query = await searchParams;
  const env = readEnv(query.env);
  const { db } = getServices().database;
  const page = { before: readPlace(query.before), limit: PAGE_SIZE + 1 };
  const [isRunning, pending, holds, costs, moves, said] = await Promise.all([
    isSignerRunning(db),
    countPending(db, env),
    countHolds(db, env),
    sumCosts(db, env, new Date(Date.now() - COST_DAYS * DAY_MS)),
    listMoves(db, env, page),
    listSignerAccounts(db, env),
  ]);
  const accounts = await readAccounts(env, said);
  const shown = moves.slice(0, PAGE_SIZE);
  const last = shown.at(-1);
  return (
    <OperatorFrame section="Signer">
      <EnvTabs env={env} />
      <Withdrawals
        env={env}
        isRunning={isRunning}
        pending={pending}
        held={holds.reduce((sum, { count }) => sum + count, 0)}
      />
      {accounts.map((account) => (
        <Account key={account.network} account={account} />
      ))}
      {accounts.length === 0 && (
        <p className="panel text-sm text-muted">
          No network is on here that a signer pays on, and no signer has started.
        </p>
      )}
      <Costs costs={costs} days={COST_DAYS} />
      <Moves env={env} rows={shown} />
      {moves.length > PAGE_SIZE && last !== undefined && (
        <a
          href={`?env=${env}&before=${last.createdAt.getTime()}-${last.hash}`}
          className="button-quiet justify-self-center"
        >
          Older transfers
        </a>
      )}
    </OperatorFrame>
  );
}

/** The place in the list that a URL names. null for any other text. */
function readPlace(given: string | string[] | undefined): OutgoingPlace | null {
  const [, at, hash] = typeof given === "string" ? (/^([0-9]{1,14})-(\w{1,200})$/.exec(given) ?? []) : [];
  return at === undefined || hash === undefined ? null : { createdAt: new Date(Number(at)), hash };
}

function Withdrawals({
  env,
  isRunning,
  pending,
  held,
}: {
  env: Env;
  isRunning: boolean;
  pending: ReadonlyMap<NetworkCode, number>;
  held: number;
}) {
  return (
    <section className="panel" aria-labelledby="state">
      <h2 id="state" className="flex flex-wrap items-center justify-between gap-2 font-semibold">
        Withdrawals
        <span className={isRunning ? "badge bg-good-soft text-good" : "badge bg-warn-soft text-warn"}>
          {isRunning ? "The signer runs" : "No signer runs"}
        </span>
      </h2>
      <p className="text-sm text-muted">
        {isRunning
          ? "It pays what its policy allows."
          : "Withdrawals wait until you pay them by hand, or start a signer."}
      </p>
      {pending.size === 0 ? (
        <p className="text-sm text-muted">No withdrawal waits.</p>
      ) : (
        <Facts
          facts={[...pending].map(
            ([network, waiting]): Fact => [NETWORKS[network].name, `${waiting} waiting`],
          )}
        />
      )}
      {held > 0 && (
        <a href={`/console/operator/withdrawals?env=${env}`} className="link justify-self-start text-sm">
          Why {held} {held === 1 ? "waits" : "wait"}
        </a>
      )}
    </section>
  );
}

const TRUST_TEXTS: Readonly<Record<HotAccount["trust"], string>> = {
  derived: "It follows from the configured key. It needs tokens, and coins for the fees.",
  said: "The signer says that it pays from here. Before you fill it, compare it with `signer status` on the signer's host.",
  path: "The signer pays from the deposits of this account, and keeps the change there. The books have what it holds as custody.",
  disputed:
    "The signer says that it pays from another account than the one of the configured key, or somebody changed the database. Send nothing there before you know why.",
  unpaid: holdText("no_node_that_pays").operator,
};

/** An account of the signer, what it holds, and when the signer last worked there. */
function Account({ account }: { account: HotAccount }) {
  const { network, address, trust, balances, hasBalances, said } = account;
  const isBad = trust === "disputed" || trust === "unpaid";
  const facts: readonly Fact[] = [
    ...[...(balances ?? [])].map(
      ([token, units]): Fact => [token.toUpperCase(), tokenText(units, token, "en")],
    ),
    ...(said === null
      ? []
      : ([
          ["Last step", <LocalTime key="step" at={said.steppedAt} />],
          ["Started", <LocalTime key="start" at={said.startedAt} />],
          ["Version", said.version],
        ] as const)),
    ...(trust === "disputed" && said !== null
      ? [
          [
            "The signer says",
            <code key="said" className="break-all">
              {said.address}
            </code>,
          ] as const,
        ]
      : []),
  ];
  return (
    <section
      className={`panel ${isBad ? "border-bad" : ""}`}
      aria-label={`Hot account on ${NETWORKS[network].name}`}
    >
      <h2 className="font-semibold">{NETWORKS[network].name}</h2>
      <p className={`text-sm ${isBad ? "text-bad" : "text-muted"}`}>{TRUST_TEXTS[trust]}</p>
      {address !== "" && <code className="text-sm break-all">{address}</code>}
      {hasBalances && balances === null && (
        <p className="text-sm text-muted">No node answered in time what it holds.</p>
      )}
      <Facts facts={facts} />
    </section>
  );
}
