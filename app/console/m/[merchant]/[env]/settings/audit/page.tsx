import type { Metadata } from "next";
import { frameOf } from "#app/console/m/frame.ts";
import { requireDesk } from "#app/console/session.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { DecisionList } from "#components/console/decision-list.tsx";
import { listDecisions } from "#lib/domain/audit/queries.ts";
import { getServices } from "#lib/web/services.ts";

export const metadata: Metadata = { title: "Audit log" };

const PAGE_SIZE = 50;

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const desk = await requireDesk(await params, "audit.view");
  const { reads } = getServices().database;
  const before = readId((await searchParams).before);
  const filter = { actor: null, action: null, subject: null, merchantId: desk.workplace.merchantId };
  const rows = await listDecisions(reads, filter, { before, limit: PAGE_SIZE + 1 });
  const shown = rows.slice(0, PAGE_SIZE);
  return (
    <ConsoleFrame frame={frameOf(desk)} section="settings" title="Audit log">
      <p className="text-sm text-muted">
        What people and the operator did here, in live and in test, newest first.
      </p>
      <DecisionList rows={shown} />
      {shown.length === 0 && <p className="panel text-sm text-muted">Nobody has changed anything yet.</p>}
      {rows.length > PAGE_SIZE && (
        <a href={`?before=${shown.at(-1)?.id}`} className="button-quiet justify-self-center">
          Older entries
        </a>
      )}
    </ConsoleFrame>
  );
}

const readId = (text: unknown): number | null =>
  typeof text === "string" && /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : null;
