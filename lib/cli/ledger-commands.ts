import type { Command } from "commander";
import { checkLedger } from "#lib/ledger/check-ledger.ts";
import { formatAmount } from "#lib/money/amount.ts";
import { TOKENS } from "#lib/money/tokens.ts";
import { print, Refusal, withDatabase } from "./run-command.ts";

export function addLedgerCommands(program: Command): void {
  const ledger = program.command("ledger").description("the books");
  ledger
    .command("check")
    .description("prove the books against themselves and the deposits; exit 1 when they do not agree")
    .action(check);
}

async function check(): Promise<void> {
  await withDatabase(async ({ database }) => {
    const { ok, problems, figures } = await checkLedger(database.db);
    print({
      ok,
      problems,
      figures: {
        accounts: figures.accounts,
        transfers: figures.transfers,
        credited_deposits: figures.creditedDeposits,
        held_deposits: figures.heldDeposits,
        custody: figures.custody.map(({ env, network, token, held }) => ({
          env,
          network,
          token,
          held: formatAmount(held, TOKENS[token].ledgerDecimals),
        })),
      },
    });
    if (!ok) throw new Refusal(`the ledger has ${problems.length} problem(s)`);
  });
}
