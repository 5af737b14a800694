import type { Metadata } from "next";
import { frameOf } from "#app/console/m/frame.ts";
import { readId } from "#app/console/read-id.ts";
import { type Desk, requireDesk } from "#app/console/session.ts";
import { findExplorer } from "#app/find-explorer.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { readNotice } from "#components/console/notices.ts";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { UnmatchedList } from "#components/console/unmatched-list.tsx";
import { may } from "#lib/domain/authority/role-rules.ts";
import { isForOwner } from "#lib/domain/deposits/rules.ts";
import type { UnmatchedDeposit } from "#lib/domain/deposits/types.ts";
import { listUnmatchedDeposits } from "#lib/domain/deposits/unmatched/queries.ts";
import { getServices } from "#lib/web/services.ts";
import { keepDeposit } from "./actions.ts";

export const metadata: Metadata = { title: "Unmatched deposits" };

const PAGE_SIZE = 50;

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const place = await params;
  const desk = await requireDesk(place, "money.view");
  const { before: given, notice } = await searchParams;
  const before = readId(given);
  const { database, networks } = getServices();
  const { env, workplace } = desk;
  const page = { before, limit: PAGE_SIZE + 1 };
  const found = await listUnmatchedDeposits(database.reads, env, workplace.merchantId, page);
  const shown = found.slice(0, PAGE_SIZE);
  return (
    <ConsoleFrame
      frame={frameOf(desk)}
      section="money"
      title="Unmatched deposits"
      notice={readNotice(notice)}
    >
      <p className="text-sm text-muted">
        Money at your addresses that is not what was asked for. It is held until you keep it or send it back.
        What is of unknown origin, the operator decides.
      </p>
      {shown.length === 0 ? (
        <p className="panel text-sm text-muted">Everything that arrived was credited.</p>
      ) : (
        <UnmatchedList
          env={env}
          rows={shown}
          networks={networks}
          base={desk.base}
          explorerOf={({ network }) => findExplorer(networks, env, network)}
          act={(row) => (mayDecide(row, desk) ? <Decide row={row} place={place} desk={desk} /> : null)}
        />
      )}
      {found.length > PAGE_SIZE && (
        <a href={`?before=${shown.at(-1)?.id}`} className="button-quiet justify-self-center">
          Older deposits
        </a>
      )}
    </ConsoleFrame>
  );
}

const mayDecide = ({ status, token, reason }: UnmatchedDeposit, { workplace }: Desk): boolean =>
  status === "held" && token !== null && isForOwner(reason) && may(workplace.role, "deposits.resolve");

/** Keeps a deposit at once, or leads to its refund for those who may withdraw. */
function Decide({
  row,
  place,
  desk: { base, workplace },
}: {
  row: UnmatchedDeposit;
  place: { readonly merchant: string; readonly env: string };
  desk: Desk;
}) {
  return (
    <div className="mt-1 flex flex-wrap gap-2">
      <form action={keepDeposit}>
        <PlaceFields of={{ ...place, deposit: row.id }} />
        <button type="submit" className="button-small">
          Keep it
        </button>
      </form>
      {may(workplace.role, "withdrawals.create") && (
        <a href={`${base}/money/unmatched/${row.id}`} className="button-small">
          Refund it
        </a>
      )}
    </div>
  );
}
