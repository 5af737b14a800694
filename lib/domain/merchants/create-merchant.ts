import { ENVS, type Env } from "#lib/chains/network-data.ts";
import type { KeyScope } from "#lib/domain/authority/types.ts";
import { createEndpoint, generateWebhookSecret } from "#lib/domain/webhooks/webhook-endpoints.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { createApiKey } from "./api-keys.ts";
import { findMerchantByEmail } from "./queries.ts";
import { findInvalidField, type InvalidMerchantField } from "./schema.ts";
import { insertKey, insertMerchant, lockEmail } from "./store.ts";
import type { Merchant, SecretSealer } from "./types.ts";

/** Shown once. Only the key's hash and the sealed webhook secret are stored. */
export interface MerchantCredentials {
  readonly apiKey: string;
  readonly webhookSecret: string;
}

/**
 * Creates a merchant with a key of `scope` (default: full) and a webhook endpoint in both environments. The
 * URL can be set later.
 */
export async function createMerchant(
  tx: Tx,
  deps: { secrets: SecretSealer },
  input: { email: string; name: string; webhookUrl: string | null; scope?: KeyScope },
  now: Date,
): Promise<
  | { ok: true; merchant: Merchant; live: MerchantCredentials; test: MerchantCredentials }
  | { ok: false; reason: "email_taken" | InvalidMerchantField }
> {
  const { scope = "full", ...fields } = input;
  const invalid = findInvalidField(fields);
  if (invalid !== null) return { ok: false, reason: invalid };
  const { email, name, webhookUrl } = fields;
  await lockEmail(tx, email);
  if ((await findMerchantByEmail(tx, email)) !== null) return { ok: false, reason: "email_taken" };
  const merchant = await insertMerchant(tx, { email, name: name.trim() }, now);
  if (merchant === null) return { ok: false, reason: "email_taken" };
  const credentials: Partial<Record<Env, MerchantCredentials>> = {};
  for (const env of ENVS)
    credentials[env] = await insertCredentials(
      tx,
      deps,
      { merchantId: merchant.id, env, url: webhookUrl, scope },
      now,
    );
  const { live, test } = credentials as Record<Env, MerchantCredentials>;
  return { ok: true, merchant, live, test };
}

/** Inserts an API key and the first webhook endpoint of a merchant in one environment. */
async function insertCredentials(
  tx: Tx,
  { secrets }: { secrets: SecretSealer },
  { merchantId, env, url, scope }: { merchantId: number; env: Env; url: string | null; scope: KeyScope },
  now: Date,
): Promise<MerchantCredentials> {
  const { text, hash, last4 } = createApiKey(env);
  await insertKey(tx, { merchantId, env, scope, hash, last4, madeBy: null, expiresAt: null }, now);
  const webhookSecret = generateWebhookSecret();
  await createEndpoint(tx, { merchantId, env, url, sealedSecret: secrets.seal(webhookSecret) });
  return { apiKey: text, webhookSecret };
}
