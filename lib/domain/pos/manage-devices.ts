import { randomBytes } from "node:crypto";
import { findForm } from "#lib/domain/forms/queries.ts";
import { isLine } from "#lib/domain/forms/rules.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { formatTypedCode, readTypedCode } from "#lib/platform/typed-codes.ts";
import { hashSecret } from "./queries.ts";
import { CODE_LIFETIME_MS, MAX_DEVICE_NAME, readTimeZone } from "./rules.ts";
import { exchangeCode, insertDevice, listDeviceRows, revokeDeviceRow } from "./store.ts";
import type { DeviceRow } from "./types.ts";

/** Adds a device. Its code is returned only here, can be entered once, and lasts CODE_LIFETIME_MS. */
export async function addDevice(
  tx: Tx,
  { formCode, name }: { readonly formCode: string; readonly name: string },
  now: Date,
): Promise<
  | { readonly ok: true; readonly device: DeviceRow; readonly deviceCode: string }
  | { readonly ok: false; readonly reason: "form_not_found" | "form_archived" | "device_name_malformed" }
> {
  if (!isLine(name, MAX_DEVICE_NAME)) return { ok: false, reason: "device_name_malformed" };
  const found = await findForm(tx, formCode);
  if (found === null) return { ok: false, reason: "form_not_found" };
  if (found.form.archivedAt !== null) return { ok: false, reason: "form_archived" };
  const deviceCode = formatTypedCode(randomBytes(12));
  const device = await insertDevice(tx, {
    formId: found.form.id,
    name,
    codeHash: hashSecret(deviceCode.replaceAll("-", "")),
    codeExpiresAt: new Date(now.getTime() + CODE_LIFETIME_MS),
    createdAt: now,
  });
  return { ok: true, device, deviceCode };
}

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
export async function revokeDevice(
  tx: Tx,
  id: number,
  now: Date,
): Promise<
  | { readonly ok: true; readonly device: DeviceRow }
  | { readonly ok: false; readonly reason: "device_not_found" }
> {
  const device = await revokeDeviceRow(tx, id, now);
  return device === null ? { ok: false, reason: "device_not_found" } : { ok: true, device };
}

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
