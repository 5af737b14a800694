import type { Metadata } from "next";
import { nameBrowser } from "#components/console/browser-name.ts";
import { LocalTime } from "#components/console/local-time.tsx";
import { NewPassword } from "#components/console/new-password.tsx";
import { Notice } from "#components/console/notice.tsx";
import { readNotice } from "#components/console/notices.ts";
import { PasskeyForm } from "#components/console/passkey-button.tsx";
import { Field } from "#components/console/plain-page.tsx";
import { RecoveryCodes } from "#components/console/recovery-codes.tsx";
import { isRecent } from "#lib/domain/authority/verb-rules.ts";
import { passkeyFingerprint } from "#lib/domain/members/passkey-fingerprint.ts";
import { nextTotpSecret } from "#lib/domain/members/password.ts";
import {
  countRecoveryCodes,
  getUser,
  type ListedSession,
  listPasskeys,
  listSessions,
} from "#lib/domain/members/queries.ts";
import type { PasskeyRow, UserRow } from "#lib/domain/members/types.ts";
import { getServices } from "#lib/web/services.ts";
import { confirmPath, requireSignedIn } from "../session.ts";
import {
  dropPasskey,
  finishPasskey,
  makeRecoveryCodes,
  replacePassword,
  signOut,
  signOutOthers,
  signOutSession,
  startPasskey,
} from "./actions.ts";

export const metadata: Metadata = { title: "Your account" };

export default async function Page({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[]>>;
}) {
  const signedIn = await requireSignedIn();
  const { userId, sessionId, name, email } = signedIn;
  const { db } = getServices().database;
  const [user, passkeys, sessions, codes] = await Promise.all([
    getUser(db, userId),
    listPasskeys(db, userId),
    listSessions(db, userId, new Date()),
    countRecoveryCodes(db, userId),
  ]);
  return (
    <main className="mx-auto grid w-full max-w-2xl gap-4 p-3 sm:p-6">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h1 className="text-2xl font-semibold tracking-tight">Your account</h1>
          <p className="text-sm break-all text-muted">
            <bdi>{name}</bdi>, <bdi>{email}</bdi>
          </p>
        </div>
        <div className="flex gap-2">
          <a href="/console" className="button-quiet">
            To the console
          </a>
          <form action={signOut}>
            <button type="submit" className="button-quiet">
              Sign out
            </button>
          </form>
        </div>
      </header>
      <Notice code={readNotice((await searchParams).notice)} />
      <Passkeys passkeys={passkeys} />
      <Password user={user} isProved={isRecent(signedIn, new Date())} />
      {user.passwordHash !== null && <RecoveryCodes count={codes} make={makeRecoveryCodes} />}
      <Sessions sessions={sessions} current={sessionId} />
    </main>
  );
}

function Passkeys({ passkeys }: { passkeys: readonly PasskeyRow[] }) {
  return (
    <section className="panel" aria-labelledby="passkeys">
      <h2 id="passkeys" className="font-semibold">
        Passkeys
      </h2>
      {passkeys.length === 0 && (
        <p className="text-sm text-muted">You have none. They are quicker and safer than a password.</p>
      )}
      {passkeys.length > 0 && (
        <p className="text-sm text-muted">
          The fingerprint identifies a passkey. Read it to the operator if they ask for it.
        </p>
      )}
      <ul className="grid gap-2 text-sm">
        {passkeys.map(({ id, name, createdAt, lastUsedAt, credentialId, publicKey }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-2">
            <span>
              <bdi className="font-medium">{name}</bdi>
              <span className="block text-muted">
                since <LocalTime at={createdAt} />
                {lastUsedAt !== null && (
                  <>
                    , last used <LocalTime at={lastUsedAt} />
                  </>
                )}
              </span>
              <span className="block text-xs text-muted">
                Fingerprint: <code>{passkeyFingerprint({ credentialId, publicKey })}</code>
              </span>
            </span>
            <form action={dropPasskey}>
              <input type="hidden" name="passkey" value={id} />
              <button type="submit" className="button-quiet" aria-label={`Remove the passkey ${name}`}>
                Remove
              </button>
            </form>
          </li>
        ))}
      </ul>
      <PasskeyForm actions={{ start: startPasskey, finish: finishPasskey }} label="Add a passkey">
        <Field
          label="Name of the new passkey"
          name="name"
          required
          maxLength={100}
          placeholder="Phone"
          autoComplete="off"
        />
      </PasskeyForm>
    </section>
  );
}

/**
 * A new password, with a new secret of the authenticator app. People who have passkeys alone can add both. A browser that was left open does not
 * show the secret: a fresh proof comes first.
 */
function Password({ user, isProved }: { user: UserRow; isProved: boolean }) {
  const isNew = user.passwordHash === null;
  const title = isNew ? "Add a password" : "Change the password and the app";
  return (
    <section className="panel" aria-labelledby="password">
      <h2 id="password" className="font-semibold">
        Password and authenticator app
      </h2>
      {isProved ? (
        <details>
          <summary className="link min-h-6 w-fit cursor-pointer text-sm">{title}</summary>
          <form action={replacePassword} className="mt-4 grid gap-4">
            <input type="hidden" name="email" value={user.email} autoComplete="username" />
            <NewPassword secret={nextTotpSecret(getServices().secrets, user)} email={user.email} />
            <button type="submit" className="button-small justify-self-start">
              {isNew ? "Add the password" : "Change both"}
            </button>
          </form>
        </details>
      ) : (
        <a href={confirmPath("/console/account")} className="link w-fit text-sm">
          {title}
        </a>
      )}
    </section>
  );
}

function Sessions({ sessions, current }: { sessions: readonly ListedSession[]; current: number }) {
  return (
    <section className="panel" aria-labelledby="sessions">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="sessions" className="font-semibold">
          Where you are signed in
        </h2>
        {sessions.length > 1 && (
          <form action={signOutOthers}>
            <button type="submit" className="button-quiet">
              Sign out everywhere else
            </button>
          </form>
        )}
      </div>
      <ul className="grid gap-3 text-sm">
        {sessions.map(({ id, ip, userAgent, lastSeenAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-2">
            <span className="min-w-0 grow basis-60">
              <bdi className="break-words">{nameBrowser(userAgent)}</bdi>
              <span className="block text-muted">
                {ip}, <LocalTime at={lastSeenAt} />
              </span>
            </span>
            {id === current ? (
              <span className="badge bg-good-soft text-good">This browser</span>
            ) : (
              <form action={signOutSession}>
                <input type="hidden" name="session" value={id} />
                <button type="submit" className="button-quiet">
                  Sign out
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
