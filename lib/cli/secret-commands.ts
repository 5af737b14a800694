import type { Command } from "commander";
import { resealSecrets } from "#lib/domain/webhooks/reseal-secrets.ts";
import { runAudited } from "./decide.ts";
import { print, withDatabase } from "./run-command.ts";
import { openCommandSecrets } from "./seal-secret.ts";

export function addSecretCommands(program: Command): void {
  const secrets = program.command("secrets").description("what SECRET_KEY seals in the database");
  secrets
    .command("reseal")
    .description("seal everything with SECRET_KEY that a key of SECRET_KEY_PREVIOUS has sealed")
    .action(reseal);
}

async function reseal(): Promise<void> {
  await withDatabase(async ({ config, database }) => {
    const sealing = openCommandSecrets(config);
    const { resealed, secrets } = await runAudited(
      database,
      (tx) => resealSecrets(tx, sealing),
      (done) => ({
        action: "secrets.reseal",
        subject: "secrets",
        details: { resealed: done.resealed, secrets: done.secrets },
      }),
    );
    print({ resealed, secrets });
  });
}
