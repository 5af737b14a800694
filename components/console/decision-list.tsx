import { LocalTime } from "#components/console/local-time.tsx";
import type { RecordedDecision } from "#lib/domain/audit/queries.ts";
import { userOf } from "#lib/domain/authority/actor.ts";
import { listPeople } from "#lib/domain/members/queries.ts";
import { getServices } from "#lib/web/services.ts";

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
  "member.sign-up-again": "signed up again after a reset",
  "password.change": "changed their password and authenticator app",
  "withdrawal.limit": "set a limit for withdrawals",
  "withdrawal.book": "switched the address book",
  "withdrawal.book-add": "added an address to the address book",
  "withdrawal.book-remove": "removed an address from the address book",
  "deposit.resolve": "assigned an unmatched deposit",
  "withdrawal.create": "asked for a withdrawal",
  "withdrawal.approve": "approved a withdrawal",
  "withdrawal.fail": "declined a withdrawal",
  "withdrawal.policy": "changed who approves withdrawals",
  "merchant.create": "created the merchant",
  "merchant.update": "changed the settings",
};

/** Entries of the audit log, with the names of the people. */
export async function DecisionList({ rows }: { rows: readonly RecordedDecision[] }) {
  const { db } = getServices().database;
  const people = await listPeople(db, [...new Set(rows.flatMap(({ actor }) => userOf(actor) ?? []))]);
  return (
    <ul className="divide-y divide-line rounded-2xl border border-line bg-card">
      {rows.map((row) => (
        <Decision key={row.id} row={row} who={nameOf(row.actor, people)} />
      ))}
    </ul>
  );
}

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
        {row.ip !== null && (
          <>
            <dt>From</dt>
            <dd className="break-all">{row.ip}</dd>
          </>
        )}
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
