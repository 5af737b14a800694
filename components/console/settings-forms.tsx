"use client";

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { MerchantBadge } from "#components/ui/merchant-badge.tsx";
import { accentColors, isColor } from "#lib/domain/merchants/accent-rules.ts";
import { Notice } from "./notice.tsx";
import { PlaceFields } from "./place-fields.tsx";
import { useAction } from "./use-action.ts";

/** The fields of a form of settings, and the result of its last save. */
export interface State {
  readonly values: Readonly<Record<string, string>>;
  readonly problem: { readonly field: string; readonly text: string } | null;
  readonly isSaved: boolean;
}

export interface FormProps {
  readonly action: (posted: FormData) => Promise<State | undefined>;
  readonly place: { readonly merchant: string; readonly env: string };
  readonly values: State["values"];
  readonly mayChange: boolean;
}

/** One part of the settings: a form that keeps what was typed when it is refused. */
export function SettingsForm({
  section,
  title,
  form: { action, place, values, mayChange },
  children,
}: {
  section: string;
  title: string;
  form: FormProps;
  children: (state: State) => ReactNode;
}) {
  const [state, setState] = useState<State>({ values, problem: null, isSaved: false });
  const { call, isWaiting: isSaving, isLost } = useAction(action);
  const save = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    call(new FormData(event.currentTarget), setState);
  };
  return (
    <form
      action={action as (posted: FormData) => void}
      onSubmit={save}
      className="grid gap-4"
      aria-label={title}
    >
      <PlaceFields of={{ ...place, section }} />
      <Notice code={isLost ? "no_answer" : null} />
      <fieldset disabled={!mayChange} className="contents">
        {children(state)}
      </fieldset>
      {mayChange && (
        <div className="flex flex-wrap items-center gap-3">
          <button type="submit" className="button-small" disabled={isSaving}>
            {isSaving ? "Saving …" : "Save"}
          </button>
          <span role="status" className="text-sm text-good">
            {state.isSaved && !isSaving && "Saved."}
          </span>
        </div>
      )}
    </form>
  );
}

/** The message of the field that was refused. */
export function Problem({ state, name }: { state: State; name: string }) {
  return state.problem?.field === name ? (
    <span role="alert" className="block text-sm text-bad">
      {state.problem.text}
    </span>
  ) : null;
}

function TextField({
  state,
  name,
  label,
  hint,
  lines,
  ...input
}: {
  state: State;
  name: string;
  label: string;
  hint: string;
  lines?: number;
} & React.ComponentProps<"input">) {
  const id = useId();
  const value = state.values[name] ?? "";
  const shared = {
    id,
    name,
    defaultValue: value,
    className: "input",
    "aria-invalid": state.problem?.field === name,
    "aria-describedby": `${id}-hint`,
  };
  return (
    <div>
      <label className="label block" htmlFor={id}>
        {label}
      </label>
      {/* A new value remounts the field: React would keep the former one. */}
      {lines === undefined ? (
        <input key={value} {...shared} {...input} />
      ) : (
        <textarea key={value} rows={lines} {...shared} />
      )}
      <div id={`${id}-hint`}>
        <Problem state={state} name={name} />
        <span className="hint block">{hint}</span>
      </div>
    </div>
  );
}

/** Name, color and contact, with a preview of the payment page that follows what is typed. */
export function AppearanceForm({
  logo,
  children,
  ...form
}: FormProps & { logo: string | null; children: ReactNode }) {
  const [typed, setTyped] = useState({ name: form.values.name ?? "", accent: form.values.accent ?? "" });
  const section = useRef<HTMLElement>(null);
  // A person may have typed before this script ran.
  useEffect(() => {
    const read = (name: string) =>
      section.current?.querySelector<HTMLInputElement>(`input[name=${name}]`)?.value ?? "";
    setTyped({ name: read("name"), accent: read("accent") });
  }, []);
  const follow = ({ currentTarget: { name, value } }: React.InputEvent<HTMLInputElement>) =>
    setTyped((former) => ({ ...former, [name]: value }));
  return (
    <section
      ref={section}
      className="panel gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]"
      aria-labelledby="appearance"
    >
      <div className="grid content-start gap-4">
        <h2 id="appearance" className="font-semibold">
          Appearance
        </h2>
        <SettingsForm section="appearance" title="Appearance" form={form}>
          {(state) => (
            <>
              <TextField
                state={state}
                name="name"
                label="Name"
                hint="Customers see it on the payment page."
                required
                maxLength={200}
                onInput={follow}
              />
              <TextField
                state={state}
                name="accent"
                label="Color"
                hint="Like #c81e1e. Empty: Paylink's own. Shades that cannot be read are adjusted."
                placeholder="#c81e1e"
                maxLength={7}
                onInput={follow}
              />
              <TextField
                state={state}
                name="support"
                label="Help for customers"
                hint="An e-mail address, an https address or a telephone number. Empty: none."
                maxLength={200}
              />
            </>
          )}
        </SettingsForm>
        {children}
      </div>
      <Preview name={typed.name} accent={typed.accent.toLowerCase()} logo={logo} />
    </section>
  );
}

/** The head of the payment page as customers see it. */
function Preview({ name, accent, logo }: { name: string; accent: string; logo: string | null }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    const paint = () => {
      const colors = isColor(accent) ? accentColors(accent, dark.matches ? "dark" : "light") : null;
      const set = (variable: string, color: string | undefined) =>
        color === undefined
          ? box.current?.style.removeProperty(variable)
          : box.current?.style.setProperty(variable, color);
      set("--accent", colors?.accent);
      set("--accent-strong", colors?.accentStrong);
      set("--accent-soft", colors?.accentSoft);
      set("--on-accent", colors?.onAccent);
    };
    paint();
    dark.addEventListener("change", paint);
    return () => dark.removeEventListener("change", paint);
  }, [accent]);
  return (
    <div ref={box} className="grid content-start gap-2" data-testid="preview">
      <h3 className="text-sm text-muted">Preview of the payment page</h3>
      <div className="grid gap-4 rounded-2xl border border-line bg-page p-4" aria-hidden="true">
        <div className="flex items-center gap-3">
          <MerchantBadge model={{ logo, merchantName: name === "" ? "?" : name }} />
          <bdi className="min-w-0 font-medium break-words">{name}</bdi>
        </div>
        <p className="text-2xl font-semibold tabular-nums">₦16,000.00</p>
        <p className="badge w-fit bg-accent-soft text-accent">Awaiting payment</p>
        <p className="rounded-xl bg-accent px-4 py-3 text-center font-semibold text-on-accent">
          Open in a wallet
        </p>
      </div>
    </div>
  );
}

interface OfferedPair {
  readonly code: string;
  readonly text: string;
}

/** The tokens and networks that customers can pay with, and their order on the page. */
function PairPlaces({ state, pairs }: { state: State; pairs: readonly OfferedPair[] }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="label">What customers can pay with</legend>
      <p className="hint">Number them in the order of the page, from 1. Empty: not offered.</p>
      <Problem state={state} name="pairs" />
      <div className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
        {pairs.map(({ code, text }) => (
          <label key={code} className="flex items-center gap-2 text-sm">
            <input
              key={state.values[`pair:${code}`]}
              name={`pair:${code}`}
              defaultValue={state.values[`pair:${code}`] ?? ""}
              inputMode="numeric"
              maxLength={2}
              className="input min-h-9 w-12 py-1 text-center"
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** How exactly a payer must pay. */
function AmountFields({ state }: { readonly state: State }) {
  return (
    <>
      <label className="block">
        <span className="label block">Amounts of stablecoins</span>
        <select
          key={state.values.roundStablecoins}
          name="roundStablecoins"
          defaultValue={state.values.roundStablecoins}
          className="input"
        >
          <option value="1">are rounded up to a cent</option>
          <option value="0">are exact, with six decimals</option>
        </select>
        <Problem state={state} name="roundStablecoins" />
      </label>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          state={state}
          name="toleranceUnder"
          label="May be missing"
          hint="Percent of the amount. A link is paid all the same."
          inputMode="decimal"
        />
        <TextField
          state={state}
          name="toleranceUnderMax"
          label="But at most"
          hint="In the link's currency, like 1 for 1 USD. Empty: no limit."
          inputMode="numeric"
        />
        <TextField
          state={state}
          name="toleranceOver"
          label="May be too much"
          hint="Percent of the amount. The link is not overpaid yet."
          inputMode="decimal"
        />
        <TextField
          state={state}
          name="markup"
          label="Mark-up"
          hint="Percent on top of the market's rate."
          inputMode="decimal"
        />
      </div>
    </>
  );
}

/** How payments are accepted. */
export function PaymentsForm({ pairs, ...form }: FormProps & { pairs: readonly OfferedPair[] }) {
  return (
    <section className="panel" aria-labelledby="accepting">
      <h2 id="accepting" className="font-semibold">
        Payments
      </h2>
      <SettingsForm section="payments" title="Payments" form={form}>
        {(state) => (
          <>
            <label className="block">
              <span className="label block">Money that arrives after the time to pay</span>
              <select
                key={state.values.latePolicy}
                name="latePolicy"
                defaultValue={state.values.latePolicy}
                className="input"
              >
                <option value="hold">is credited, and the link stays as it is</option>
                <option value="accept">is credited, and completes the link</option>
              </select>
              <Problem state={state} name="latePolicy" />
            </label>
            <AmountFields state={state} />
            <TextField
              state={state}
              name="fixedRates"
              label="Rates of your own"
              hint="One in each line, like usdt/ngn=1600: 1 USDT costs 1,600 NGN. Empty: the market's."
              lines={3}
            />
            <PairPlaces state={state} pairs={pairs} />
          </>
        )}
      </SettingsForm>
    </section>
  );
}

/** Which websites may show the payment page. */
export function WebsitesForm(form: FormProps) {
  return (
    <section className="panel" aria-labelledby="websites">
      <h2 id="websites" className="font-semibold">
        Websites
      </h2>
      <SettingsForm section="websites" title="Websites" form={form}>
        {(state) => (
          <TextField
            state={state}
            name="origins"
            label="Websites that may open the payment page in a window of theirs"
            hint="One in each line, like https://shop.example. The button works on these."
            lines={3}
          />
        )}
      </SettingsForm>
    </section>
  );
}
