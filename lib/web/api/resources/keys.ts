import { z } from "@hono/zod-openapi";
import { GREENFIELD_SCOPE, KEY_SCOPES } from "#lib/domain/authority/types.ts";
import { createKey } from "#lib/domain/merchants/create-key.ts";
import { revokeKey } from "#lib/domain/merchants/end-key.ts";
import { listApiKeys } from "#lib/domain/merchants/queries.ts";
import type { ApiKey } from "#lib/domain/merchants/types.ts";
import { endpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { apiReason } from "../field-reader.ts";
import { noData, readRowId, timestamp } from "../fields/common.ts";
import { authorityOf, perform } from "../perform.ts";

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
  scope: z.enum([...KEY_SCOPES, GREENFIELD_SCOPE]).openapi({ example: "read" }),
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
  .openapi("CreatedApiKey");

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
    ...authorityOf("key.create"),
    body: () =>
      z.object({ scope: z.enum(NARROWER, apiReason("key_scope_unknown")).openapi({ example: "read" }) }),
    message: "key created successfully",
    data: newKeyData,
    errors: ["key_scope_unknown", "too_many_keys"],
  },
  async ({ input, ...call }) => {
    const created = await perform(
      createKey,
      call,
      { scope: input.scope, expiresAt: null },
      // Without an end and a name, a key cannot expire in the past or be named badly.
      {
        maker_removed: "invalid_api_key",
        expires_in_the_past: "internal_error",
        key_name_malformed: "internal_error",
      },
    );
    return created.ok ? success({ ...keyToJson(created.key), api_key: created.apiKey }) : created;
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
    ...authorityOf("key.revoke"),
    notFound: "key_not_found",
    message: "key revoked successfully",
    data: noData,
    errors: ["key_not_found", "key_is_full"],
  },
  async ({ path, ...call }) => {
    const revoked = await perform(
      revokeKey,
      call,
      { id: readRowId(path.id), at: null },
      { already_revoked: "key_not_found", revoked_in_the_past: "internal_error" },
    );
    return revoked.ok ? success(null) : revoked;
  },
);
