import type { Metadata } from "next";
import type { ReactNode } from "react";
import { frameOf } from "#app/console/m/frame.ts";
import { requireDesk } from "#app/console/session.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { EmailText } from "#components/console/email-text.tsx";
import { LocalTime } from "#components/console/local-time.tsx";
import { readNotice } from "#components/console/notices.ts";
import { OnceForm } from "#components/console/once-form.tsx";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { Field } from "#components/console/plain-page.tsx";
import { ReadyButton } from "#components/console/ready-button.tsx";
import { may, ROLE_TEXTS, ROLES } from "#lib/domain/authority/role-rules.ts";
import { type ListedMember, listInvitations, listMembers } from "#lib/domain/members/queries.ts";
import { getServices } from "#lib/web/services.ts";
import { change, invite, withdrawInvitation } from "./actions.ts";

export const metadata: Metadata = { title: "Members" };

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const { merchant, env } = await params;
  const desk = await requireDesk({ merchant, env }, "members.view");
  const { db } = getServices().database;
  const { merchantId, role } = desk.workplace;
  const members = await listMembers(db, merchantId);
  const mayInvite = may(role, "members.invite");
  const invitations = mayInvite ? await listInvitations(db, merchantId, new Date()) : [];
  const place = <PlaceFields of={{ merchant, env }} />;
  return (
    <ConsoleFrame
      frame={frameOf(desk)}
      section="members"
      title="Members"
      notice={readNotice((await searchParams).notice)}
    >
      <section className="overflow-x-auto rounded-2xl border border-line bg-card" aria-label="Members">
        <table className="console-table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Role</th>
              <th scope="col" className="max-sm:hidden">
                Since
              </th>
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <MemberRow
                key={member.userId}
                member={member}
                mayChange={may(role, "members.change")}
                place={place}
                base={desk.base}
              />
            ))}
          </tbody>
        </table>
        {may(role, "members.change") && (
          <p className="p-4 text-sm text-muted">
            API keys that a person made can do at most what their role can. They end when the person is
            removed.
          </p>
        )}
        {members.length === 0 && <p className="p-4 text-sm text-muted">Nobody works here yet.</p>}
      </section>
      {mayInvite && <InvitePerson place={place} />}
      {invitations.length > 0 && <OpenInvitations invitations={invitations} place={place} />}
    </ConsoleFrame>
  );
}

function InvitePerson({ place }: { place: ReactNode }) {
  return (
    <OnceForm
      action={invite}
      hint="Send this link to the person alone: anyone who opens it signs up as them. It works once, for three days, and is not shown again."
      className="panel"
    >
      <h2 className="font-semibold">Invite a person</h2>
      {place}
      <Field label="E-mail address" name="email" type="email" required maxLength={254} autoComplete="off" />
      <label className="block">
        <span className="label block">Role</span>
        <select name="role" defaultValue="cashier" className="input">
          {ROLES.map((one) => (
            <option key={one} value={one}>
              {one}: {ROLE_TEXTS[one]}
            </option>
          ))}
        </select>
      </label>
      <ReadyButton className="button-small justify-self-start">Make an invitation</ReadyButton>
    </OnceForm>
  );
}

function OpenInvitations({
  invitations,
  place,
}: {
  invitations: Awaited<ReturnType<typeof listInvitations>>;
  place: ReactNode;
}) {
  return (
    <section className="panel" aria-labelledby="invitations">
      <h2 id="invitations" className="font-semibold">
        Open invitations
      </h2>
      <ul className="grid gap-2 text-sm">
        {invitations.map(({ id, email, role, expiresAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-2">
            <span>
              <EmailText email={email} />, {role}, until <LocalTime at={expiresAt} />
            </span>
            <form action={withdrawInvitation}>
              {place}
              <input type="hidden" name="invitation" value={id} />
              <button
                type="submit"
                className="button-quiet"
                aria-label={`Withdraw the invitation of ${email}`}
              >
                Withdraw
              </button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  );
}

function MemberRow({
  member,
  mayChange,
  place,
  base,
}: {
  member: ListedMember;
  mayChange: boolean;
  place: ReactNode;
  /** Path of the merchant's console. */
  base: string;
}) {
  const { userId, name, email, role, createdAt } = member;
  return (
    <tr>
      <td>
        <bdi className="font-medium">{name}</bdi>
        <span className="block text-muted">
          <EmailText email={email} />
        </span>
      </td>
      <td>
        {mayChange ? (
          <form action={change} className="flex flex-wrap gap-2 sm:flex-nowrap">
            {place}
            <input type="hidden" name="member" value={userId} />
            <select
              name="role"
              defaultValue={role}
              className="input min-h-9 w-auto py-1 text-sm"
              aria-label={`Role of ${name}`}
            >
              {ROLES.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
            <button type="submit" className="button-quiet" aria-label={`Change the role of ${name}`}>
              Change
            </button>
            <a href={`${base}/members/${userId}`} className="button-quiet" aria-label={`Remove ${name}`}>
              Remove
            </a>
          </form>
        ) : (
          role
        )}
      </td>
      <td className="whitespace-nowrap text-muted max-sm:hidden">
        <LocalTime at={createdAt} />
      </td>
    </tr>
  );
}
