import type { Command } from "commander";
import { listDecisions } from "#lib/domain/audit/queries.ts";
import type { Cli, WithCli } from "./cli.ts";
import { parseWholeNumber } from "./options.ts";
import { addListOptions, type ListOptions, printList } from "./print-list.ts";

export function addAuditCommands(audit: Command, withCli: WithCli): void {
  const list = audit
    .command("list")
    .description("decisions, newest first: when, who, what, on what, and details")
    .option("--actor <name>", "only of this person, like operator:ada")
    .option("--action <action>", "only this action, like merchant.update")
    .option("--subject <subject>", "only on this object, like merchant:3")
    .option("--before <id>", "only those before this one", parseWholeNumber);
  addListOptions(list).action(withCli(printDecisions));
}

interface Given extends ListOptions {
  readonly actor?: string;
  readonly action?: string;
  readonly subject?: string;
  readonly before?: number;
}

async function printDecisions(cli: Cli, options: Given): Promise<void> {
  const { actor = null, action = null, subject = null, before = null, limit } = options;
  await cli.withDatabase(async ({ database }) => {
    const rows = await listDecisions(database.db, { actor, action, subject }, { before, limit: limit + 1 });
    const shown = rows.map((row) => ({
      id: row.id,
      at: row.at,
      actor: row.actor,
      action: row.action,
      subject: row.subject,
      merchant: row.merchantId,
      ip: row.ip,
      details: row.details,
    }));
    printList(cli, shown, options, {
      columns: ["id", "at", "actor", "action", "subject", "details"],
      next: ({ id }) => `--before ${id}`,
    });
  });
}
