import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { type FormOwner, findForm, getTaken, listFormRows, listTaken } from "./queries.ts";
import { type FormRow, type FormTaken, type FormView, NOTHING_TAKEN } from "./types.ts";

/** The settings that a form's URL depends on. */
export interface FormSettings {
  readonly paymentUrl: string;
}

/** URL of a form's page, on the host of the payment pages. */
export function formUrl({ paymentUrl }: FormSettings, code: string): string {
  return new URL(`/buy/${code}`, paymentUrl).href;
}

export function composeForm(form: FormRow, taken: FormTaken, settings: FormSettings): FormView {
  return { ...form, taken, url: formUrl(settings, form.code) };
}

/** The owner's form, also an archived one. null if there is no such form, or another merchant or environment has it. */
export async function viewForm(
  db: Db | Tx,
  settings: FormSettings,
  code: string,
  owner?: FormOwner,
): Promise<FormView | null> {
  const found = await findForm(db, code);
  if (found === null || (owner !== undefined && !isOwner(found.form, owner))) return null;
  return composeForm(found.form, await getTaken(db, found.form.id), settings);
}

export function isOwner({ merchantId, env }: FormRow, owner: FormOwner): boolean {
  return env === owner.env && (owner.merchantId === null || owner.merchantId === merchantId);
}

/** Newest first, with ids below `before`. */
export async function listForms(
  db: Db | Tx,
  settings: FormSettings,
  owner: FormOwner,
  range: Parameters<typeof listFormRows>[2],
): Promise<FormView[]> {
  const rows = await listFormRows(db, owner, range);
  const taken = await listTaken(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => composeForm(row, taken.get(row.id) ?? NOTHING_TAKEN, settings));
}
