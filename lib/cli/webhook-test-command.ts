import type { Command } from "commander";
import { openEndpointToTest, sendTestRequest } from "#lib/domain/webhooks/test-endpoint.ts";
import { openGuardedAgent } from "#lib/platform/http/guarded-agent.ts";
import { type Cli, CommandRefusal, openCommandSecrets, type WithCli } from "./cli.ts";
import { parseWholeNumber } from "./options.ts";
import { getEndpointOwner } from "./webhook-endpoint-commands.ts";

export function addWebhookTestCommand(webhook: Command, withCli: WithCli): void {
  webhook
    .command("test")
    .description(
      "send a signed test request to an endpoint now, from this machine; exit 1 unless it is accepted",
    )
    .argument("<id>", "as `webhook endpoint list` shows it", parseWholeNumber)
    .action(withCli(sendTest));
}

async function sendTest(cli: Cli, id: number): Promise<void> {
  await cli.withDatabase(async ({ config, database }) => {
    const secrets = openCommandSecrets(config);
    const owner = await getEndpointOwner(database.db, id);
    const { endpoint } = await cli.perform(database, openEndpointToTest, owner, { id, secrets });
    const agent = openGuardedAgent({ allow: config.webhookAllowCidrs });
    const { webhookId, durationMs, outcome } = await sendTestRequest(agent, endpoint, cli.now());
    await agent.destroy();
    const status = outcome.kind === "answered" ? outcome.status : null;
    const accepted = status !== null && status >= 200 && status < 300;
    cli.print({
      id,
      url: endpoint.url,
      webhook_id: webhookId,
      type: "webhook_test",
      accepted,
      duration_ms: durationMs,
      status,
      error: outcome.kind === "unreachable" ? outcome.error : null,
      answer: outcome.kind === "answered" ? outcome.answer.toString("utf8") : null,
    });
    if (!accepted)
      throw new CommandRefusal("the endpoint did not accept the request: see docs/operate/webhooks.md");
  });
}
