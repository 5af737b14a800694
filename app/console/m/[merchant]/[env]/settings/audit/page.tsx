import type { Metadata } from "next";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { LocalTime } from "#components/console/local-time.tsx";
import { listDecisions, type RecordedDecision } from "#lib/domain/audit/queries.ts";
import { listPeople } from "#lib/domain/members/queries.ts";
import { getServices } from "#lib/web/services.ts";
import { requireDesk } from "../../../../../session.ts";
import { frameOf } from "../../../../frame.ts";

export const metadata: Metadata = { title: "Audit log" };

const PAGE_SIZE = 50;

/** What people did, in words. An action that is missing here is shown by its name. */
const ACTION_TEXTS: Readonly<Record<string, string>> = {
  "link.create": "made a link",
  "link.cancel": "ended a link",
  "key.create": "created an API key",
  "key.revoke": "revoked an API key",
  "ip.add": "added an address to the IP list",
  "ip.remove": "removed an address from the IP list",
  "webhook.endpoint.add": "added a webhook endpoint",
  "webhook.endpoint.update": "changed a webhook endpoint",
  "webhook.endpoint.remove": "removed a webhook endpoint",
  "webhook.endpoint.rotate": "gave a webhook endpoint a new secret",
  "webhook.test": "tested a webhook endpoint",
  "webhook.redeliver": "sent an event again",
  "member.invite": "invited a person",
  "member.revoke-invitation": "withdrew an invitation",
  "member.change": "changed a member",
  "member.join": "joined",
  "merchant.create": "created the merchant",
  "merchant.update": "changed the settings",
};

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const desk = await requireDesk(await params, "audit.view");
  const { db } = getServices().database;
  const before = readId((await searchParams).before);
  const filter = { actor: null, action: null, subject: null, merchantId: desk.workplace.merchantId };
  const rows = await listDecisions(db, filter, { before, limit: PAGE_SIZE + 1 });
  const shown = rows.slice(0, PAGE_SIZE);
  const people = await listPeople(db, [...new Set(shown.flatMap(({ actor }) => userOf(actor) ?? []))]);
  return (
    <ConsoleFrame frame={frameOf(desk)} section="settings" title="Audit log">
      <p className="text-sm text-muted">
        What people and the operator did here, in live and in test, newest first.
      </p>
      <ul className="divide-y divide-line rounded-2xl border border-line bg-card">
        {shown.map((row) => (
          <Decision key={row.id} row={row} who={nameOf(row.actor, people)} />
        ))}
      </ul>
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

const userOf = (actor: string): number | null => readId(/^user:(.*)$/.exec(actor)?.[1]);

function nameOf(actor: string, people: Awaited<ReturnType<typeof listPeople>>): string {
  const person = people.get(userOf(actor) ?? 0);
  if (person !== undefined) return `${person.name} (${person.email})`;
  return actor.startsWith("operator:") ? "The operator" : actor;
}

function Decision({ row, who }: { row: RecordedDecision; who: string }) {
  const facts = Object.entries(row.details).filter(([name]) => !name.endsWith("_before"));
  return (
    <li className="grid gap-1 p-4 text-sm">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="min-w-0 break-words">
          <bdi className="font-medium">{who}</bdi> {ACTION_TEXTS[row.action] ?? row.action}
        </span>
        <span className="text-muted">
          <LocalTime at={row.at} />
        </span>
      </p>
      <dl className="grid gap-x-4 text-muted sm:grid-cols-[10rem_minmax(0,1fr)]">
        <dt>On</dt>
        <dd className="break-all">{row.subject}</dd>
        {facts.map(([name, value]) => (
          <Fact key={name} name={name} value={value} before={row.details[`${name}_before`]} />
        ))}
      </dl>
    </li>
  );
}

const textOf = (value: unknown) => (value === null || value === "" ? "(none)" : String(value));

function Fact({ name, value, before }: { name: string; value: unknown; before: unknown }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="break-all">
        {before !== undefined && (
          <>
            <bdi>{textOf(before)}</bdi> →{" "}
          </>
        )}
        <bdi>{textOf(value)}</bdi>
      </dd>
    </>
  );
}
