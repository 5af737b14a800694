import type { Command } from "commander";
import { listAttention } from "#lib/domain/attention/queries.ts";
import { closeAttention, retryAttention } from "#lib/domain/attention/set-aside.ts";
import type { Cli, WithCli } from "./cli.ts";
import { addListOptions, type ListOptions, printList } from "./print-list.ts";

export function addAttentionCommands(attention: Command, withCli: WithCli): void {
  const list = attention
    .command("list")
    .description("links, deposits, transactions and withdrawals that fail, why, and when each is tried again")
    .option("--after <subject>", "only those after this one");
  addListOptions(list).action(withCli(printAttention));
  attention
    .command("retry")
    .description("try one of them again at once")
    .argument("<subject>", "as `attention list` shows it")
    .action(withCli(retry));
  attention
    .command("close")
    .description("give up a transaction or blocks, after a person has seen to their payments")
    .argument("<subject>", "as `attention list` shows it: transaction:… or blocks:…")
    .action(withCli(close));
}

async function retry(cli: Cli, subject: string): Promise<void> {
  await cli.withDatabase(async ({ database }) => {
    await cli.performHere(database, retryAttention, { subject });
    cli.print({ subject, retried: true });
  });
}

async function close(cli: Cli, subject: string): Promise<void> {
  await cli.withDatabase(async ({ database }) => {
    await cli.performHere(database, closeAttention, { subject });
    cli.print({ subject, closed: true });
  });
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
