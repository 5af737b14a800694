import type { Env } from "#lib/chains/network-data.ts";
import { defineInstallationVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import type { KeyScope } from "#lib/domain/authority/types.ts";
import { createEndpoint, generateWebhookSecret } from "#lib/domain/webhooks/webhook-endpoints.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { createApiKey } from "./api-keys.ts";
import { findMerchantByEmail } from "./queries.ts";
import { findInvalidField } from "./schema.ts";
import { insertKey, insertMerchant, lockEmail } from "./store.ts";
import type { SecretSealer } from "./types.ts";

/** Shown once. Only the key's hash and the sealed webhook secret are stored. */
export interface MerchantCredentials {
  readonly apiKey: string;
  readonly webhookSecret: string;
}

/**
 * Creates a merchant with a key of `scope` (full if nothing is said) and a webhook endpoint in both environments. The URL can be set later.
 */
export const createMerchant = defineInstallationVerb(
  "merchant.create",
  async (
    { tx, now },
    given: {
      readonly sealer: SecretSealer;
      readonly email: string;
      readonly name: string;
      readonly webhookUrl: string | null;
      readonly scope?: KeyScope;
    },
  ) => {
    const { sealer, email, name, webhookUrl, scope = "full" } = given;
    const invalid = findInvalidField({ email, name, webhookUrl });
    if (invalid !== null) return refuse(invalid);
    await lockEmail(tx, email);
    if ((await findMerchantByEmail(tx, email)) !== null) return refuse("email_taken");
    const merchant = await insertMerchant(tx, { email, name: name.trim() }, now);
    if (merchant === null) return refuse("email_taken");
    const { id: merchantId } = merchant;
    const insertIn = (env: Env) =>
      insertCredentials(tx, sealer, { merchantId, env, url: webhookUrl, scope }, now);
    const [live, test] = [await insertIn("live"), await insertIn("test")];
    const details = { merchant: email, name: merchant.name, webhook_url: webhookUrl, scope };
    return done({ merchant, live, test }, { subject: `merchant:${merchantId}`, merchantId, details });
  },
);

/** Inserts an API key and the first webhook endpoint of a merchant in one environment. */
async function insertCredentials(
  tx: Tx,
  sealer: SecretSealer,
  { merchantId, env, url, scope }: { merchantId: number; env: Env; url: string | null; scope: KeyScope },
  now: Date,
): Promise<MerchantCredentials> {
  const { text, hash, last4 } = createApiKey(env);
  await insertKey(tx, { merchantId, env, scope, hash, last4, madeBy: null, expiresAt: null }, now);
  const webhookSecret = generateWebhookSecret();
  await createEndpoint(tx, { merchantId, env, url, sealedSecret: sealer.seal(webhookSecret) });
  return { apiKey: text, webhookSecret };
}
