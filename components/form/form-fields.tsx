import type { ComponentProps } from "react";
import type { Texts } from "#components/checkout/texts.ts";
import { MAX_ANSWER, MAX_NOTE, MAX_PHONE } from "#lib/domain/forms/submission-rules.ts";
import { MAX_CUSTOMER_TEXT } from "#lib/domain/merchants/customer-rules.ts";
import type { FormModel } from "./form-model.ts";

interface FieldsProps {
  model: FormModel;
  texts: Texts;
  submit: (form: FormData) => Promise<void>;
}

/** The fields for the payer. The browser checks them before they are sent, the server again. */
export function FormFields({ model, texts, submit }: FieldsProps) {
  const { form } = texts;
  const { ask } = model;
  return (
    <form action={submit} className="grid gap-4">
      <input type="hidden" name="form" value={model.code} />
      <input type="hidden" name="visit" value={model.visit} />
      {model.lang !== null && <input type="hidden" name="lang" value={model.lang} />}
      {model.price === null && <AmountField model={model} texts={texts} />}
      {model.maxQuantity > 1 && (
        <Field
          label={form.quantity}
          name="quantity"
          type="number"
          min={1}
          max={model.maxQuantity}
          step={1}
          defaultValue={1}
        />
      )}
      {ask.includes("name") && (
        <>
          <Field label={form.firstName} name="first_name" autoComplete="given-name" maxLength={MAX_ANSWER} />
          <Field label={form.lastName} name="last_name" autoComplete="family-name" maxLength={MAX_ANSWER} />
        </>
      )}
      {ask.includes("email") && (
        <Field
          label={form.email}
          name="email"
          type="email"
          autoComplete="email"
          maxLength={MAX_CUSTOMER_TEXT}
        />
      )}
      {ask.includes("phone") && (
        <Field label={form.phone} name="phone" type="tel" autoComplete="tel" maxLength={MAX_PHONE} />
      )}
      {model.fields.map((label, i) => (
        <Field key={label} label={label} name={`field_${i}`} maxLength={MAX_ANSWER} />
      ))}
      {ask.includes("note") && (
        <label className="block">
          <span className="label block">{form.note}</span>
          <textarea name="note" rows={3} maxLength={MAX_NOTE} className="input" />
        </label>
      )}
      <button type="submit" className="button cursor-pointer">
        {form.submit}
      </button>
    </form>
  );
}

function AmountField({ model, texts }: Pick<FieldsProps, "model" | "texts">) {
  const { minimum, maximum, suggestions, step, currency } = model;
  const range = [
    ...(minimum === null ? [] : [texts.form.atLeast({ amount: minimum.text })]),
    ...(maximum === null ? [] : [texts.form.atMost({ amount: maximum.text })]),
  ].join(" ");
  return (
    <div>
      <Field
        label={texts.form.amount({ currency })}
        name="amount"
        type="number"
        inputMode="decimal"
        min={minimum?.value ?? step}
        max={maximum?.value}
        step={step}
        list={suggestions.length > 0 ? "suggestions" : undefined}
        aria-describedby={range === "" ? undefined : "range"}
      />
      {suggestions.length > 0 && (
        <datalist id="suggestions">
          {suggestions.map((amount) => (
            <option key={amount} value={amount} />
          ))}
        </datalist>
      )}
      {range !== "" && (
        <p id="range" className="hint">
          {range}
        </p>
      )}
    </div>
  );
}

function Field({ label, ...input }: ComponentProps<"input"> & { label: string }) {
  return (
    <label className="block">
      <bdi className="label block">{label}</bdi>
      <input required className="input" {...input} />
    </label>
  );
}
