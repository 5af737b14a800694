import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { readNotice } from "#components/console/notices.ts";
import { PasskeyForm } from "#components/console/passkey-button.tsx";
import { Field, Or, PlainPage } from "#components/console/plain-page.tsx";
import { readDraft } from "../draft.ts";
import { readBackPath, readSignedIn } from "../session.ts";
import { finishPasskey, signIn, startPasskey } from "./actions.ts";

export const metadata: Metadata = { title: "Sign in" };

export default async function Page({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[]>>;
}) {
  const { notice, back: given } = await searchParams;
  const back = readBackPath(typeof given === "string" ? given : "");
  if ((await readSignedIn()) !== null) redirect(back);
  const draft = await readDraft("/console/sign-in", notice);
  const backField = <input type="hidden" name="back" value={back} />;
  return (
    <PlainPage title="Sign in" notice={readNotice(notice)}>
      <PasskeyForm actions={{ start: startPasskey, finish: finishPasskey }} label="Sign in with a passkey">
        {backField}
      </PasskeyForm>
      <Or />
      <form key={draft.key} action={signIn} className="grid gap-4">
        {backField}
        <Field
          label="E-mail address"
          name="email"
          type="email"
          required
          autoComplete="username"
          maxLength={254}
          defaultValue={draft.value("email")}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          required
          autoComplete="current-password"
          maxLength={200}
        />
        <Field
          label="Code"
          hint="Of your authenticator app, or a recovery code."
          name="code"
          required
          autoComplete="one-time-code"
          spellCheck={false}
          maxLength={40}
        />
        <button type="submit" className="button-quiet min-h-12 text-base">
          Sign in with a password
        </button>
      </form>
      <p className="text-sm text-muted">
        No account? The operator of this installation or a colleague can invite you.
      </p>
    </PlainPage>
  );
}
