"use client";

import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { CopyButton } from "#components/ui/buttons.tsx";
import { Notice } from "./notice.tsx";
import type { NoticeCode } from "./notices.ts";
import { useAction } from "./use-action.ts";

const WORDS = { copy: "Copy", copied: "Copied", failed: "Not copied" };

/** A new key with what the browser posts to the plugin, or the reason of the refusal. */
export type KeyAnswer =
  | {
      readonly key: string;
      /** The plugin's address. null: the person copies the key. */
      readonly redirect: string | null;
      readonly fields: readonly (readonly [name: string, value: string])[];
    }
  | { readonly notice: NoticeCode };

/** The form with which a person gives a plugin its key. The browser then posts the key to the plugin, as BTCPay Server's page does. */
export function KeyForm({
  action,
  children,
}: {
  action: (form: FormData) => Promise<KeyAnswer | undefined>;
  children: ReactNode;
}) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const delivery = useRef<HTMLFormElement>(null);
  const [answer, setAnswer] = useState<KeyAnswer | null>(null);
  const { call, isReady, isWaiting, isLost } = useAction(action);
  // Only the policy of this page's own document lets the form go to the plugin. Next may have come here within another document.
  useEffect(() => {
    const [entry] = performance.getEntriesByType("navigation");
    if (entry !== undefined && new URL(entry.name).pathname !== location.pathname) location.reload();
  }, []);
  const made = answer !== null && "key" in answer ? answer : null;
  useEffect(() => {
    if (made !== null && made.redirect !== null) delivery.current?.submit();
  }, [made]);
  const press = (event: FormEvent) => {
    event.preventDefault();
    if (form.current === null || isWaiting || made !== null) return;
    setAnswer(null);
    call(new FormData(form.current), setAnswer);
  };
  return (
    <>
      <form ref={form} onSubmit={press} className="needs-script grid gap-4" aria-busy={isWaiting}>
        <Notice code={isLost ? "no_answer" : null} />
        {answer !== null && "notice" in answer && <Notice code={answer.notice} />}
        {made === null && children}
        {made === null && (
          <button type="submit" className="button" disabled={!isReady}>
            Give this key
          </button>
        )}
      </form>
      {made !== null && made.redirect !== null && (
        <form ref={delivery} method="post" action={made.redirect}>
          {made.fields.map(([name, value]) => (
            <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
          ))}
          <button type="submit" className="button">
            Continue to the shop
          </button>
        </form>
      )}
      {made !== null && made.redirect === null && (
        <div className="field" role="status">
          <p className="min-w-0 text-sm">
            Enter this key in the plugin. It is not shown again.
            <code className="block font-mono break-all" data-testid="shown-once">
              {made.key}
            </code>
          </p>
          <CopyButton id={id} text={made.key} label="Copy" spoken="Copied" words={WORDS} />
        </div>
      )}
    </>
  );
}
