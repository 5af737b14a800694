import type { Metadata } from "next";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { UnmatchedList } from "#components/console/unmatched-list.tsx";
import { listUnmatchedDeposits } from "#lib/domain/deposits/unmatched/queries.ts";
import { getServices } from "#lib/web/services.ts";
import { findExplorer } from "../../../../../../find-explorer.ts";
import { readId } from "../../../../../read-id.ts";
import { requireDesk } from "../../../../../session.ts";
import { frameOf } from "../../../../frame.ts";

export const metadata: Metadata = { title: "Unmatched deposits" };

const PAGE_SIZE = 50;

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const desk = await requireDesk(await params, "money.view");
  const before = readId((await searchParams).before);
  const { database, networks } = getServices();
  const { env, workplace } = desk;
  const page = { before, limit: PAGE_SIZE + 1 };
  const found = await listUnmatchedDeposits(database.db, env, workplace.merchantId, page);
  const shown = found.slice(0, PAGE_SIZE);
  return (
    <ConsoleFrame frame={frameOf(desk)} section="money" title="Unmatched deposits">
      <p className="text-sm text-muted">
        Money at your addresses that is not what was asked for. It is held until the operator credits it.
      </p>
      {shown.length === 0 ? (
        <p className="panel text-sm text-muted">Everything that arrived was credited.</p>
      ) : (
        <UnmatchedList
          env={env}
          rows={shown}
          networks={networks}
          explorerOf={({ network }) => findExplorer(networks, env, network)}
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
