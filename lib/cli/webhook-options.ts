import { InvalidArgumentError } from "commander";
import type { Env } from "#lib/chains/network-data.ts";
import { findMerchantByEmail } from "#lib/domain/merchants/load-merchant.ts";
import { EVENT_TYPES, type EventType, type WebhookOwner } from "#lib/domain/webhooks/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { parseWholeNumber } from "./options.ts";
import { requireSuccess } from "./run-command.ts";

/** Whose webhooks a command is about; ends it where there is no such merchant. */
export async function getWebhookOwner(
  db: Db,
  { merchant, env }: { merchant: string; env: Env },
): Promise<WebhookOwner> {
  const found = await findMerchantByEmail(db, merchant);
  const { id: merchantId } = requireSuccess(
    found === null ? { ok: false, reason: "merchant_not_found" } : { ok: true, id: found.id },
  );
  return { merchantId, env };
}

/** "12" or "evt_12". */
export function parseEventId(text: string): number {
  return parseWholeNumber(text.replace(/^evt_/, ""));
}

export const TYPES_HELP = `all, or a list with commas of ${EVENT_TYPES.join(", ")}`;

export function parseEventTypes(text: string): EventType[] | "all" {
  if (text === "all") return text;
  const names = [...new Set(text.split(","))];
  const unknown = names.find((name) => !(EVENT_TYPES as readonly string[]).includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`There is no event type "${unknown}".`);
  return names as EventType[];
}
