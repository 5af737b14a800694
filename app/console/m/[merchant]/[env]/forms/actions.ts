"use server";

import { redirect } from "next/navigation";
import { readId } from "#app/console/read-id.ts";
import { endAt, fieldsOf, perform, readRequest, showOnce } from "#app/console/session.ts";
import type { OnceAnswer } from "#components/console/once-form.tsx";
import { archiveForm, createForm, updateForm } from "#lib/domain/forms/manage-forms.ts";
import { findForm } from "#lib/domain/forms/queries.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { addDevice, revokeDevice } from "#lib/domain/pos/manage-devices.ts";
import { getServices } from "#lib/web/services.ts";
import { FORM_PROBLEMS, type FormFieldProblem, readForm } from "./read-form.ts";

/** A posted form. `code` is null for a form that is new. */
async function readPosted(posted: FormData) {
  const read = fieldsOf(posted);
  const code = isRefid(read("form")) ? read("form") : null;
  return { ...(await readRequest(read, "forms")), read, code };
}

/** Called by the editor. Saves a form and goes to its page, or answers which field is wrong. */
export async function editForm(posted: FormData): Promise<FormFieldProblem> {
  const request = await readPosted(posted);
  const { read, code, act } = request;
  const { database, config: settings } = getServices();
  const before = code === null ? null : await findForm(database.db, code);
  const own = before?.form.merchantId === act.merchantId ? before.form : null;
  const input = readForm(read, own, request.timeZone);
  const saved = await (code === null
    ? perform(createForm, request, { settings, input })
    : perform(updateForm, request, { settings, code, changes: input }));
  if (!saved.ok) return FORM_PROBLEMS[saved.reason];
  redirect(`${request.page}/${saved.form.code}?notice=form_saved`);
}

/** Form action: close a form for good. */
export async function endForm(posted: FormData): Promise<void> {
  const request = await readPosted(posted);
  const settings = getServices().config;
  const closed = await perform(archiveForm, request, { settings, code: request.code ?? "" });
  endAt(request.page, closed, "form_closed");
}

/** Called by the form of a new device: adds it. Its code is shown once. */
export async function addPosDevice(posted: FormData): Promise<OnceAnswer> {
  const request = await readPosted(posted);
  const given = { formCode: request.code ?? "", name: request.read("name").trim() };
  const added = await perform(addDevice, request, given);
  return added.ok ? showOnce(added.deviceCode) : { notice: added.reason };
}

/** Form action: end a device at once. */
export async function dropPosDevice(posted: FormData): Promise<void> {
  const request = await readPosted(posted);
  const dropped = await perform(revokeDevice, request, { id: readId(request.read("id")) ?? 0 });
  const page = request.code === null ? request.page : `${request.page}/${request.code}`;
  endAt(page, dropped, "device_revoked");
}
