import { findMerchantByEmail } from "#lib/domain/merchants/queries.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { CommandRefusal } from "./cli.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";

/** The merchant with this e-mail address. Refused if no merchant has it. */
export async function getMerchant(db: Db, email: string): Promise<Merchant> {
  const merchant = await findMerchantByEmail(db, email);
  if (merchant === null) throw new CommandRefusal(REFUSAL_TEXTS.merchant_not_found);
  return merchant;
}

/** The id of the merchant of an optional `--merchant`. Null without the option. */
export async function getMerchantFilter(db: Db, email: string | undefined): Promise<number | null> {
  return email === undefined ? null : (await getMerchant(db, email)).id;
}
