import type { Command } from "commander";
import { pino } from "pino";
import { displayPosition, type NetworkAdapter } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import type { UnmatchedDeposit } from "#lib/domain/deposits/types.ts";
import { listUnmatchedDeposits } from "#lib/domain/deposits/unmatched/queries.ts";
import { resolveDeposit } from "#lib/domain/deposits/unmatched/resolve-deposit.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { envOption, parseWholeNumber } from "./options.ts";
import { getOperatorName, print, requireSuccess, withDatabase } from "./run-command.ts";

const AT_ONCE = 500;

export function addDepositCommands(program: Command): void {
  const deposits = program.command("deposits").description("incoming payments");
  deposits
    .command("unmatched")
    .description("deposits that were credited to nobody: another token, another network, no purpose, no tag")
    .addOption(envOption())
    .action(unmatched);
  deposits
    .command("resolve")
    .description(
      "say, once, whose it is: credits that merchant; a token that no books are kept of is only taken off the list",
    )
    .argument("<id>", "as `deposits unmatched` printed it", parseWholeNumber)
    .requiredOption("--to <email>", "the merchant")
    .action(resolve);
}

async function unmatched({ env }: { env: Env }): Promise<void> {
  await withDatabase(async ({ config, database }) => {
    const networks = openNetworks(config.networks, pino({ level: "silent" }));
    const rows: UnmatchedDeposit[] = [];
    for (let before: number | null = null; ; ) {
      const part = await listUnmatchedDeposits(database.db, env, null, { before, limit: AT_ONCE });
      rows.push(...part);
      before = part.at(-1)?.id ?? null;
      if (part.length < AT_ONCE) break;
    }
    print(rows.map((row) => showUnmatched(row, env, networks.find(env, row.network))));
  });
}

function showUnmatched(row: UnmatchedDeposit, env: Env, adapter: NetworkAdapter | null) {
  const shown = (canonical: string | null) =>
    canonical === null ? null : (adapter?.displayAddress(canonical) ?? canonical);
  const { token, amount } = row;
  return {
    id: row.id,
    env,
    network: row.network,
    reason: row.reason,
    held: row.status === 3,
    merchant: row.merchantEmail,
    customer: row.customerEmail,
    token,
    amount: token === null ? null : formatAmount(amount, TOKENS[token].ledgerDecimals),
    contract: shown(row.contract),
    raw_amount: token === null ? amount.toString() : null,
    address: shown(row.address),
    address_network: row.addressNetwork,
    sender: shown(row.sender),
    extra: row.extra,
    tx_hash: row.txHash,
    output_pos: displayPosition(row.position),
    created_at: row.createdAt,
  };
}

async function resolve(id: number, { to }: { to: string }): Promise<void> {
  await withDatabase(async ({ config, database }) => {
    const networks = openNetworks(config.networks, pino({ level: "silent" }));
    const resolved = await database.db.transaction((tx) =>
      resolveDeposit(tx, networks, { id, email: to, actor: getOperatorName() }, new Date()),
    );
    const { merchant, credited } = requireSuccess(resolved);
    print({
      id,
      resolved: true,
      merchant: merchant.email,
      credited: credited && {
        token: credited.token,
        amount: formatAmount(credited.amount, TOKENS[credited.token].ledgerDecimals),
      },
    });
  });
}
