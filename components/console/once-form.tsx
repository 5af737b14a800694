"use client";

import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import { CopyButton } from "#components/ui/buttons.tsx";
import { isGoodNotice, Notice } from "./notice.tsx";
import type { NoticeCode } from "./notices.ts";
import { useAction } from "./use-action.ts";

const WORDS = { copy: "Copy", copied: "Copied", failed: "Not copied" };

/** The answer to a form that shows something once: the text, or the reason of the refusal. */
export type OnceAnswer = { readonly text: string } | { readonly notice: NoticeCode };

/**
 * A form whose answer is shown once: a key, a secret, an invitation. Its button is a ReadyButton. The style sheet hides it where
 * scripts are off.
 */
export function OnceForm({
  action,
  hint,
  className = "",
  children,
}: {
  action: (form: FormData) => Promise<OnceAnswer | undefined>;
  /** The advice for the text. */
  hint: string;
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [answer, setAnswer] = useState<OnceAnswer | null>(null);
  const { call, isWaiting, isLost } = useAction(action);
  const press = (event: FormEvent) => {
    event.preventDefault();
    if (form.current === null || isWaiting) return;
    setAnswer(null);
    call(new FormData(form.current), (given) => {
      setAnswer(given);
      // A refusal leaves what was typed.
      if ("text" in given || isGoodNotice(given.notice)) form.current?.reset();
    });
  };
  return (
    <form ref={form} onSubmit={press} className={`needs-script ${className}`} aria-busy={isWaiting}>
      <Notice code={isLost ? "no_answer" : null} />
      {answer !== null && "notice" in answer && <Notice code={answer.notice} />}
      {children}
      {answer !== null && "text" in answer && (
        <div className="field" role="status">
          <p className="min-w-0 text-sm">
            {hint}
            <code className="block font-mono break-all" data-testid="shown-once">
              {answer.text}
            </code>
          </p>
          <CopyButton id={id} text={answer.text} label="Copy" spoken="Copied" words={WORDS} />
        </div>
      )}
    </form>
  );
}
