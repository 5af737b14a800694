import { LocalTime } from "#components/console/local-time.tsx";
import type { RecordedDecision } from "#lib/domain/audit/queries.ts";
import { userOf } from "#lib/domain/authority/actor.ts";
import type { VerbName } from "#lib/domain/authority/verb-rules.ts";
import { listPeople } from "#lib/domain/members/queries.ts";
import { listMerchantEmails } from "#lib/domain/merchants/queries.ts";
import { getServices } from "#lib/web/services.ts";

/** Each verb in words. */
const VERB_TEXTS: Readonly<Record<VerbName, string>> = {
  "merchant.create": "created the merchant",
  "merchant.update": "changed the settings",
  "merchant.status": "disabled or enabled the merchant",
  "merchant.fee": "changed the fee on buys",
  "merchant.mail": "changed which mails are sent",
  "link.create": "made a link",
  "link.cancel": "ended a link",
  "payment_note.add": "wrote a note on a payment",
  "payment_note.remove": "deleted a note on a payment",
  "customer_note.add": "wrote a note on a customer",
  "customer_note.remove": "deleted a note on a customer",
  "link.update": "changed the metadata of a link",
  "link.archive": "changed whether a plugin lists a link",
  "key.create": "created an API key",
  "key.revoke": "revoked an API key",
  "key.rotate": "replaced an API key",
  "ip.add": "added an address to the IP list",
  "ip.remove": "removed an address from the IP list",
  "webhook.endpoint.add": "added a webhook endpoint",
  "webhook.endpoint.update": "changed a webhook endpoint",
  "webhook.endpoint.remove": "removed a webhook endpoint",
  "webhook.endpoint.rotate": "gave a webhook endpoint a new secret",
  "webhook.test": "tested a webhook endpoint",
  "webhook.events": "chose the event types of all webhook endpoints",
  "webhook.redeliver": "sent an event again",
  "webhook.redeliver-range": "sent the events of a time again",
  "form.create": "made a form",
  "form.update": "changed a form",
  "form.archive": "closed a form",
  "pos.add": "added a device that sells",
  "pos.revoke": "ended a device that sells",
  "member.invite": "invited a person",
  "member.revoke-invitation": "withdrew an invitation",
  "member.change": "changed a member",
  "password.change": "changed their password and authenticator app",
  "recovery-codes.issue": "made recovery codes",
  "passkey.add": "added a passkey",
  "passkey.remove": "removed a passkey",
  "session.end": "signed out a browser",
  "session.end-others": "signed out every other browser",
  "view.save": "saved a view of the payments",
  "view.remove": "deleted a view of the payments",
  "console.operator-add": "invited an operator",
  "console.operator-remove": "removed an operator",
  "console.person-reset": "reset a person",
  "withdrawal.create": "asked for a withdrawal",
  "withdrawal.approve": "approved a withdrawal",
  "withdrawal.sign": "signed the approval of a withdrawal",
  "withdrawal.sent": "sent a withdrawal",
  "withdrawal.replace": "replaced the transaction of a withdrawal",
  "withdrawal.correct": "corrected the transaction of a withdrawal",
  "withdrawal.fail": "declined a withdrawal",
  "withdrawal.settle": "completed a withdrawal with another transaction",
  "withdrawal.propose_settlement": "proposed to complete a withdrawal with another amount",
  "withdrawal.approve_settlement": "completed a withdrawal with another amount",
  "withdrawal.policy": "changed who approves withdrawals",
  "withdrawal.limit": "set a limit for withdrawals",
  "withdrawal.book": "switched the address book",
  "withdrawal.book-add": "added an address to the address book",
  "withdrawal.book-remove": "removed an address from the address book",
  "refund_claim.create": "made a refund link",
  "refund_claim.revoke": "revoked a refund link",
  "refund_claim.use": "entered the address of a refund",
  "network.set": "changed a network",
  "token.set": "changed a token",
  "attention.retry": "had something tried again that was set aside",
  "attention.close": "gave up something that was set aside",
  "deposit.resolve": "assigned an unmatched deposit",
  "deposit.refund": "refunded an unmatched deposit",
  "deposit.resolve-many": "assigned unmatched deposits",
  "ledger.movement": "recorded coins that were moved",
  "addresses.import": "imported addresses",
  "addresses.skip": "skipped addresses after a restore",
  "network.accept_gap": "accepted that blocks were not read",
  "node.trust": "accepted a node's certificate",
  "mail.resend": "sent a failed mail again",
  "secrets.reseal": "encrypted all secrets with a new key",
  "numbers.skip": "skipped numbers after a restore",
  "trade.buy": "bought a token",
  "address.allocate": "allocated an address",
  "link.quote": "asked for new prices of a link",
  "transaction.requery": "had a transaction read again",
  "sandbox.pay": "paid a test link",
  "webhook.retrigger": "sent the events of a transaction again",
};

/** The same for actions that are no verbs yet. An action that is missing here is shown by its name. */
const ACTION_TEXTS: Readonly<Record<string, string>> = {
  ...VERB_TEXTS,
  "withdrawal.release-hash": "took the transaction of a withdrawal away: it paid another one",
  "member.join": "joined",
  "member.sign-up-again": "signed up again after a reset",
};

/** Entries of the audit log, with the names of the people, and of the merchants if they are of several. */
export async function DecisionList({
  rows,
  ofSeveralMerchants = false,
}: {
  rows: readonly RecordedDecision[];
  ofSeveralMerchants?: boolean;
}) {
  const { db } = getServices().database;
  const people = await listPeople(db, [...new Set(rows.flatMap(({ actor }) => userOf(actor) ?? []))]);
  const merchantIds = ofSeveralMerchants ? rows.flatMap(({ merchantId }) => merchantId ?? []) : [];
  const merchants = await listMerchantEmails(db, merchantIds);
  return (
    <ul className="divide-y divide-line rounded-2xl border border-line bg-card">
      {rows.map((row) => (
        <Decision
          key={row.id}
          row={row}
          who={nameOf(row.actor, people)}
          merchant={merchants.get(row.merchantId ?? 0)}
        />
      ))}
    </ul>
  );
}

function nameOf(actor: string, people: Awaited<ReturnType<typeof listPeople>>): string {
  const person = people.get(userOf(actor) ?? 0);
  if (person !== undefined) return `${person.name} (${person.email})`;
  return actor.startsWith("operator:") ? "The operator" : actor;
}

function Decision({ row, who, merchant }: { row: RecordedDecision; who: string; merchant?: string }) {
  const facts = Object.entries(row.details).filter(([name]) => !name.endsWith("_before"));
  return (
    <li className="grid gap-1 p-4 text-sm">
      {/* A column of its own: the text of a time changes when scripts run, and must move nothing. */}
      <p className="grid gap-x-4 sm:grid-cols-[minmax(0,1fr)_12rem]">
        <span className="min-w-0 break-words">
          <bdi className="font-medium">{who}</bdi> {ACTION_TEXTS[row.action] ?? row.action}
        </span>
        <span className="whitespace-nowrap text-muted sm:text-end">
          <LocalTime at={row.at} />
        </span>
      </p>
      <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-4 text-muted sm:grid-cols-[10rem_minmax(0,1fr)] [&>dd]:text-ink [&>dt]:break-words">
        <dt>On</dt>
        <dd className="break-all">{row.subject}</dd>
        {merchant !== undefined && (
          <>
            <dt>At</dt>
            <dd className="break-all">{merchant}</dd>
          </>
        )}
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
