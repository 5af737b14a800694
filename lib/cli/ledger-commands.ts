import type { Command } from "commander";
import type { Env } from "#lib/chains/network-data.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { listLedgerAccounts } from "#lib/domain/ledger/queries.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { getMerchantFilter } from "./find-merchant.ts";
import { addMovementCommands } from "./movement-commands.ts";
import { envOption } from "./options.ts";
import { CommandRefusal, print, withDatabase } from "./run-command.ts";

export function addLedgerCommands(ledger: Command): void {
  ledger
    .command("check")
    .description("check the ledger against itself and the deposits; exit 1 if they differ")
    .action(check);
  ledger
    .command("balances")
    .description("every account with its balance in whole tokens")
    .option("--merchant <email>", "only this merchant's accounts")
    .addOption(envOption())
    .action(balances);
  addMovementCommands(ledger);
}

async function balances({ env, merchant: email }: { env: Env; merchant?: string }): Promise<void> {
  await withDatabase(async ({ database: { db } }) => {
    const merchantId = await getMerchantFilter(db, email);
    const accounts = await listLedgerAccounts(db, env, merchantId ?? undefined);
    print(
      accounts.map(({ code, token, balance }) => ({
        env,
        account: code,
        token,
        balance: formatAmount(balance, TOKENS[token].ledgerDecimals),
      })),
    );
  });
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
    if (!ok) throw new CommandRefusal(`the ledger has ${problems.length} problem(s)`);
  });
}
