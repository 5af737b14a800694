import { type Command, Option } from "commander";
import type { Env } from "#lib/chains/network-data.ts";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { countUnmatched } from "#lib/domain/deposits/unmatched/many-queries.ts";
import {
  resolveDepositBatch,
  resolveDeposits,
  sumByToken,
} from "#lib/domain/deposits/unmatched/resolve-many.ts";
import { parseAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { Cli, WithCli } from "./cli.ts";
import { getMerchant, getMerchantFilter } from "./find-merchant.ts";
import { envOption, parseDuration, parseWholeNumber } from "./options.ts";

interface Given {
  readonly to: string;
  readonly env: Env;
  readonly network?: NetworkCode;
  readonly token?: TokenCode;
  readonly reason?: string;
  readonly merchant?: string;
  readonly below?: string;
  readonly olderThan?: number;
  readonly confirm?: number;
}

export function addResolveManyCommand(deposits: Command, withCli: WithCli): void {
  deposits
    .command("resolve-many")
    .description("resolve all unmatched deposits that fit; prints what they are, until --confirm is given")
    .requiredOption("--to <email>", "the merchant who gets them")
    .addOption(envOption())
    .addOption(new Option("--network <network>", "only on this network").choices(Object.keys(NETWORKS)))
    .addOption(new Option("--token <token>", "only this token").choices(Object.keys(TOKENS)))
    .option("--reason <reason>", "only with this reason, as `deposits unmatched` prints it")
    .option("--merchant <email>", "only at addresses of this merchant")
    .option("--below <amount>", "only amounts of --token below this one")
    .option("--older-than <time>", "only those recorded before, like 7d", parseDuration)
    .option("--confirm <id>", "resolve them: the id that the call without it printed", parseWholeNumber)
    .action(withCli(resolveMany));
}

async function resolveMany(cli: Cli, given: Given, command: Command): Promise<void> {
  const { to, env, network = null, token = null, reason = null, olderThan, confirm = null } = given;
  const below = parseBelow(given, command);
  const createdBefore = olderThan === undefined ? null : new Date(cli.now().getTime() - olderThan);
  await cli.withDatabase(async ({ config, database }) => {
    const { db } = database;
    const merchant = await getMerchant(db, to);
    const ownerId = await getMerchantFilter(db, given.merchant);
    const filter = { env, network, token, reason, ownerId, below, createdBefore, upTo: confirm };
    const found = await countUnmatched(db, filter);
    const total = found.unlisted + found.held.reduce((sum, { deposits }) => sum + deposits, 0);
    if (confirm === null) {
      cli.print({
        deposits: total - found.unlisted,
        amounts: sumByToken(found.held),
        unknown_tokens: found.unlisted,
        confirm: total === 0 ? null : found.lastId,
      });
      return;
    }
    const [place, networks] = [{ merchantId: merchant.id, env }, openNetworks(config.networks)];
    const resolved = await resolveDeposits(
      (batch) => cli.perform(database, resolveDepositBatch, place, { ...batch, networks, filter }),
      (done) => cli.printMessage(`resolved ${done} of ${total}`),
    );
    cli.print({ resolved, merchant: merchant.email });
  });
}

function parseBelow({ below, token }: Given, command: Command): bigint | null {
  if (below === undefined) return null;
  if (token === undefined) return command.error("error: --below needs --token");
  const { ledgerDecimals } = TOKENS[token];
  const parsed = parseAmount(below, ledgerDecimals, 10n ** BigInt(15 + ledgerDecimals));
  if (parsed.ok) return parsed.units;
  return command.error(`error: --below must be a number of at most ${ledgerDecimals} decimals`);
}
