import { z } from "@hono/zod-openapi";
import { createOwnKey, revokeOwnKey } from "#lib/domain/merchants/own-keys.ts";
import { listApiKeys } from "#lib/domain/merchants/queries.ts";
import { type ApiKey, KEY_SCOPES } from "#lib/domain/merchants/types.ts";
import { endpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { failure } from "../errors.ts";
import { apiReason } from "../field-reader.ts";
import { noData, readRowId, timestamp } from "../fields/common.ts";

const tag = "Keys";
const NARROWER = [
  "read",
  "payment-links",
  "withdrawals",
  "webhooks",
  "settings",
] as const satisfies readonly ApiKey["scope"][];

const keyShape = {
  id: z.number().int(),
  scope: z.enum(KEY_SCOPES).openapi({ example: "read" }),
  last4: z.string().openapi({ example: "x7Qd" }),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable().openapi({ description: "To the minute." }),
  revoked_at: timestamp.nullable().openapi({ example: null }),
};
const keyData = z.object(keyShape).openapi("ApiKey");
const newKeyData = z
  .object({
    ...keyShape,
    api_key: z.string().openapi({ description: "Shown here only.", example: "pl_test_…" }),
  })
  .openapi("NewApiKey");

const keyToJson = ({ id, scope, last4, createdAt, expiresAt, lastUsedAt, revokedAt }: ApiKey) => ({
  id,
  scope,
  last4,
  created_at: createdAt,
  expires_at: expiresAt,
  last_used_at: lastUsedAt,
  revoked_at: revokedAt,
});

export const listKeysEndpoint = endpoint(
  {
    method: "get",
    path: "/keys",
    operationId: "listKeys",
    tag,
    summary: "List the API keys of the environment",
    description: "Also those that are revoked or have expired. Never the keys themselves.",
    auth: [],
    action: "developers.view",
    message: "keys retrieved successfully",
    data: z.array(keyData),
    errors: [],
  },
  async ({ api, caller: { merchant, env } }) => {
    const keys = await listApiKeys(api.database.db, merchant.id);
    return success(keys.filter((key) => key.env === env).map(keyToJson));
  },
);

export const createKeyEndpoint = endpoint(
  {
    method: "post",
    path: "/keys",
    operationId: "createKey",
    tag,
    summary: "Create a narrower API key",
    description:
      "Of the same environment. Keys with the scope `full` are created in the console. A repeated request creates another " +
      "key: an answer with a key is not kept.",
    auth: [],
    action: "keys.change",
    changes: "environment",
    body: () =>
      z.object({ scope: z.enum(NARROWER, apiReason("key_scope_unknown")).openapi({ example: "read" }) }),
    message: "key created successfully",
    data: newKeyData,
    errors: ["key_scope_unknown", "too_many_keys"],
  },
  async ({ api, caller: { keyId, merchant, env, madeBy }, input, now }) => {
    const by = { actor: `key:${keyId}`, madeBy, merchantId: merchant.id, env };
    const created = await api.database.db.transaction((tx) =>
      createOwnKey(tx, by, { scope: input.scope, expiresAt: null }, now),
    );
    // Without an end, a key cannot expire in the past.
    if (!created.ok) return failure(created.reason === "maker_removed" ? "invalid_api_key" : "too_many_keys");
    return success({ ...keyToJson(created.key), api_key: created.apiKey });
  },
);

export const revokeKeyEndpoint = endpoint(
  {
    method: "delete",
    path: "/keys/:id",
    operationId: "revokeKey",
    tag,
    summary: "Revoke an API key, at once",
    description: "A narrower one, or the key of this request.",
    auth: [],
    action: "keys.change",
    changes: "environment",
    notFound: "key_not_found",
    message: "key revoked successfully",
    data: noData,
    errors: ["key_not_found", "key_is_full"],
  },
  async ({ api, caller: { keyId, merchant, env }, path, now }) => {
    const by = { actor: `key:${keyId}`, merchantId: merchant.id, env };
    const revoked = await api.database.db.transaction((tx) =>
      revokeOwnKey(tx, by, { id: readRowId(path.id), byKey: keyId }, now),
    );
    return revoked.ok ? success(null) : failure(revoked.reason);
  },
);
