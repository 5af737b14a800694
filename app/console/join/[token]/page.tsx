import type { Metadata } from "next";
import { readSignedIn } from "#app/console/session.ts";
import { NewPassword } from "#components/console/new-password.tsx";
import { readNotice } from "#components/console/notices.ts";
import { PasskeyForm } from "#components/console/passkey-button.tsx";
import { Field, Or, PlainPage } from "#components/console/plain-page.tsx";
import { ROLE_TEXTS } from "#lib/domain/authority/role-rules.ts";
import { invitationTotpSecret } from "#lib/domain/members/join.ts";
import { findInvitation } from "#lib/domain/members/queries.ts";
import type { Invitation } from "#lib/domain/members/types.ts";
import { getServices } from "#lib/web/services.ts";
import { finishPasskey, join, joinAsMyself, startPasskey } from "./actions.ts";

export const metadata: Metadata = { title: "Invitation" };

interface PageProps {
  params: Promise<{ token: string }>;
  searchParams: Promise<Record<string, string | string[]>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const [{ token }, { notice: code }] = await Promise.all([params, searchParams]);
  const invitation = await findInvitation(getServices().database.db, token, new Date());
  if (invitation === null) {
    return (
      <PlainPage title="This invitation has ended">
        <p className="text-muted">
          It was used, withdrawn, or is older than three days, or the person who sent it no longer works here.
          Ask for a new one.
        </p>
        <a href="/console/sign-in" className="link">
          Sign in
        </a>
      </PlainPage>
    );
  }
  const signedIn = await readSignedIn();
  if (invitation.isReset)
    return (
      <PlainPage title="Sign up again" notice={readNotice(code)}>
        <p className="text-muted">
          The operator has reset the account of <bdi>{invitation.email}</bdi>. Choose how you sign in from now
          on.
        </p>
        <SignUp token={token} invitation={invitation} />
      </PlainPage>
    );
  const title =
    invitation.merchantName === null ? "Run this installation" : `Work at ${invitation.merchantName}`;
  return (
    <PlainPage title={title} notice={readNotice(code)}>
      <p className="text-muted">
        <bdi>{invitation.email}</bdi> is invited as {invitation.role}: {ROLE_TEXTS[invitation.role]}.
      </p>
      {signedIn !== null ? (
        <form action={joinAsMyself} className="grid gap-4">
          <input type="hidden" name="invitation" value={token} />
          <button type="submit" className="button cursor-pointer">
            Accept as {signedIn.name}
          </button>
        </form>
      ) : invitation.isKnownUser ? (
        <p>
          You have signed up before.{" "}
          <a href="/console/sign-in" className="link">
            Sign in
          </a>
          , then open this invitation again.
        </p>
      ) : (
        <SignUp token={token} invitation={invitation} />
      )}
    </PlainPage>
  );
}

function SignUp({ token, invitation }: { token: string; invitation: Invitation }) {
  const secret = invitationTotpSecret(getServices().secrets, token);
  const shared = (
    <>
      <input type="hidden" name="invitation" value={token} />
      <Field label="Your name" name="name" required autoComplete="name" maxLength={100} />
    </>
  );
  return (
    <>
      <PasskeyForm actions={{ start: startPasskey, finish: finishPasskey }} label="Sign up with a passkey">
        {shared}
        <p className="text-sm text-muted">
          A passkey is kept by this device or your password manager, and unlocked as you unlock the device.
        </p>
      </PasskeyForm>
      <Or />
      <details className="grid gap-4">
        <summary className="cursor-pointer font-medium">Use a password and an authenticator app</summary>
        <form action={join} className="mt-4 grid gap-4">
          {shared}
          <input type="hidden" name="email" value={invitation.email} autoComplete="username" />
          <NewPassword secret={secret} email={invitation.email} />
          <button type="submit" className="button-quiet min-h-12 text-base">
            Sign up with a password
          </button>
        </form>
      </details>
    </>
  );
}
