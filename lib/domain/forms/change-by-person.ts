import type { Env } from "#lib/chains/network-data.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { archiveForm, createForm, updateForm } from "./manage-forms.ts";
import type { FormProblem } from "./rules.ts";
import type { FormInput, FormView } from "./types.ts";
import type { FormSettings } from "./view-form.ts";

/** A person of the merchant, and the form that they change. */
interface PersonsForm {
  readonly actor: string;
  readonly owner: { readonly merchantId: number; readonly env: Env };
  /** null: a new form. */
  readonly code: string | null;
}

type FormInputs = Partial<FormInput> & Pick<FormInput, "title">;

/** Creates or changes a form for a person, with an entry in the audit log. */
export async function saveForm(
  tx: Tx,
  settings: FormSettings,
  { actor, owner, code, input }: PersonsForm & { readonly input: FormInputs },
  now: Date,
): Promise<
  | { readonly ok: true; readonly form: FormView }
  | { readonly ok: false; readonly reason: FormProblem | "form_not_found" | "form_archived" }
> {
  // The amounts that were paid are in the currency of the form: it stays.
  const { currency: _, ...changes } = input;
  const saved =
    code === null
      ? await createForm(tx, settings, { owner, input }, now)
      : await updateForm(tx, settings, { code, owner, changes }, now);
  if (saved.ok) await record(tx, { actor, action: code === null ? "create" : "update" }, saved.form, now);
  return saved;
}

/** Closes a form for good, with an entry in the audit log. False if there is no such form. */
export async function closeForm(
  tx: Tx,
  settings: FormSettings,
  { actor, owner, code }: PersonsForm & { readonly code: string },
  now: Date,
): Promise<boolean> {
  const closed = await archiveForm(tx, settings, { code, owner }, now);
  if (closed.ok) await record(tx, { actor, action: "archive" }, closed.form, now);
  return closed.ok;
}

function record(
  tx: Tx,
  { actor, action }: { readonly actor: string; readonly action: string },
  { code, env, merchantId, title }: FormView,
  now: Date,
): Promise<void> {
  const details = { env, merchant: merchantId, title };
  const entry = { actor, action: `form.${action}`, subject: `form:${code}`, merchantId, details };
  return recordDecision(tx, entry, now);
}
