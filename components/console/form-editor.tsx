"use client";

import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Notice } from "./notice.tsx";
import { PlaceFields } from "./place-fields.tsx";
import { useAction } from "./use-action.ts";
import { zoneText } from "./zone-text.ts";

type Values = Readonly<Record<string, string>>;

interface EditorProps {
  /** Leads to the saved form, or answers which field is wrong. */
  readonly action: (
    posted: FormData,
  ) => Promise<{ readonly field: string; readonly text: string } | undefined>;
  readonly hidden: Values;
  readonly values: Values;
  /** The currencies to choose from. Null: the currency of a form stays. */
  readonly currencies: readonly string[] | null;
  readonly merchantName: string;
  readonly timeZone: string;
  readonly mayChange: boolean;
}

const QUESTIONS = [
  ["email", "E-mail address"],
  ["name", "Name"],
  ["phone", "Telephone number"],
  ["note", "A note, if they like"],
] as const;

const valuesOf = (form: HTMLFormElement): Values =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

/** Creates or changes a form, next to a preview of its page. A refusal keeps what was typed. */
export function FormEditor({
  action,
  hidden,
  values,
  currencies,
  merchantName,
  timeZone,
  mayChange,
}: EditorProps) {
  const { call, isReady, isWaiting, isLost } = useAction(action);
  const [problem, setProblem] = useState<{ readonly field: string; readonly text: string } | null>(null);
  const [typed, setTyped] = useState(values);
  const form = useRef<HTMLFormElement>(null);
  // A person may have typed before this script ran. Fields that are disabled have no values.
  useEffect(() => {
    if (mayChange && form.current !== null) setTyped(valuesOf(form.current));
  }, [mayChange]);
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setProblem(null);
    call(new FormData(event.currentTarget), setProblem);
  };
  const field = { values, problem };
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <form
        ref={form}
        onSubmit={save}
        onInput={(event) => setTyped(valuesOf(event.currentTarget))}
        className="panel needs-script"
        aria-label="Form"
      >
        <PlaceFields of={hidden} />
        <Notice code={isLost ? "no_answer" : null} />
        <fieldset disabled={!mayChange} className="grid min-w-0 gap-4">
          <Text {...field} name="title" label="What is sold" required maxLength={100} />
          <Text {...field} name="description" label="Description" lines={3} maxLength={1_000} />
          <AmountFields {...field} currencies={currencies} />
          <Questions {...field} />
          <More {...field} timeZone={timeZone} />
        </fieldset>
        {mayChange && (
          <button type="submit" className="button-small justify-self-start" disabled={isWaiting || !isReady}>
            {isWaiting ? "Saving …" : "Save the form"}
          </button>
        )}
      </form>
      <Preview
        typed={{ ...typed, currency: typed.currency ?? values.currency ?? "" }}
        merchantName={merchantName}
      />
    </div>
  );
}

interface FieldProps {
  readonly values: Values;
  readonly problem: { readonly field: string; readonly text: string } | null;
}

function Text({
  values,
  problem,
  name,
  label,
  hint,
  lines,
  ...input
}: FieldProps & {
  name: string;
  label: string;
  hint?: string;
  lines?: number;
} & React.ComponentProps<"input">) {
  const id = useId();
  const isWrong = problem?.field === name;
  const common = {
    id,
    name,
    className: "input",
    defaultValue: values[name] ?? "",
    "aria-invalid": isWrong || undefined,
    "aria-describedby": `${id}-text`,
  };
  return (
    <div>
      <label htmlFor={id} className="label block">
        {label}
      </label>
      {lines === undefined ? (
        <input autoComplete="off" {...input} {...common} />
      ) : (
        <textarea rows={lines} maxLength={input.maxLength} {...common} />
      )}
      <p
        id={`${id}-text`}
        className={isWrong ? "text-sm text-bad" : "hint"}
        role={isWrong ? "alert" : undefined}
      >
        {isWrong ? problem.text : hint}
      </p>
    </div>
  );
}

function AmountFields({ currencies, ...field }: FieldProps & Pick<EditorProps, "currencies">) {
  const amount = { inputMode: "decimal", maxLength: 30 } as const;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_8rem]">
        <Text {...field} {...amount} name="amount" label="Amount" hint="Empty: the customer chooses it." />
        {currencies === null ? (
          <p>
            <span className="label block">Currency</span>
            <span className="flex min-h-11 items-center uppercase">{field.values.currency}</span>
          </p>
        ) : (
          <label className="block">
            <span className="label block">Currency</span>
            <select name="currency" defaultValue={field.values.currency} className="input">
              {currencies.map((code) => (
                <option key={code} value={code}>
                  {code.toUpperCase()}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <details open={isIn(field, ["minimumAmount", "maximumAmount", "suggestedAmounts"])}>
        <summary className="link w-fit cursor-pointer text-sm">When the customer chooses the amount</summary>
        <div className="mt-3 grid gap-4 sm:grid-cols-2">
          <Text {...field} {...amount} name="minimumAmount" label="Smallest" />
          <Text {...field} {...amount} name="maximumAmount" label="Largest" />
          <Text
            {...field}
            name="suggestedAmounts"
            label="Suggestions"
            hint="At most six, with spaces between them."
            maxLength={200}
          />
        </div>
      </details>
    </>
  );
}

function Questions({ values, problem }: FieldProps) {
  return (
    <fieldset className="grid gap-2">
      <legend className="label">What customers are asked</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {QUESTIONS.map(([name, label]) => (
          <label key={name} className="flex min-h-6 items-center gap-2 text-sm">
            <input
              type="checkbox"
              name={`ask:${name}`}
              value="yes"
              defaultChecked={values[`ask:${name}`] === "yes"}
            />
            {label}
          </label>
        ))}
      </div>
      <Text
        values={values}
        problem={problem}
        name="fields"
        label="Questions of your own"
        hint="At most three, one in each line, such as: Size."
        lines={2}
        maxLength={200}
      />
    </fieldset>
  );
}

const MORE = ["maxQuantity", "stock", "totalLimit", "expiresAt", "paymentReference", "successUrl"];

/** Opens what hides a refused field. Otherwise it stays as the person left it. */
const isIn = ({ problem }: FieldProps, names: readonly string[]) =>
  (problem !== null && names.includes(problem.field)) || undefined;

function More({ timeZone, ...field }: FieldProps & { timeZone: string }) {
  const number = { inputMode: "numeric", maxLength: 9 } as const;
  return (
    <details open={isIn(field, MORE)}>
      <summary className="link w-fit cursor-pointer text-sm">Stock, limits and what comes after</summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        <Text {...field} {...number} name="maxQuantity" label="At most in one order" required />
        <Text {...field} {...number} name="stock" label="Stock" hint="Empty: no end." />
        <Text
          {...field}
          name="totalLimit"
          label="Closes when this much is asked"
          inputMode="decimal"
          maxLength={30}
        />
        <Text
          {...field}
          name="expiresAt"
          label={`Last day, in ${zoneText(timeZone)}`}
          hint={field.values.end ? `It ends at ${field.values.end}, until another day is chosen.` : ""}
          type="date"
        />
        <Text
          {...field}
          name="paymentReference"
          label="Reference of its payments"
          hint="Empty: one is made."
          maxLength={20}
        />
        <Text
          {...field}
          name="successUrl"
          label="Where customers go when they paid"
          hint="Empty: back to the form."
          maxLength={2_000}
        />
      </div>
    </details>
  );
}

/** The form's page as customers will see it. */
function Preview({ typed, merchantName }: { typed: Values; merchantName: string }) {
  const { title = "", description = "", amount = "", currency = "", fields = "" } = typed;
  const asked = [
    ...QUESTIONS.flatMap(([name, label]) => (typed[`ask:${name}`] === "yes" ? [label] : [])),
    ...fields.split("\n").filter((line) => line.trim() !== ""),
  ];
  return (
    <section className="sticky top-4 grid gap-2" aria-label="Preview">
      <h2 className="text-sm text-muted">Preview of its page</h2>
      <div className="grid gap-3 rounded-2xl border border-line bg-card p-4" aria-hidden="true">
        <bdi className="font-medium break-words">{merchantName}</bdi>
        <p className="text-xl font-semibold break-words">
          <bdi>{title === "" ? "What is sold" : title}</bdi>
        </p>
        {description !== "" && <p className="text-sm break-words whitespace-pre-line">{description}</p>}
        {amount === "" ? (
          <Box>Amount in {currency.toUpperCase()}</Box>
        ) : (
          <p className="text-lg font-semibold break-all tabular-nums">
            {amount} {currency.toUpperCase()}
          </p>
        )}
        {asked.slice(0, 7).map((label) => (
          <Box key={label}>{label}</Box>
        ))}
        <p className="rounded-xl bg-accent px-4 py-3 text-center font-semibold text-on-accent">
          Continue to payment
        </p>
      </div>
    </section>
  );
}

function Box({ children }: { children: ReactNode }) {
  return <p className="rounded-lg border border-line px-3 py-2 text-sm break-words text-muted">{children}</p>;
}
