import type { Command } from "commander";
import type { Env } from "#lib/chains/network-data.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { listLedgerAccounts } from "#lib/domain/ledger/queries.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { addChainOptions, type ChainCheckOptions, proveChain } from "./chain-check.ts";
import { type Cli, CommandRefusal, type WithCli } from "./cli.ts";
import { getMerchantFilter } from "./find-merchant.ts";
import { addMovementCommands } from "./movement-commands.ts";
import { envOption } from "./options.ts";

export function addLedgerCommands(ledger: Command, withCli: WithCli): void {
  const checking = ledger
    .command("check")
    .description("check the ledger against itself and the deposits; exit 1 if they differ");
  addChainOptions(checking).action(withCli(check));
  ledger
    .command("balances")
    .description("every account with its balance in whole tokens")
    .option("--merchant <email>", "only this merchant's accounts")
    .addOption(envOption())
    .action(withCli(balances));
  addMovementCommands(ledger, withCli);
}

async function balances(cli: Cli, { env, merchant: email }: { env: Env; merchant?: string }): Promise<void> {
  await cli.withDatabase(async ({ database: { db } }) => {
    const merchantId = await getMerchantFilter(db, email);
    const accounts = await listLedgerAccounts(db, env, merchantId ?? undefined);
    cli.print(
      accounts.map(({ code, token, balance }) => ({
        env,
        account: code,
        token,
        balance: formatAmount(balance, TOKENS[token].ledgerDecimals),
      })),
    );
  });
}

async function check(cli: Cli, options: ChainCheckOptions & { readonly chain?: true }): Promise<void> {
  await cli.withDatabase(async ({ database, config }) => {
    const { ok, problems, figures } = await checkLedger(database.db);
    const chain = options.chain ? await proveChain(cli, database.db, config.networks, options) : null;
    cli.print({
      ok: ok && (chain?.ok ?? true),
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
      ...(chain !== null && { chain: chain.networks }),
    });
    if (!ok) throw new CommandRefusal(`the ledger has ${problems.length} problem(s)`);
    if (chain !== null && !chain.ok) throw new CommandRefusal("the chain and the ledger differ: see chain");
  });
}
