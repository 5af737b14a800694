import { openSecrets, type Secrets } from "#lib/platform/secrets.ts";
import type { CommandConfig } from "#lib/server/config.ts";
import { CommandRefusal } from "./run-command.ts";

/** What seals webhook secrets. A command without SECRET_KEY is refused. */
export function openCommandSecrets({ secretKey, previousSecretKeys }: CommandConfig): Secrets {
  if (secretKey !== null) return openSecrets(secretKey, previousSecretKeys);
  throw new CommandRefusal(
    "SECRET_KEY is not set: it seals the webhook secrets, and must be the one the server runs with",
  );
}
