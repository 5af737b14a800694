import type { Env } from "#lib/chains/network-data.ts";
import type { StoredPicture } from "#lib/domain/merchants/types.ts";
import { newRefid } from "#lib/domain/payment-links/refid.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { type FormOwner, getTaken } from "./queries.ts";
import { type FormProblem, parseFormTerms, toFormInput } from "./rules.ts";
import { insertForm, lockForm, replacePicture, updateFormRow } from "./store.ts";
import { type FormInput, type FormRow, type FormView, NOTHING_TAKEN } from "./types.ts";
import { composeForm, type FormSettings, isOwner } from "./view-form.ts";

type FormResult<Refusal> =
  | { readonly ok: true; readonly form: FormView }
  | { readonly ok: false; readonly reason: Refusal };

const DEFAULTS: Omit<FormInput, "title"> = {
  description: null,
  currency: "ngn",
  amount: null,
  minimumAmount: null,
  maximumAmount: null,
  suggestedAmounts: [],
  ask: ["email", "name"],
  fields: [],
  maxQuantity: 1,
  stock: null,
  totalLimit: null,
  paymentReference: null,
  successUrl: null,
  cancelUrl: null,
  expiresAt: null,
};

/** What a request can leave out or remove again. */
export const OPTIONAL_TERMS = [
  "description",
  "amount",
  "minimumAmount",
  "maximumAmount",
  "stock",
  "totalLimit",
  "successUrl",
  "cancelUrl",
  "expiresAt",
] as const satisfies readonly (keyof FormInput)[];

const namesOf = (input: object) => new Set(Object.keys(input) as (keyof FormInput)[]);

/** Creates a form. What is not given has the defaults. */
export async function createForm(
  db: Db | Tx,
  settings: FormSettings,
  request: {
    readonly owner: { readonly merchantId: number; readonly env: Env };
    readonly input: Partial<FormInput> & Pick<FormInput, "title">;
  },
  now: Date,
): Promise<FormResult<FormProblem>> {
  const { owner, input } = request;
  const parsed = parseFormTerms({ ...DEFAULTS, ...input }, namesOf(input), { env: owner.env, now });
  if (!parsed.ok) return parsed;
  const code = newRefid();
  const { terms } = parsed;
  const paymentReference = terms.paymentReference ?? code.slice(0, 20);
  const row = { ...terms, ...owner, code, paymentReference, createdAt: now, updatedAt: now };
  return { ok: true, form: composeForm(await insertForm(db, row), NOTHING_TAKEN, settings) };
}

/** Changes what is given. Links that the form has created stay as they are. */
export function updateForm(
  tx: Tx,
  settings: FormSettings,
  request: { readonly code: string; readonly owner: FormOwner; readonly changes: Partial<FormInput> },
  now: Date,
): Promise<FormResult<FormProblem | "form_not_found" | "form_archived">> {
  return changeForm(tx, settings, request, (form) => {
    if (form.archivedAt !== null) return { ok: false, reason: "form_archived" } as const;
    const { changes } = request;
    const input = { ...toFormInput(form), ...changes };
    const parsed = parseFormTerms(input, namesOf(changes), { env: form.env, now });
    if (!parsed.ok) return parsed;
    const { paymentReference, ...terms } = parsed.terms;
    const reference = paymentReference ?? form.paymentReference;
    return { ok: true, changes: { ...terms, paymentReference: reference, updatedAt: now } } as const;
  });
}

/** Archives a form: its page says that it is closed. Its links stay payable. Archiving it again changes nothing. */
export function archiveForm(
  tx: Tx,
  settings: FormSettings,
  request: { readonly code: string; readonly owner: FormOwner },
  now: Date,
): Promise<FormResult<"form_not_found">> {
  return changeForm(tx, settings, request, ({ archivedAt, updatedAt }) => {
    const changes = archivedAt === null ? { archivedAt: now, updatedAt: now } : { archivedAt, updatedAt };
    return { ok: true, changes } as const;
  });
}

/** Sets the picture that the form's page shows. null removes it. */
export async function setFormPicture(
  tx: Tx,
  settings: FormSettings,
  request: { readonly code: string; readonly owner: FormOwner; readonly picture: StoredPicture | null },
  now: Date,
): Promise<FormResult<"form_not_found">> {
  const { picture } = request;
  const changed = await changeForm<never>(tx, settings, request, () => {
    return { ok: true, changes: { picture: picture?.hash ?? null, updatedAt: now } } as const;
  });
  if (changed.ok) await replacePicture(tx, changed.form.id, picture);
  return changed;
}

async function changeForm<Refusal>(
  tx: Tx,
  settings: FormSettings,
  { code, owner }: { readonly code: string; readonly owner: FormOwner },
  decide: (
    form: FormRow,
  ) =>
    | { readonly ok: true; readonly changes: Parameters<typeof updateFormRow>[2] }
    | { readonly ok: false; readonly reason: Refusal },
): Promise<FormResult<Refusal | "form_not_found">> {
  const found = await lockForm(tx, code);
  if (found === null || !isOwner(found.form, owner)) return { ok: false, reason: "form_not_found" };
  const decision = decide(found.form);
  if (!decision.ok) return decision;
  const form = await updateFormRow(tx, found.form.id, decision.changes);
  return { ok: true, form: composeForm(form, await getTaken(tx, form.id), settings) };
}
