"use client";

import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { CopyButton } from "#components/ui/buttons.tsx";
import { type FieldProblem, Problem } from "./field-problem.tsx";
import { Notice } from "./notice.tsx";
import { type Pair, PairFields } from "./pair-field.tsx";
import { PlaceFields } from "./place-fields.tsx";
import { Field } from "./plain-page.tsx";
import { ReasonField } from "./reason-field.tsx";
import { useAction } from "./use-action.ts";

export type ClaimProblem = FieldProblem<"pair" | "amount" | "note" | "reason" | "mail">;

export interface ClaimFormState {
  readonly problem: ClaimProblem | null;
  /** The link of the page, and its QR code. */
  readonly made: { readonly url: string; readonly code: ReactNode } | null;
}

const WORDS = { copy: "Copy", copied: "Copied", failed: "Not copied" };

/** Makes a link on which the customer enters the address of a refund. The link is shown once, or mailed. */
export function ClaimForm({
  action,
  place,
  pairs,
  idempotencyKey,
  mailTo,
  maxNote,
}: {
  action: (posted: FormData) => Promise<ClaimFormState | undefined>;
  place: { readonly merchant: string; readonly env: string; readonly link: string };
  pairs: readonly Pair[];
  idempotencyKey: string;
  /** The customer's mail address. Null if no mail is sent. */
  mailTo: string | null;
  maxNote: number;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [{ problem, made }, setState] = useState<ClaimFormState>({ problem: null, made: null });
  const { call, isReady, isWaiting, isLost } = useAction(action);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (form.current !== null && !isWaiting) call(new FormData(form.current), setState);
  };
  if (made !== null) return <MadeLink {...made} />;
  return (
    <form ref={form} onSubmit={send} className="panel needs-script max-w-xl" aria-busy={isWaiting}>
      <PlaceFields of={{ ...place, key: idempotencyKey }} />
      <Notice code={isLost ? "no_answer" : null} />
      <p className="text-sm text-muted">
        The customer opens a secret link, enters an address of their own, and follows the refund there. It
        works once, for 30 days.
      </p>
      <PairFields
        label="What was paid"
        pairs={pairs}
        isReady={isReady}
        problem={problem}
        amountHint="It counts as refunded from now on. The balance pays it, and the fee, when the address is entered."
      />
      <Field label="Message to the customer (optional)" name="note" maxLength={maxNote} autoComplete="off" />
      <Problem of="note" problem={problem} />
      <ReasonField problem={problem} />
      {mailTo !== null && <MailBox to={mailTo} />}
      <Problem of="mail" problem={problem} />
      <button type="submit" className="button cursor-pointer" disabled={isWaiting || !isReady}>
        {isWaiting ? "Making it …" : "Make the refund link"}
      </button>
    </form>
  );
}

function MailBox({ to }: { to: string }) {
  return (
    <label className="flex items-start gap-3">
      <input type="checkbox" name="mail" className="mt-0.5 size-5 shrink-0" />
      <span className="min-w-0 break-words">
        Mail the link to <bdi>{to}</bdi>
      </span>
    </label>
  );
}

function MadeLink({ url, code }: NonNullable<ClaimFormState["made"]>) {
  return (
    <section className="panel max-w-xl justify-items-center" role="status">
      <h2 className="justify-self-start font-semibold">The refund link</h2>
      <p className="text-sm text-muted">
        It is shown only now. Send it to the customer alone: anyone who has it can say where the money goes.
      </p>
      {code}
      <code className="font-mono text-sm break-all" data-testid="shown-once">
        {url}
      </code>
      <CopyButton id="copy-claim" text={url} label="Copy the link" spoken="Link copied" words={WORDS} />
    </section>
  );
}
