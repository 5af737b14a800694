"use server";

import { redirect } from "next/navigation";
import { readNotice } from "#components/console/notices.ts";
import type { OnceAnswer } from "#components/console/once-form.tsx";
import { actorOf } from "#lib/domain/authority/actor.ts";
import { closeForm, saveForm } from "#lib/domain/forms/change-by-person.ts";
import { findForm } from "#lib/domain/forms/queries.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { addOwnDevice, revokeOwnDevice } from "#lib/domain/pos/change-by-person.ts";
import { getServices } from "#lib/web/services.ts";
import { type Desk, fieldsOf, requireDesk } from "../../../../session.ts";
import { FORM_PROBLEMS, type FormFieldProblem, readForm } from "./read-form.ts";

async function requireFormDesk(posted: FormData) {
  const read = fieldsOf(posted);
  const desk = await requireDesk({ merchant: read("merchant"), env: read("env") }, "forms.change");
  const code = isRefid(read("form")) ? read("form") : null;
  return { read, desk, code, by: byOf(desk) };
}

const byOf = ({ signedIn, workplace, env }: Desk) => ({
  actor: actorOf(signedIn.userId),
  owner: { merchantId: workplace.merchantId, env },
});

/** Called by the editor. Saves a form and goes to its page, or answers which field is wrong. */
export async function editForm(posted: FormData): Promise<FormFieldProblem> {
  const { read, desk, code, by } = await requireFormDesk(posted);
  const { database, config } = getServices();
  const before = code === null ? null : await findForm(database.db, code);
  const input = readForm(
    read,
    before?.form.merchantId === by.owner.merchantId ? before.form.expiresAt : null,
  );
  const request = { ...by, code, input };
  const saved = await database.db.transaction((tx) => saveForm(tx, config, request, new Date()));
  if (!saved.ok) return FORM_PROBLEMS[saved.reason];
  redirect(`${desk.base}/forms/${saved.form.code}?notice=form_saved`);
}

/** Form action: close a form for good. */
export async function endForm(posted: FormData): Promise<void> {
  const { desk, code, by } = await requireFormDesk(posted);
  const { database, config } = getServices();
  const request = { ...by, code: code ?? "" };
  const isClosed = await database.db.transaction((tx) => closeForm(tx, config, request, new Date()));
  redirect(`${desk.base}/forms?notice=${isClosed ? "form_closed" : "form_not_found"}`);
}

/** Called by the form of a new device: adds it. Its code is shown once. */
export async function addPosDevice(posted: FormData): Promise<OnceAnswer> {
  const { read, desk, code, by } = await requireFormDesk(posted);
  const request = { ...by, formCode: code ?? "", name: read("name").trim() };
  const added = await getServices().database.db.transaction((tx) => addOwnDevice(tx, request, new Date()));
  if (added.ok) return { text: added.deviceCode };
  const notice = readNotice(added.reason);
  return notice === null ? redirect(`${desk.base}/forms`) : { notice };
}

/** Form action: end a device at once. */
export async function dropPosDevice(posted: FormData): Promise<void> {
  const { read, desk, code, by } = await requireFormDesk(posted);
  const id = /^[1-9][0-9]{0,14}$/.test(read("id")) ? Number(read("id")) : 0;
  const request = { ...by, formCode: code ?? "", id };
  const dropped = await getServices().database.db.transaction((tx) =>
    revokeOwnDevice(tx, request, new Date()),
  );
  const page = code === null ? "forms" : `forms/${code}`;
  redirect(`${desk.base}/${page}?notice=${dropped.ok ? "device_revoked" : dropped.reason}`);
}
