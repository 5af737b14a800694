import type { Metadata } from "next";
import { readId } from "#app/console/read-id.ts";
import { requireOperator } from "#app/console/session.ts";
import { DecisionList } from "#components/console/decision-list.tsx";
import { OperatorFrame } from "#components/console/operator-frame.tsx";
import { listDecisions } from "#lib/domain/audit/queries.ts";
import { getServices } from "#lib/web/services.ts";

export const metadata: Metadata = { title: "Audit log" };

const PAGE_SIZE = 50;

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ searchParams }: PageProps) {
  await requireOperator();
  const { before: given } = await searchParams;
  const before = readId(given);
  const filter = { actor: null, action: null, subject: null };
  const rows = await listDecisions(getServices().database.reads, filter, { before, limit: PAGE_SIZE + 1 });
  const shown = rows.slice(0, PAGE_SIZE);
  return (
    <OperatorFrame section="Audit log">
      <p className="text-sm text-muted">
        Everything that people, programs and commands decided, newest first.
      </p>
      <DecisionList rows={shown} ofSeveralMerchants />
      {rows.length > PAGE_SIZE && (
        <a href={`?before=${shown.at(-1)?.id}`} className="button-quiet justify-self-center">
          Older entries
        </a>
      )}
    </OperatorFrame>
  );
}
