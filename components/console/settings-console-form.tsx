"use client";

import { useId } from "react";
import { type FormProps, Problem, SettingsForm, type State } from "./settings-forms.tsx";

interface Option {
  readonly code: string;
  readonly text: string;
}

/** The time zone of the merchant's days, and the currency of its balances. */
export function ConsoleForm({
  zones,
  currencies,
  ...form
}: FormProps & { zones: readonly string[]; currencies: readonly Option[] }) {
  return (
    <section className="panel" aria-labelledby="console-settings">
      <h2 id="console-settings" className="font-semibold">
        Console
      </h2>
      <SettingsForm section="console" title="Console" form={form}>
        {(state) => (
          <>
            <SelectField
              state={state}
              name="timeZone"
              label="Time zone"
              options={zones.map((zone) => ({ code: zone, text: zone.replaceAll("_", " ") }))}
              hint="Days of lists, charts, exports, statements and forms begin in it. Times are shown in it, or with UTC in the zone of who looks."
            />
            <SelectField
              state={state}
              name="displayCurrency"
              label="Currency of balances"
              options={currencies}
              hint="Balances are valued in it, for reading only. Nothing is paid or decided by these values."
            />
          </>
        )}
      </SettingsForm>
    </section>
  );
}

function SelectField({
  state,
  name,
  label,
  options,
  hint,
}: {
  state: State;
  name: string;
  label: string;
  options: readonly Option[];
  hint: string;
}) {
  const id = useId();
  const chosen = state.values[name];
  return (
    <div>
      <label htmlFor={id} className="label block">
        {label}
      </label>
      <select
        key={chosen}
        id={id}
        name={name}
        defaultValue={chosen}
        className="input"
        aria-describedby={`${id}-hint`}
      >
        {options.map(({ code, text }) => (
          <option key={code} value={code}>
            {text}
          </option>
        ))}
      </select>
      <div id={`${id}-hint`}>
        <Problem state={state} name={name} />
        <span className="hint block">{hint}</span>
      </div>
    </div>
  );
}
