import { randomBytes } from "node:crypto";
import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { findForm } from "#lib/domain/forms/queries.ts";
import { isOwner } from "#lib/domain/forms/view-form.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { isFilledLine } from "#lib/platform/plain-text.ts";
import { formatTypedCode, readTypedCode } from "#lib/platform/typed-codes.ts";
import { findDeviceOwner, hashSecret } from "./queries.ts";
import { CODE_LIFETIME_MS, MAX_DEVICE_NAME, readTimeZone } from "./rules.ts";
import { exchangeCode, insertDevice, listDeviceRows, revokeDeviceRow } from "./store.ts";
import type { DeviceRow } from "./types.ts";

/** Adds a device to a form of the merchant. Its code is returned only here, can be entered once, and lasts CODE_LIFETIME_MS. */
export const addDevice = defineVerb(
  "pos.add",
  async (
    { tx, now, merchantId, env },
    { formCode, name }: { readonly formCode: string; readonly name: string },
  ) => {
    if (!isFilledLine(name, MAX_DEVICE_NAME)) return refuse("device_name_malformed");
    const found = await findForm(tx, formCode);
    if (found === null || !isOwner(found.form, { merchantId, env })) return refuse("form_not_found");
    if (found.form.archivedAt !== null) return refuse("form_archived");
    const deviceCode = formatTypedCode(randomBytes(12));
    const device = await insertDevice(tx, {
      formId: found.form.id,
      name,
      codeHash: hashSecret(deviceCode.replaceAll("-", "")),
      codeExpiresAt: new Date(now.getTime() + CODE_LIFETIME_MS),
      createdAt: now,
    });
    return done({ device, deviceCode }, entryOf(device));
  },
);

/** Devices of a form, newest first, with ids below `before`. null if there is no such form. */
export async function listDevices(
  db: Db | Tx,
  formCode: string,
  range: Parameters<typeof listDeviceRows>[2],
): Promise<DeviceRow[] | null> {
  const found = await findForm(db, formCode);
  return found === null ? null : listDeviceRows(db, found.form.id, range);
}

/** Ends a device at once: its cookie and its code are worth nothing from then on. Its sales can still be paid. */
export const revokeDevice = defineVerb(
  "pos.revoke",
  async ({ tx, now, merchantId, env }, { id }: { readonly id: number }) => {
    const owner = await findDeviceOwner(tx, id);
    if (owner?.merchantId !== merchantId || owner.env !== env) return refuse("device_not_found");
    const device = await revokeDeviceRow(tx, id, now);
    return device === null ? refuse("device_not_found") : done({ device }, entryOf(device));
  },
);

const entryOf = ({ id, name, formId }: DeviceRow) => ({
  subject: `pos-device:${id}`,
  details: { form: formId, name },
});

/**
 * Exchanges a typed device code for the token of the device's cookie. A code works once. null for a wrong one; the
 * caller limits how often a visitor may try.
 */
export async function pairDevice(
  db: Db,
  given: { readonly formCode: string; readonly typed: string; readonly timeZone: string },
  now: Date,
): Promise<string | null> {
  const code = readTypedCode(given.typed);
  const found = code === null ? null : await findForm(db, given.formCode);
  if (code === null || found === null) return null;
  const token = randomBytes(32).toString("base64url");
  const isPaired = await exchangeCode(
    db,
    { formId: found.form.id, codeHash: hashSecret(code) },
    { tokenHash: hashSecret(token), timeZone: readTimeZone(given.timeZone), pairedAt: now },
  );
  return isPaired ? token : null;
}
