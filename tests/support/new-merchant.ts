import { createMerchant } from "#lib/domain/merchants/create-merchant.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { hereBy } from "./acts.ts";

type Given = Parameters<typeof createMerchant>[1];

/** Creates a merchant as the operator does. A test that needs one fails if it was refused. */
export async function newMerchant(
  db: Db,
  { webhookUrl = null, ...given }: Omit<Given, "webhookUrl"> & Partial<Pick<Given, "webhookUrl">>,
  now = new Date(),
) {
  const made = await db.transaction((tx) => createMerchant(hereBy(tx, now), { ...given, webhookUrl }));
  if (!made.ok) throw new Error(JSON.stringify(made));
  return made;
}
