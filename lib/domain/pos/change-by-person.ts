import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { FormOwner } from "#lib/domain/forms/queries.ts";
import { findForm } from "#lib/domain/forms/queries.ts";
import { isOwner } from "#lib/domain/forms/view-form.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { addDevice, revokeDevice } from "./manage-devices.ts";
import { findDeviceById } from "./queries.ts";
import type { DeviceRow } from "./types.ts";

/** A person of the merchant, and the form whose devices they change. */
interface PersonsDevices {
  readonly actor: string;
  readonly owner: FormOwner & { readonly merchantId: number };
  readonly formCode: string;
}

/** Adds a device to a form of this merchant, with an entry in the audit log. */
export async function addOwnDevice(
  tx: Tx,
  { actor, owner, formCode, name }: PersonsDevices & { readonly name: string },
  now: Date,
): ReturnType<typeof addDevice> {
  const found = await findForm(tx, formCode);
  if (found === null || !isOwner(found.form, owner)) return { ok: false, reason: "form_not_found" };
  const added = await addDevice(tx, { formCode, name }, now);
  if (added.ok) await record(tx, { actor, action: "pos.add", owner }, added.device, now);
  return added;
}

/** Ends a device of a form of this merchant, with an entry in the audit log. */
export async function revokeOwnDevice(
  tx: Tx,
  { actor, owner, formCode, id }: PersonsDevices & { readonly id: number },
  now: Date,
): ReturnType<typeof revokeDevice> {
  const [found, device] = [await findForm(tx, formCode), await findDeviceById(tx, id)];
  const isOwn = found !== null && isOwner(found.form, owner) && device?.formId === found.form.id;
  if (!isOwn) return { ok: false, reason: "device_not_found" };
  const revoked = await revokeDevice(tx, id, now);
  if (revoked.ok) await record(tx, { actor, action: "pos.revoke", owner }, revoked.device, now);
  return revoked;
}

function record(
  tx: Tx,
  { actor, action, owner }: Pick<PersonsDevices, "actor" | "owner"> & { readonly action: string },
  { id, name, formId }: DeviceRow,
  now: Date,
): Promise<void> {
  const details = { form: formId, name };
  const entry = { actor, action, subject: `pos-device:${id}`, merchantId: owner.merchantId, details };
  return recordDecision(tx, entry, now);
}
