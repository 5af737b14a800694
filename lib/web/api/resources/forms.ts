import { z } from "@hono/zod-openapi";
import { formRecord } from "#lib/domain/forms/form-record.ts";
import { archiveForm, createForm, updateForm } from "#lib/domain/forms/manage-forms.ts";
import { countForms } from "#lib/domain/forms/queries.ts";
import type { FormView } from "#lib/domain/forms/types.ts";
import { listForms, viewForm } from "#lib/domain/forms/view-form.ts";
import type { ApiCaller } from "#lib/domain/merchants/types.ts";
import { JsonText } from "#lib/platform/json-text.ts";
import { endpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { type ApiReason, failure } from "../errors.ts";
import { apiReason } from "../field-reader.ts";
import { formChangesBody, formData, newFormBody, toFormInput } from "../fields/form.ts";
import { paged } from "../paging.ts";
import { authorityOf, perform } from "../perform.ts";

const tag = "Forms";
const FIELD_REASONS = [
  "not_a_string",
  "not_a_number",
  "not_a_list",
  "amount_not_positive",
  "expires_at_not_future",
  "form_title_malformed",
  "form_description_malformed",
  "form_amount_malformed",
  "form_amounts_contradict",
  "form_ask_unknown",
  "form_fields_malformed",
  "form_quantity_out_of_range",
  "form_stock_out_of_range",
  "form_reference_malformed",
  "form_url_not_https",
  "form_expires_at_past",
  "form_expires_at_far",
] as const satisfies readonly ApiReason[];

const ownerOf = ({ merchant, env }: ApiCaller) => ({ merchantId: merchant.id, env });
const formToJson = (form: FormView) => formRecord(form, (decimal) => new JsonText(decimal));

export const createFormEndpoint = endpoint(
  {
    method: "post",
    path: "/forms",
    operationId: "createForm",
    tag,
    summary: "Create a form",
    description:
      "A form is a page that sells without a server of yours. Each submission creates a payment link, whose webhooks have " +
      "the form and the answers as `metadata`.",
    ...authorityOf("form.create"),
    body: () => newFormBody,
    idempotent: true,
    message: "form created successfully",
    data: formData,
    errors: [...FIELD_REASONS, "form_currency_unknown"],
  },
  async ({ input, ...call }) => {
    const terms = { ...toFormInput(input), title: input.title };
    const created = await perform(createForm, call, { settings: call.api.settings, input: terms }, {});
    return created.ok ? success(formToJson(created.form)) : created;
  },
);

export const listFormsEndpoint = endpoint(
  {
    method: "get",
    path: "/forms",
    operationId: "listForms",
    tag,
    summary: "List forms, newest first",
    description: "Without the archived ones, unless the query asks for them.",
    auth: ["read", "payment-links"],
    action: "forms.view",
    query: z.object({
      archived: z
        .enum(["0", "1"], apiReason("not_a_flag"))
        .optional()
        .openapi({ description: "1: also those that are archived." }),
    }),
    paged: "id",
    message: "forms retrieved successfully",
    data: z.array(formData),
    errors: [],
  },
  async ({ api, caller, input, page }) => {
    const { db } = api.database;
    const owner = ownerOf(caller);
    const archived = input.archived === "1";
    const { data, meta } = await paged(page, {
      list: ({ before, limit }) => listForms(db, api.settings, owner, { before, limit, archived }),
      count: () => countForms(db, owner, archived),
      toJson: formToJson,
    });
    return success(data, meta);
  },
);

export const getFormEndpoint = endpoint(
  {
    method: "get",
    path: "/forms/:form",
    operationId: "getForm",
    tag,
    summary: "Get a form, with what it has sold",
    description: "Archived forms can be read too.",
    auth: ["read", "payment-links"],
    action: "forms.view",
    notFound: "form_not_found",
    message: "form retrieved successfully",
    data: formData,
    errors: ["form_not_found"],
  },
  async ({ api, caller, path }) => {
    const form = await viewForm(api.database.db, api.settings, path.form, ownerOf(caller));
    return form === null ? failure("form_not_found") : success(formToJson(form));
  },
);

export const updateFormEndpoint = endpoint(
  {
    method: "patch",
    path: "/forms/:form",
    operationId: "updateForm",
    tag,
    summary: "Change a form",
    description:
      "Changes the given fields. `clear` removes fields. The currency of a form stays, and so do the links that it has created.",
    ...authorityOf("form.update"),
    notFound: "form_not_found",
    body: () => formChangesBody,
    message: "form updated successfully",
    data: formData,
    errors: [...FIELD_REASONS, "form_not_found", "form_archived", "form_clear_unknown"],
  },
  async ({ path, input, ...call }) => {
    const changes = toFormInput(input);
    if (changes === null) return failure("form_clear_unknown");
    const request = { settings: call.api.settings, code: path.form, changes };
    const updated = await perform(updateForm, call, request, {});
    return updated.ok ? success(formToJson(updated.form)) : updated;
  },
);

export const archiveFormEndpoint = endpoint(
  {
    method: "delete",
    path: "/forms/:form",
    operationId: "archiveForm",
    tag,
    summary: "Archive a form",
    description: "Its page then says that it is closed. The links that it has created can still be paid.",
    ...authorityOf("form.archive"),
    notFound: "form_not_found",
    message: "form archived successfully",
    data: formData,
    errors: ["form_not_found"],
  },
  async ({ path, ...call }) => {
    const archived = await perform(archiveForm, call, { settings: call.api.settings, code: path.form }, {});
    return archived.ok ? success(formToJson(archived.form)) : archived;
  },
);
