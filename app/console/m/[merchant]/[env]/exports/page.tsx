import type { Metadata } from "next";
import { frameOf } from "#app/console/m/frame.ts";
import { readDay } from "#app/console/m/read-day.ts";
import { requireDesk } from "#app/console/session.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { ExportForm } from "#components/console/export-form.tsx";
import { zoneText } from "#components/console/zone-text.ts";
import { dayIn } from "#lib/platform/time-zone.ts";
import { EXPORTS } from "./exports.ts";

export const metadata: Metadata = { title: "Exports" };

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const desk = await requireDesk(await params, "exports.read");
  const { what, from, to } = await searchParams;
  const today = dayIn(desk.workplace.timeZone, new Date());
  return (
    <ConsoleFrame frame={frameOf(desk)} section="money" title="Exports">
      <ExportForm
        action={`${desk.base}/exports/file`}
        choices={Object.entries(EXPORTS).map(([name, { title }]) => [name, title] as const)}
        what={typeof what === "string" && Object.hasOwn(EXPORTS, what) ? what : "payments"}
        from={readDay(from) ?? `${today.slice(0, 7)}-01`}
        to={readDay(to) ?? today}
      />
      <p className="text-sm text-muted">
        Days are those of {zoneText(desk.workplace.timeZone)}, and the last one is included. Times in the file
        are in UTC. Amounts are exact. The entries have their value in USD when they were posted, and where
        the price is from. The same days can be exported again. To export some payments only, filter their
        list.
      </p>
    </ConsoleFrame>
  );
}
