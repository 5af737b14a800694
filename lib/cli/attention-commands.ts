import type { Command } from "commander";
import { listAttention } from "#lib/domain/attention/queries.ts";
import type { Cli, WithCli } from "./cli.ts";
import { addListOptions, type ListOptions, printList } from "./print-list.ts";

export function addAttentionCommands(attention: Command, withCli: WithCli): void {
  const list = attention
    .command("list")
    .description("links, deposits, transactions and withdrawals that fail, why, and when each is tried again")
    .option("--after <subject>", "only those after this one");
  addListOptions(list).action(withCli(printAttention));
}

async function printAttention(cli: Cli, options: ListOptions & { readonly after?: string }): Promise<void> {
  const { after = null, limit } = options;
  await cli.withDatabase(async ({ database }) => {
    const rows = await listAttention(database.db, { after, limit: limit + 1 });
    const shown = rows.map((row) => ({
      subject: row.subject,
      reason: row.reason,
      attempts: row.attempts,
      since: row.createdAt,
      retry_at: row.retryAt,
      height: row.height,
    }));
    printList(cli, shown, options, {
      columns: ["subject", "reason", "attempts", "since", "retry_at"],
      next: ({ subject }) => `--after ${subject}`,
    });
  });
}
