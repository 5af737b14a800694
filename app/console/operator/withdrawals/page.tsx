import type { Metadata } from "next";
import { readId } from "#app/console/read-id.ts";
import { readEnv, requireOperator } from "#app/console/session.ts";
import { tokenText } from "#components/checkout/money-text.ts";
import { HOLD_TEXTS, holdText } from "#components/console/hold-texts.ts";
import { LocalTime } from "#components/console/local-time.tsx";
import { EnvTabs, OperatorFrame } from "#components/console/operator-frame.tsx";
import { StayCurrent } from "#components/stay-current.tsx";
import type { Env } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { isSignerRunning } from "#lib/domain/withdrawals/signer/signer-lock.ts";
import {
  countHolds,
  type HeldWithdrawal,
  listHeldWithdrawals,
} from "#lib/domain/withdrawals/signer/signer-queries.ts";
import { getServices } from "#lib/web/services.ts";

export const metadata: Metadata = { title: "Waiting withdrawals" };

const PAGE_SIZE = 50;

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ searchParams }: PageProps) {
  await requireOperator();
  const query = await searchParams;
  const env = readEnv(query.env);
  const reason = Object.keys(HOLD_TEXTS).find((one) => one === query.reason) ?? null;
  const { db } = getServices().database;
  const page = { before: readId(query.before), limit: PAGE_SIZE + 1 };
  const [isRunning, counts, found] = await Promise.all([
    isSignerRunning(db),
    countHolds(db, env),
    listHeldWithdrawals(db, { env, reason }, page),
  ]);
  const shown = found.slice(0, PAGE_SIZE);
  return (
    <OperatorFrame section="Waiting withdrawals">
      {page.before === null && <StayCurrent everyMs={5_000} />}
      <EnvTabs env={env} />
      <p className="text-sm text-muted">
        {isRunning
          ? "What the signer does not pay now, and why."
          : "No signer runs. This is why the last one did not pay them."}{" "}
        Withdrawals that wait for an approval of their merchant are not here.
      </p>
      <Reasons env={env} chosen={reason} counts={counts} />
      {shown.length === 0 ? (
        <p className="panel text-sm text-muted">No withdrawal waits here.</p>
      ) : (
        <ul className="divide-y divide-line rounded-2xl border border-line bg-card">
          {shown.map((row) => (
            <Held key={row.id} row={row} />
          ))}
        </ul>
      )}
      {found.length > PAGE_SIZE && (
        <a
          href={`?${new URLSearchParams({ env, ...(reason && { reason }), before: String(shown.at(-1)?.id) })}`}
          className="button-quiet justify-self-center"
        >
          Older withdrawals
        </a>
      )}
    </OperatorFrame>
  );
}

/** Leads to those that wait for one reason. */
function Reasons({
  env,
  chosen,
  counts,
}: {
  env: Env;
  chosen: string | null;
  counts: Awaited<ReturnType<typeof countHolds>>;
}) {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const known = counts.filter(({ reason }) => Object.hasOwn(HOLD_TEXTS, reason));
  return (
    <nav aria-label="Reason" className="flex flex-wrap gap-1">
      <a
        href={`?env=${env}`}
        className="nav-item min-h-8 text-xs"
        aria-current={chosen === null || undefined}
      >
        All ({total})
      </a>
      {known.map(({ reason, count }) => (
        <a
          key={reason}
          href={`?env=${env}&reason=${reason}`}
          className="nav-item min-h-8 text-xs"
          aria-current={reason === chosen || undefined}
        >
          {holdText(reason).short} ({count})
        </a>
      ))}
    </nav>
  );
}

function Held({ row }: { row: HeldWithdrawal }) {
  const { refid, env, network, token, amount, toAddress, email, reason, since } = row;
  const { short, operator } = holdText(reason);
  const isAlarm = reason === "signed_otherwise" || reason === "paid_before";
  return (
    <li className="grid gap-1 p-4 text-sm">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <a
          href={`/console/operator/withdrawals/${refid}`}
          className="font-medium tabular-nums underline decoration-line underline-offset-4"
        >
          {tokenText(amount, token, "en")} on {NETWORKS[network].name}
        </a>
        <span className={`badge ${isAlarm ? "bg-bad-soft text-bad" : "bg-warn-soft text-warn"}`}>
          {short}
        </span>
      </p>
      <p className="flex flex-wrap justify-between gap-x-4 text-muted">
        <bdi className="break-all">{email}</bdi>
        <LocalTime at={since} />
      </p>
      <code className="break-all text-muted">
        {getServices().networks.find(env, network)?.addresses.display(toAddress) ?? toAddress}
      </code>
      <p className="text-muted">{operator}</p>
    </li>
  );
}
