import type { Metadata } from "next";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { readNotice } from "#components/console/notices.ts";
import { may } from "#lib/domain/members/role-rules.ts";
import { listWithdrawals } from "#lib/domain/withdrawals/queries.ts";
import { getServices } from "#lib/web/services.ts";
import { readId } from "../../../../../read-id.ts";
import { requireDesk } from "../../../../../session.ts";
import { frameOf } from "../../../../frame.ts";
import { WithdrawalItem } from "./withdrawal-item.tsx";

export const metadata: Metadata = { title: "Withdrawals" };

const PAGE_SIZE = 50;

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
            <WithdrawalItem key={row.id} row={row} className="p-4" />
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
