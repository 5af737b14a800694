import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Act } from "#lib/domain/authority/types.ts";
import type { StoredPicture } from "#lib/domain/merchants/types.ts";
import { newRefid } from "#lib/domain/payment-links/refid.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { getTaken } from "./queries.ts";
import { parseFormTerms, toFormInput } from "./rules.ts";
import { insertForm, lockForm, replacePicture, updateFormRow } from "./store.ts";
import { type FormInput, type FormRow, type FormView, NOTHING_TAKEN } from "./types.ts";
import { composeForm, type FormSettings, isOwner } from "./view-form.ts";

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

/** The terms that a request can leave out or remove again. */
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

/** The parts of a form besides its terms. */
interface FormDeps {
  readonly settings: FormSettings;
  /** The picture that the form's page shows. null removes it. Absent: it stays. */
  readonly picture?: StoredPicture | null;
}

/** Creates a form. Terms that are not given have the defaults. */
export const createForm = defineVerb(
  "form.create",
  async (
    { tx, now, merchantId, env },
    {
      settings,
      picture,
      input,
    }: FormDeps & { readonly input: Partial<FormInput> & Pick<FormInput, "title"> },
  ) => {
    const parsed = parseFormTerms({ ...DEFAULTS, ...input }, namesOf(input), { env, now });
    if (!parsed.ok) return refuse(parsed.reason);
    const code = newRefid();
    const { terms } = parsed;
    const paymentReference = terms.paymentReference ?? code.slice(0, 20);
    const shown = picture === undefined ? {} : { picture: picture?.hash ?? null };
    const row = {
      ...terms,
      merchantId,
      env,
      code,
      paymentReference,
      createdAt: now,
      updatedAt: now,
      ...shown,
    };
    const stored = await insertForm(tx, row);
    if (picture !== undefined) await replacePicture(tx, stored.id, picture);
    const form = composeForm(stored, NOTHING_TAKEN, settings);
    return done({ form }, entryOf(form));
  },
);

/** Changes what is given. Links that the form has created stay as they are, and so does its currency: amounts were paid in it. */
export const updateForm = defineVerb(
  "form.update",
  async (
    act,
    {
      settings,
      picture,
      code,
      changes: given,
    }: FormDeps & { readonly code: string; readonly changes: Partial<FormInput> },
  ) => {
    const { tx, now } = act;
    const form = await lockOwnForm(act, code);
    if (form === null) return refuse("form_not_found");
    if (form.archivedAt !== null) return refuse("form_archived");
    const { currency: _, ...changes } = given;
    const input = { ...toFormInput(form), ...changes };
    const parsed = parseFormTerms(input, namesOf(changes), { env: form.env, now });
    if (!parsed.ok) return refuse(parsed.reason);
    const { paymentReference, ...terms } = parsed.terms;
    const reference = paymentReference ?? form.paymentReference;
    const shown = picture === undefined ? {} : { picture: picture?.hash ?? null };
    if (picture !== undefined) await replacePicture(tx, form.id, picture);
    const update = { ...terms, paymentReference: reference, updatedAt: now, ...shown };
    const changed = await changeForm(tx, settings, form, update);
    return done({ form: changed }, entryOf(changed));
  },
);

/** Archives a form: its page says that it is closed. Its links stay payable. Archiving it again changes nothing. */
export const archiveForm = defineVerb(
  "form.archive",
  async (act, { settings, code }: { readonly settings: FormSettings; readonly code: string }) => {
    const { tx, now } = act;
    const form = await lockOwnForm(act, code);
    if (form === null) return refuse("form_not_found");
    const isOpen = form.archivedAt === null;
    const update = isOpen ? { archivedAt: now, updatedAt: now } : {};
    const changed = await changeForm(tx, settings, form, { archivedAt: form.archivedAt, ...update });
    return done({ form: changed }, isOpen ? entryOf(changed) : null);
  },
);

async function lockOwnForm({ tx, merchantId, env }: Act, code: string): Promise<FormRow | null> {
  const found = await lockForm(tx, code);
  return found !== null && isOwner(found.form, { merchantId, env }) ? found.form : null;
}

async function changeForm(
  tx: Tx,
  settings: FormSettings,
  { id }: FormRow,
  changes: Parameters<typeof updateFormRow>[2],
): Promise<FormView> {
  const form = await updateFormRow(tx, id, changes);
  return composeForm(form, await getTaken(tx, id), settings);
}

const entryOf = ({ code, env, title }: FormView) => ({ subject: `form:${code}`, details: { env, title } });
