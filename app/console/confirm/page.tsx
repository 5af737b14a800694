import type { Metadata } from "next";
import { readNotice } from "#components/console/notices.ts";
import { PasskeyForm } from "#components/console/passkey-button.tsx";
import { Field, Or, PlainPage } from "#components/console/plain-page.tsx";
import { getUser, listPasskeys } from "#lib/domain/members/queries.ts";
import { getServices } from "#lib/web/services.ts";
import { readBackPath, requireSignedIn } from "../session.ts";
import { confirmCode, confirmPasskey, startPasskey } from "../sign-in/actions.ts";

export const metadata: Metadata = { title: "Is it you?" };

/** Dangerous actions ask again who is signed in, because a browser may be left open. */
export default async function Page({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[]>>;
}) {
  const { notice, back } = await searchParams;
  const { userId } = await requireSignedIn();
  const { db } = getServices().database;
  const user = await getUser(db, userId);
  const hasPasskeys = (await listPasskeys(db, userId)).length > 0;
  const hasCodes = user.totpSecret !== null;
  const backField = (
    <input type="hidden" name="back" value={readBackPath(typeof back === "string" ? back : "")} />
  );
  return (
    <PlainPage title="Is it you?" notice={readNotice(notice)}>
      <p className="text-muted">
        What you are about to do needs a fresh proof, because a browser may be left open.
      </p>
      {hasPasskeys && (
        <PasskeyForm actions={{ start: startPasskey, finish: confirmPasskey }} label="Use a passkey">
          {backField}
        </PasskeyForm>
      )}
      {hasPasskeys && hasCodes && <Or />}
      {hasCodes && (
        <form action={confirmCode} className="grid gap-4">
          {backField}
          <Field label="Code" name="code" required autoComplete="one-time-code" maxLength={40} />
          <button type="submit" className="button-quiet min-h-12 text-base">
            Use the code
          </button>
        </form>
      )}
      <a href="/console" className="link w-fit text-sm">
        Not now
      </a>
    </PlainPage>
  );
}
