import type { Env } from "#lib/chains/network-data.ts";
import { type Action, may } from "#lib/domain/authority/role-rules.ts";
import type { KeyScope } from "#lib/domain/authority/types.ts";
import { findCaller } from "#lib/domain/members/find-caller.ts";
import { parseApiKey } from "#lib/domain/merchants/api-keys.ts";
import { isIpAllowed } from "#lib/domain/merchants/ip-entries.ts";
import type { ApiCaller } from "#lib/domain/merchants/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { type ApiFailure, failure } from "./errors.ts";

/** The header of the key selects the environment (docs/service-interface.md, Authentication). */
export const KEY_HEADERS: Readonly<Record<Env, string>> = {
  live: "x-api-key",
  test: "x-staging-api-key",
};

/**
 * Identifies the caller and checks, in this order: key, merchant status, scope, the role of the person who made the key, and the
 * IP address for live keys. `scopes` are the scopes allowed in addition to `full`, `action` is what the maker's role must allow.
 */
export async function authenticateRequest(
  db: Db,
  request: { readonly headers: Headers; readonly clientAddress: string },
  { scopes, action }: { readonly scopes: readonly KeyScope[]; readonly action: Action },
  now: Date,
): Promise<{ readonly ok: true; readonly caller: ApiCaller } | ApiFailure> {
  const live = request.headers.get(KEY_HEADERS.live);
  const test = request.headers.get(KEY_HEADERS.test);
  const env: Env = live !== null ? "live" : "test";
  const key = live ?? test;
  const oneKey = key !== null && (live === null || test === null);
  const caller = oneKey ? await findCaller(db, key, env, now) : null;
  if (caller === null) return { ...failure("invalid_api_key"), hint: composeKeyHint(live, test) };
  if (caller.merchant.status === "disabled") return failure("merchant_disabled");
  if (caller.merchant.status === "removed") return failure("merchant_removed");
  if (caller.scope !== "full" && !(scopes as readonly string[]).includes(caller.scope))
    return failure("key_scope");
  if (caller.makerRole !== null && !may(caller.makerRole, action)) return failure("key_scope");
  if (env === "live" && !(await isIpAllowed(db, caller.merchant.id, request.clientAddress))) {
    return failure("ip_not_allowed");
  }
  return { ok: true, caller };
}

/** The probable fault in the values of the two headers. The text of the error is the same for all keys. */
function composeKeyHint(live: string | null, test: string | null): string {
  if (live === null && test === null) return `Send a key in ${KEY_HEADERS.live} or in ${KEY_HEADERS.test}.`;
  if (live !== null && test !== null) return `Send ${KEY_HEADERS.live} or ${KEY_HEADERS.test}, not both.`;
  const key = parseApiKey(live ?? test ?? "");
  if (key === null) return "The key is incomplete or mistyped.";
  if (key.env === (live === null ? "test" : "live")) return "The key is unknown, revoked or expired.";
  return `This is a key of the ${key.env} environment. Send it in ${KEY_HEADERS[key.env]}.`;
}
