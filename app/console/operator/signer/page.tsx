import type { Metadata } from "next";
import { tokenText } from "#components/checkout/money-text.ts";
import { type Fact, Facts } from "#components/console/facts.tsx";
import { EnvTabs, OperatorFrame } from "#components/console/operator-frame.tsx";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import type { Sending } from "#lib/chains/sending.ts";
import { countPending } from "#lib/domain/withdrawals/queries.ts";
import { isSignerRunning } from "#lib/domain/withdrawals/signer-lock.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { getServices } from "#lib/web/services.ts";
import { readEnv, requireOperator } from "../../session.ts";

export const metadata: Metadata = { title: "Signer" };

/** A node that does not answer must not keep the page waiting. */
const NODE_MS = 2_000;

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ searchParams }: PageProps) {
  await requireOperator();
  const env = readEnv((await searchParams).env);
  const { db } = getServices().database;
  const [isRunning, pending, accounts] = await Promise.all([
    isSignerRunning(db),
    countPending(db, env),
    readHotAccounts(env),
  ]);
  return (
    <OperatorFrame section="Signer">
      <EnvTabs env={env} />
      <section className="panel" aria-labelledby="state">
        <h2 id="state" className="flex flex-wrap items-center justify-between gap-2 font-semibold">
          Withdrawals
          <span className={isRunning ? "badge bg-good-soft text-good" : "badge bg-warn-soft text-warn"}>
            {isRunning ? "The signer runs" : "No signer runs"}
          </span>
        </h2>
        <p className="text-sm text-muted">
          {isRunning
            ? "It pays what its policy allows. Its log says why a withdrawal waits."
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
      </section>
      {accounts.map(({ network, address, balances }) => (
        <section key={network} className="panel" aria-label={`Hot account on ${NETWORKS[network].name}`}>
          <h2 className="font-semibold">{NETWORKS[network].name}</h2>
          <p className="text-sm text-muted">The hot account. It needs tokens, and coins for the fees.</p>
          <code className="text-sm break-all">{address}</code>
          {balances === null ? (
            <p className="text-sm text-muted">No node answered in time.</p>
          ) : (
            <Facts
              facts={[...balances].map(
                ([token, units]): Fact => [token.toUpperCase(), tokenText(units, token, "en")],
              )}
            />
          )}
        </section>
      ))}
      {accounts.length === 0 && (
        <p className="panel text-sm text-muted">The signer pays on no network that is on here.</p>
      )}
    </OperatorFrame>
  );
}

/** The hot account of each network that a signer can pay on, and what it holds; null: no node answered in time. */
function readHotAccounts(env: Env) {
  const adapters = getServices().networks.list(env);
  const able = adapters.flatMap((adapter) => {
    const account = adapter.sending?.hotAccount() ?? null;
    return adapter.sending && account !== null ? [{ adapter, account, sending: adapter.sending }] : [];
  });
  return Promise.all(able.map(readHotAccount));
}

async function readHotAccount({
  adapter,
  account,
  sending,
}: {
  readonly adapter: NetworkAdapter;
  readonly account: string;
  readonly sending: Sending;
}) {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, NODE_MS, null);
  const asked: Promise<ReadonlyMap<TokenCode, bigint> | null> = (
    sending.fetchBalances?.(account) ?? Promise.resolve(null)
  ).catch(() => null);
  const balances = await Promise.race([asked, late]);
  clearTimeout(timer);
  return { network: adapter.network, address: adapter.displayAddress(account), balances };
}
