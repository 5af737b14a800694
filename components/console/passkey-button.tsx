"use client";

import { unstable_rethrow } from "next/navigation";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { Notice } from "./notice.tsx";
import type { NoticeCode } from "./notices.ts";
import { ReadyButton } from "./ready-button.tsx";

/** The input of the browser's own `navigator.credentials`: the options of Web Authentication as JSON text. */
interface Options {
  readonly kind: "create" | "get";
  readonly options: string;
}
type Refusal = { readonly notice: NoticeCode };

export interface PasskeyActions {
  readonly start: (form: FormData) => Promise<Options | Refusal>;
  /** Is sent the browser's answer. Leads to another page, or returns why not. */
  readonly finish: (form: FormData) => Promise<Refusal | undefined>;
}

/**
 * A form whose button creates a passkey or signs with one. Its other fields go to both actions. The style sheet hides it
 * where scripts are off.
 */
export function PasskeyForm({
  actions,
  label,
  children,
}: {
  actions: PasskeyActions;
  label: string;
  children?: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [notice, setNotice] = useState<NoticeCode | null>(null);
  const press = async (event: FormEvent) => {
    event.preventDefault();
    if (form.current === null || isBusy) return;
    setBusy(true);
    setNotice(null);
    try {
      setNotice(await runCeremony(new FormData(form.current), actions));
    } catch (error) {
      unstable_rethrow(error);
      setNotice("no_answer");
    } finally {
      // Also when the browser goes to another page: it may be this one with a notice.
      setBusy(false);
    }
  };
  return (
    <form ref={form} onSubmit={press} className="needs-script grid gap-4">
      <Notice code={notice} />
      {children}
      <ReadyButton className="button cursor-pointer" isBusy={isBusy}>
        {isBusy ? "Waiting for your device …" : label}
      </ReadyButton>
    </form>
  );
}

async function runCeremony(form: FormData, { start, finish }: PasskeyActions): Promise<NoticeCode | null> {
  const asked = await start(form);
  if ("notice" in asked) return asked.notice;
  const credential = await askDevice(asked);
  if (credential === null) return "no_passkeys";
  form.set("answer", JSON.stringify(credential.toJSON()));
  return (await finish(form))?.notice ?? null;
}

/** Returns null if the person or the browser refuses. */
async function askDevice({ kind, options }: Options): Promise<PublicKeyCredential | null> {
  const parsed = JSON.parse(options);
  try {
    const credential =
      kind === "create"
        ? await navigator.credentials.create({
            publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(parsed),
          })
        : await navigator.credentials.get({
            publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(parsed),
          });
    return credential as PublicKeyCredential | null;
  } catch {
    return null;
  }
}
