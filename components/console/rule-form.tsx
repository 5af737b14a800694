"use client";

import { type FormEvent, type ReactNode, useState } from "react";
import { type FieldProblem, Problem } from "./field-problem.tsx";
import { Notice } from "./notice.tsx";
import { PlaceFields } from "./place-fields.tsx";
import { Field } from "./plain-page.tsx";
import { useAction } from "./use-action.ts";

interface FormProps {
  /** Returns why it was refused, or goes to the page with a notice. */
  readonly action: (posted: FormData) => Promise<FieldProblem | undefined>;
  readonly place: { readonly merchant: string; readonly env: string };
}

interface Choice {
  readonly code: string;
  readonly name: string;
}

/** A form of a rule. A refusal leaves it as it was typed, and is next to its field. The style sheet hides it where scripts are off. */
function RuleForm({
  action,
  place,
  className,
  children,
}: FormProps & {
  className: string;
  children: (problem: FieldProblem | null, isDisabled: boolean) => ReactNode;
}) {
  const [problem, setProblem] = useState<FieldProblem | null>(null);
  const { call, isReady, isWaiting, isLost } = useAction(action);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isWaiting) return;
    setProblem(null);
    call(new FormData(event.currentTarget), setProblem);
  };
  return (
    <form
      onSubmit={send}
      className={`needs-script grid max-w-xl gap-3 border-t border-line pt-4 ${className}`}
      aria-busy={isWaiting}
    >
      <PlaceFields of={place} />
      <Notice code={isLost ? "no_answer" : null} />
      {children(problem, isWaiting || !isReady)}
    </form>
  );
}

function Choices({ label, name, choices }: { label: string; name: string; choices: readonly Choice[] }) {
  return (
    <label className="block">
      <span className="label block">{label}</span>
      <select name={name} className="input">
        {choices.map((one) => (
          <option key={one.code} value={one.code}>
            {one.name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Adds an address to the address book. */
export function BookForm({ networks, ...form }: FormProps & { networks: readonly Choice[] }) {
  return (
    <RuleForm {...form} className="">
      {(problem, isDisabled) => (
        <>
          <Choices label="Network" name="network" choices={networks} />
          <Problem of="network" problem={problem} />
          <Field
            label="Address"
            name="address"
            required
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={problem?.field === "address"}
          />
          <Problem of="address" problem={problem} />
          <Field
            label="Whose it is"
            name="name"
            required
            maxLength={50}
            autoComplete="off"
            aria-invalid={problem?.field === "name"}
          />
          <Problem of="name" problem={problem} />
          <button type="submit" className="button-small justify-self-start" disabled={isDisabled}>
            Add the address
          </button>
        </>
      )}
    </RuleForm>
  );
}

const AMOUNT = { inputMode: "decimal", maxLength: 40, autoComplete: "off" } as const;

/** Limits of a token. */
export function LimitForm({ tokens, ...form }: FormProps & { tokens: readonly Choice[] }) {
  return (
    <RuleForm {...form} className="sm:grid-cols-3">
      {(problem, isDisabled) => (
        <>
          <div className="grid content-start gap-3">
            <Choices label="Token" name="token" choices={tokens} />
            <Problem of="token" problem={problem} />
          </div>
          {(
            [
              ["per_transfer", "At once"],
              ["per_day", "In 24 hours"],
            ] as const
          ).map(([name, label]) => (
            <div key={name} className="grid content-start gap-3">
              <Field label={label} name={name} {...AMOUNT} aria-invalid={problem?.field === name} />
              <Problem of={name} problem={problem} />
            </div>
          ))}
          {problem?.field === "limits" && (
            <div className="sm:col-span-3">
              <Problem of="limits" problem={problem} />
            </div>
          )}
          <p className="text-sm text-muted sm:col-span-2">An empty field is no limit.</p>
          <button
            type="submit"
            className="button-small justify-self-start sm:justify-self-end"
            disabled={isDisabled}
          >
            Save limits
          </button>
        </>
      )}
    </RuleForm>
  );
}
