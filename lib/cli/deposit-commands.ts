import { type Command, Option } from "commander";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { displayPosition } from "#lib/chains/transfers.ts";
import { DEPOSIT_STATUSES } from "#lib/domain/deposit-status.ts";
import {
  findRecordedDeposit,
  listDepositsOfTransaction,
  listRecordedDeposits,
  type RecordedDeposit,
} from "#lib/domain/deposits/recorded-queries.ts";
import type { UnmatchedDeposit } from "#lib/domain/deposits/types.ts";
import { findDepositEnv, listUnmatchedDeposits } from "#lib/domain/deposits/unmatched/queries.ts";
import { refundDeposit } from "#lib/domain/deposits/unmatched/refund-deposit.ts";
import { resolveDeposit } from "#lib/domain/deposits/unmatched/resolve-deposit.ts";
import type { DepositStatus } from "#lib/domain/types.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { type Cli, CommandRefusal, type WithCli } from "./cli.ts";
import { getMerchant, getMerchantFilter } from "./find-merchant.ts";
import { envOption, parseWholeNumber } from "./options.ts";
import { addListOptions, type ListOptions, MAX_LIMIT, printList } from "./print-list.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";
import { addResolveManyCommand } from "./resolve-many-command.ts";

export function addDepositCommands(deposits: Command, withCli: WithCli): void {
  const list = deposits
    .command("list")
    .description("transfers to your addresses, newest first, whatever their status")
    .option("--merchant <email>", "only those of this merchant")
    .addOption(envOption())
    .addOption(new Option("--status <status>", "only this status").choices(DEPOSIT_STATUSES))
    .option("--before <id>", "only those before this one", parseWholeNumber);
  addListOptions(list).action(withCli(printDeposits));
  deposits
    .command("show")
    .description("a deposit by its id, or all of a transaction, in either environment")
    .argument("<id or hash>", "an id of `deposits list`, or a transaction hash")
    .action(withCli(show));
  const unmatched = deposits
    .command("unmatched")
    .description("deposits that were credited to nobody: another token, another network, no purpose, no tag")
    .addOption(envOption())
    .option("--before <id>", "only those before this one", parseWholeNumber);
  addListOptions(unmatched, MAX_LIMIT).action(withCli(printUnmatched));
  deposits
    .command("resolve")
    .description(
      "say, once, whose it is: credits that merchant; a token that no books are kept of is only taken off the list",
    )
    .argument("<id>", "as `deposits unmatched` printed it", parseWholeNumber)
    .requiredOption("--to <email>", "the merchant")
    .option(
      "--refund <address>",
      "send it on to this address of its network, as a withdrawal of the merchant",
    )
    .action(withCli(resolve));
  addResolveManyCommand(deposits, withCli);
}

interface ListGiven extends ListOptions {
  readonly env: Env;
  readonly before?: number;
}

async function printDeposits(
  cli: Cli,
  options: ListGiven & { readonly merchant?: string; readonly status?: DepositStatus },
): Promise<void> {
  const { env, status = null, before = null, limit } = options;
  await cli.withDatabase(async ({ config, database: { db } }) => {
    const networks = openNetworks(config.networks);
    const merchantId = await getMerchantFilter(db, options.merchant);
    const rows = await listRecordedDeposits(db, { env, merchantId, status }, { before, limit: limit + 1 });
    printList(
      cli,
      rows.map((row) => showDeposit(row, networks)),
      options,
      {
        columns: ["id", "network", "token", "amount", "status", "merchant", "refid", "tx_hash", "created_at"],
        next: ({ id }) => `--before ${id}`,
      },
    );
  });
}

async function show(cli: Cli, text: string): Promise<void> {
  await cli.withDatabase(async ({ config, database: { db } }) => {
    const networks = openNetworks(config.networks);
    const isId = /^[0-9]{1,15}$/.test(text);
    const found = isId
      ? [await findRecordedDeposit(db, Number(text))].filter((row) => row !== null)
      : await listDepositsOfTransaction(db, text);
    if (found.length === 0) throw new CommandRefusal(REFUSAL_TEXTS.recorded_deposit_not_found);
    const shown = found.map((row) => showDeposit(row, networks));
    cli.print(isId ? shown[0] : shown);
  });
}

function showDeposit({ deposit, ...row }: RecordedDeposit, networks: NetworkRegistry) {
  const { env, network, token, status } = deposit;
  const adapter = networks.find(env, network);
  const displayed = (canonical: string) => adapter?.addresses.display(canonical) ?? canonical;
  return {
    id: deposit.id,
    env,
    network,
    token,
    amount: formatAmount(deposit.amount, TOKENS[token].ledgerDecimals),
    status,
    confirmations: deposit.confirmations,
    required_confirmations: deposit.requiredConfirmations,
    merchant: row.merchantEmail,
    customer: row.customerEmail,
    refid: row.refid,
    unmatched_reason: deposit.unmatchedReason,
    address: displayed(row.address),
    path: row.path,
    sender: deposit.sender === null ? null : displayed(deposit.sender),
    extra: deposit.extra,
    tx_hash: deposit.txHash,
    output_pos: displayPosition(deposit.position),
    block_height: deposit.blockHeight,
    first_seen_at: deposit.firstSeenAt,
    confirmed_at: deposit.confirmedAt,
    created_at: deposit.createdAt,
  };
}

async function printUnmatched(cli: Cli, options: ListGiven): Promise<void> {
  const { env, before = null, limit } = options;
  await cli.withDatabase(async ({ config, database: { db } }) => {
    const networks = openNetworks(config.networks);
    const rows = await listUnmatchedDeposits(db, env, null, { before, limit: limit + 1 });
    printList(
      cli,
      rows.map((row) => showUnmatched(row, env, networks.find(env, row.network))),
      options,
      {
        columns: ["id", "network", "reason", "token", "amount", "merchant", "tx_hash", "created_at"],
        next: ({ id }) => `--before ${id}`,
      },
    );
  });
}

function showUnmatched(row: UnmatchedDeposit, env: Env, adapter: NetworkAdapter | null) {
  const shown = (canonical: string | null) =>
    canonical === null ? null : (adapter?.addresses.display(canonical) ?? canonical);
  const { token, amount } = row;
  return {
    id: row.id,
    env,
    network: row.network,
    reason: row.reason,
    held: row.status === "held",
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

async function resolve(cli: Cli, id: number, { to, refund }: { to: string; refund?: string }): Promise<void> {
  await cli.withDatabase(async ({ config, database }) => {
    const networks = openNetworks(config.networks);
    const { id: merchantId, email: merchant } = await getMerchant(database.db, to);
    const env = await findDepositEnv(database.db, id);
    if (env === null) throw new CommandRefusal(REFUSAL_TEXTS.deposit_not_found);
    const place = { merchantId, env };
    if (refund === undefined) {
      const { credited } = await cli.perform(database, resolveDeposit, place, { networks, id });
      const shown = credited && { token: credited.token, amount: formatUnits(credited) };
      cli.print({ id, resolved: true, merchant, credited: shown });
      return;
    }
    const given = { networks, id, to: refund, amount: null };
    const { withdrawal } = await cli.perform(database, refundDeposit, place, given);
    const { refid, token, network, toAddress, amount, fee } = withdrawal;
    const [sent, charged] = [formatUnits({ token, amount }), formatUnits({ token, amount: fee })];
    const shown = { refid, token, network, to: toAddress, amount: sent, fee: charged };
    cli.print({ id, resolved: true, merchant, refund: shown });
  });
}

const formatUnits = ({ token, amount }: { readonly token: TokenCode; readonly amount: bigint }) =>
  formatAmount(amount, TOKENS[token].ledgerDecimals);
