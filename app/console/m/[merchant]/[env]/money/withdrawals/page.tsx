import type { Metadata } from "next";
import { tokenText } from "#components/checkout/money-text.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { LocalTime } from "#components/console/local-time.tsx";
import { readNotice } from "#components/console/notices.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { may } from "#lib/domain/members/role-rules.ts";
import { listWithdrawals } from "#lib/domain/withdrawals/queries.ts";
import type { WithdrawalRow, WithdrawalStatus } from "#lib/domain/withdrawals/types.ts";
import { getServices } from "#lib/web/services.ts";
import { findExplorer } from "../../../../../../find-explorer.ts";
import { readId } from "../../../../../read-id.ts";
import { requireDesk } from "../../../../../session.ts";
import { frameOf } from "../../../../frame.ts";

export const metadata: Metadata = { title: "Withdrawals" };

const PAGE_SIZE = 50;

const STATES: Readonly<Record<WithdrawalStatus, readonly [text: string, colours: string]>> = {
  0: ["Pending", "border border-line text-muted"],
  1: ["Being sent", "bg-accent-soft text-accent"],
  2: ["Failed", "bg-bad-soft text-bad"],
  3: ["Sent", "bg-good-soft text-good"],
  5: ["To be refunded", "bg-warn-soft text-warn"],
};

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const desk = await requireDesk(await params, "money.view");
  const { before: given, notice } = await searchParams;
  const before = readId(given);
  const filter = { env: desk.env, merchantId: desk.workplace.merchantId, status: null };
  const found = await listWithdrawals(getServices().database.db, filter, { before, limit: PAGE_SIZE + 1 });
  const shown = found.slice(0, PAGE_SIZE);
  return (
    <ConsoleFrame
      frame={frameOf(desk)}
      section="money"
      title="Withdrawals"
      notice={readNotice(notice)}
      actions={
        may(desk.workplace.role, "withdrawals.create") && (
          <a href={`${desk.base}/money/withdrawals/new`} className="button-small">
            Withdraw
          </a>
        )
      }
    >
      {shown.length === 0 ? (
        <p className="panel text-sm text-muted">
          There was no withdrawal yet. One that is asked for waits here until the operator sends it.
        </p>
      ) : (
        <ul className="divide-y divide-line rounded-2xl border border-line bg-card">
          {shown.map((row) => (
            <Withdrawal key={row.id} row={row} />
          ))}
        </ul>
      )}
      {found.length > PAGE_SIZE && (
        <a href={`?before=${shown.at(-1)?.id}`} className="button-quiet justify-self-center">
          Older withdrawals
        </a>
      )}
    </ConsoleFrame>
  );
}

function Withdrawal({ row }: { row: WithdrawalRow }) {
  const { env, network, token, amount, fee, status, txHash, toAddress, createdAt } = row;
  const { networks } = getServices();
  const [text, colours] = STATES[status];
  const url = txHash && findExplorer(networks, env, network)?.tx.replace("{tx}", txHash);
  return (
    <li className="grid gap-1 p-4 text-sm">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium tabular-nums">{tokenText(amount, token, "en")}</span>
        <span className={`badge ${colours}`}>{text}</span>
      </p>
      <p className="flex flex-wrap justify-between gap-x-4 text-muted">
        <span>
          {NETWORKS[network].name}, fee {tokenText(fee, token, "en")}
        </span>
        <LocalTime at={createdAt} />
      </p>
      <code className="break-all text-muted">
        {networks.find(env, network)?.displayAddress(toAddress) ?? toAddress}
      </code>
      {url ? (
        <a href={url} rel="noopener noreferrer" className="link font-mono break-all">
          {txHash}
        </a>
      ) : (
        txHash !== null && <code className="break-all text-muted">{txHash}</code>
      )}
    </li>
  );
}
