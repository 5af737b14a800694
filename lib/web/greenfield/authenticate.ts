import { isGranted, PERMISSION_ACTIONS } from "#lib/domain/authority/permission-rules.ts";
import { may } from "#lib/domain/authority/role-rules.ts";
import { GREENFIELD_SCOPE, type Permission } from "#lib/domain/authority/types.ts";
import { findCaller } from "#lib/domain/members/find-caller.ts";
import { parseApiKey } from "#lib/domain/merchants/api-keys.ts";
import { isIpAllowed } from "#lib/domain/merchants/ip-entries.ts";
import type { ApiCaller } from "#lib/domain/merchants/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { type Answer, missingPermission, problem, unauthenticated } from "./answers.ts";

/** The key of `Authorization: token KEY`. null: the header is absent or something else. */
export function readKey(authorization: string | null): string | null {
  return /^token\s+(\S+)$/i.exec(authorization?.trim() ?? "")?.[1] ?? null;
}

/** Finds the caller of `Authorization: token KEY`. The key itself says its environment. Returns the refusal of a key that is unknown. */
export async function authenticate(
  db: Db,
  { authorization, clientAddress }: { readonly authorization: string | null; readonly clientAddress: string },
  now: Date,
): Promise<ApiCaller | Answer> {
  const text = readKey(authorization);
  if (text === null) return unauthenticated("Send the API key in the header `Authorization: token KEY`.");
  const env = parseApiKey(text)?.env;
  const caller = env === undefined ? null : await findCaller(db, text, env, now);
  if (caller === null) return unauthenticated("The API key is unknown, revoked or expired.");
  if (caller.scope !== GREENFIELD_SCOPE)
    return unauthenticated("This is a key for /v1. Make a key for plugins in the console.");
  if (caller.merchant.status !== "active") return problem(403, "store-disabled", "The store is disabled.");
  const isAllowed = env !== "live" || (await isIpAllowed(db, caller.merchant.id, clientAddress));
  return isAllowed ? caller : problem(403, "ip-not-allowed", "The key may not be used from this address.");
}

/** Why the caller may not use this permission. null: it may. */
export function findMissing({ permissions, makerRole }: ApiCaller, needed: Permission): Answer | null {
  const isOfKey = isGranted({ permissions: permissions ?? [] }, needed);
  const isOfMaker = makerRole === null || may(makerRole, PERMISSION_ACTIONS[needed]);
  return isOfKey && isOfMaker ? null : missingPermission(needed);
}
