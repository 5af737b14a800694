import { type Command, Option } from "commander";
import type { Env } from "#lib/chains/network-data.ts";
import { NETWORK_CODES } from "#lib/chains/networks.ts";
import type { Verb } from "#lib/domain/authority/define-verb.ts";
import { fromStatusNumber, WITHDRAWAL_STATUS_NUMBERS } from "#lib/domain/withdrawal-status.ts";
import { createWithdrawal } from "#lib/domain/withdrawals/create/create-withdrawal.ts";
import { failWithdrawal, prepareFailure } from "#lib/domain/withdrawals/end/fail-withdrawal.ts";
import { prepareSettlement, settleWithdrawal } from "#lib/domain/withdrawals/end/settle-withdrawal.ts";
import { listWithdrawals } from "#lib/domain/withdrawals/queries.ts";
import { correctTransaction, prepareCorrection } from "#lib/domain/withdrawals/send/correct-transaction.ts";
import { markSent, prepareSent } from "#lib/domain/withdrawals/send/mark-sent.ts";
import { prepareReplacement, replaceTransaction } from "#lib/domain/withdrawals/send/replace-transaction.ts";
import type { WithdrawalDeps, WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { type Cli, requireSuccess, type WithCli } from "./cli.ts";
import { getMerchant, getMerchantFilter } from "./find-merchant.ts";
import { envOption, parseLedgerUnits, refidEnvOption } from "./options.ts";
import { addListOptions, type ListOptions, MAX_LIMIT, printList } from "./print-list.ts";
import { addPsbtCommands } from "./psbt-commands.ts";
import type { RefusalReason } from "./refusals.ts";
import { addSettlementCommands } from "./settlement-commands.ts";
import { getWithdrawal, show, withQueue } from "./show-withdrawal.ts";
import { addRuleCommands } from "./withdrawal-rule-commands.ts";

export function addWithdrawalCommands(withdrawal: Command, withCli: WithCli): void {
  withdrawal
    .command("create")
    .description(
      "reserve an amount and its fee in a merchant's balance; then send it yourself and run `withdrawal sent`",
    )
    .requiredOption("--merchant <email>", "merchant of the balance")
    .addOption(new Option("--token <token>", "its symbol").choices(Object.keys(TOKENS)).makeOptionMandatory())
    .addOption(new Option("--network <network>", "its code").choices(NETWORK_CODES).makeOptionMandatory())
    .requiredOption("--to <address>", "destination address")
    .requiredOption("--amount <amount>", "in whole tokens; the fee is added")
    .option("--refund-of <refid>", "the failed withdrawal that this one refunds")
    .option("--payment-link <refid>", "the payment that this one refunds: at most what was credited for it")
    .option("--idempotency-key <text>", "the same command again with this text creates no second withdrawal")
    .addOption(envOption())
    .action(withCli(create));
  const addStep = (name: string, about: string, step: Step) =>
    withdrawal
      .command(name)
      .description(about)
      .argument("<refid>", "as `withdrawal create` printed it")
      .requiredOption("--tx-hash <hash>", "of the transaction")
      .addOption(refidEnvOption())
      .action(withCli((cli, refid: string, given: StepOptions) => submit(cli, step, refid, given)));
  addStep(
    "sent",
    "submit the broadcast transaction, to follow it on the chain",
    openStep(prepareSent, markSent),
  );
  addStep(
    "replace",
    "submit another transaction: one that replaces the first, or follows one that can no longer confirm",
    openStep(prepareReplacement, replaceTransaction),
  );
  addStep(
    "correct",
    "correct a mistyped hash, which no node has ever reported; a node must know the correct transaction",
    openStep(prepareCorrection, correctTransaction),
  );
  addStep(
    "settle",
    "complete it with the transaction that paid it, in a final block, whatever was submitted before",
    openStep(prepareSettlement, settleWithdrawal),
  ).option("--abandon-others", "also while another submitted transaction may still pay: no longer follow it");
  withdrawal
    .command("fail")
    .description(
      "fail a withdrawal and release its reservation; refused while its transaction may still confirm",
    )
    .argument("<refid>", "as `withdrawal create` printed it")
    .option("--reason <text>", "reason for the record; by default what the chain says")
    .addOption(refidEnvOption())
    .action(withCli(fail));
  addSettlementCommands(withdrawal, withCli);
  addRuleCommands(withdrawal, withCli);
  addPsbtCommands(withdrawal, withCli);
  const list = withdrawal
    .command("list")
    .description("newest first; 0 pending, 1 processing, 2 failed, 3 completed, 5 refund queued")
    .option("--merchant <email>", "only withdrawals of this merchant")
    .addOption(
      new Option("--status <status>", "only this status").choices(WITHDRAWAL_STATUS_NUMBERS.map(String)),
    )
    .addOption(envOption())
    .option("--before <refid>", "only withdrawals older than this one");
  addListOptions(list, MAX_LIMIT).action(withCli(printWithdrawals));
}

interface Submission {
  readonly txHash: string;
  readonly abandonOthers: boolean;
}
type Step = (
  cli: Cli,
  deps: WithdrawalDeps,
  found: WithdrawalRow,
  given: Submission,
) => Promise<WithdrawalRow>;

/** A verb about a transaction, and how it asks the nodes before. */
const openStep =
  <Prepared extends object>(
    prepare: (
      deps: WithdrawalDeps,
      found: WithdrawalRow,
      given: Submission,
      now: Date,
    ) => Promise<({ ok: true } & Prepared) | { ok: false; reason: RefusalReason }>,
    verb: Verb<
      NoInfer<Prepared> & Pick<WithdrawalDeps, "networks"> & { readonly refid: string },
      { readonly withdrawal: WithdrawalRow },
      RefusalReason
    >,
  ): Step =>
  async (cli, deps, found, given) => {
    const prepared = requireSuccess(await prepare(deps, found, given, cli.now()));
    const input = { ...prepared, networks: deps.networks, refid: found.refid };
    return (await cli.perform(deps, verb, found, input)).withdrawal;
  };

interface StepOptions {
  readonly env?: Env;
  readonly txHash: string;
  readonly abandonOthers?: boolean;
}

/** Submits a transaction. */
async function submit(cli: Cli, step: Step, refid: string, given: StepOptions): Promise<void> {
  const { txHash, abandonOthers = false } = given;
  await withQueue(cli, async (deps) => {
    const found = await getWithdrawal(deps, refid, given.env);
    const withdrawal = await step(cli, deps, found, { txHash, abandonOthers });
    cli.print(show(withdrawal, deps.networks));
  });
}

interface CreateOptions {
  readonly env: Env;
  readonly merchant: string;
  readonly token: TokenCode;
  readonly network: string;
  readonly to: string;
  readonly amount: string;
  readonly refundOf?: string;
  readonly paymentLink?: string;
  readonly idempotencyKey?: string;
}

async function create(cli: Cli, options: CreateOptions, command: Command): Promise<void> {
  const { env, merchant: email, token, network, to } = options;
  const { refundOf = null, paymentLink = null, idempotencyKey = null } = options;
  const amount = parseLedgerUnits(command, options.amount, token);
  await withQueue(cli, async (deps) => {
    const { networks } = deps;
    const { id: merchantId } = await getMerchant(deps.db, email);
    const request = { networks, token, network, to, amount, refundOf, paymentLink, idempotencyKey };
    const { withdrawal } = await cli.perform(deps, createWithdrawal, { merchantId, env }, request);
    cli.print(show(withdrawal, networks));
  });
}

async function fail(
  cli: Cli,
  refid: string,
  { reason = null, ...given }: { env?: Env; reason?: string | null },
) {
  await withQueue(cli, async (deps) => {
    const found = await getWithdrawal(deps, refid, given.env);
    const { proof } = requireSuccess(await prepareFailure(deps, found, cli.now()));
    const { withdrawal } = await cli.perform(deps, failWithdrawal, found, { refid, reason, proof });
    cli.print(show(withdrawal, deps.networks));
  });
}

interface ListGiven extends ListOptions {
  readonly env: Env;
  readonly merchant?: string;
  readonly status?: string;
  readonly before?: string;
}

async function printWithdrawals(cli: Cli, options: ListGiven): Promise<void> {
  const { env, merchant, status: text, limit } = options;
  const status = text === undefined ? null : fromStatusNumber(Number(text));
  await withQueue(cli, async (deps) => {
    const { db, networks } = deps;
    const merchantId = await getMerchantFilter(db, merchant);
    const before = options.before === undefined ? null : (await getWithdrawal(deps, options.before)).id;
    const rows = await listWithdrawals(db, { env, merchantId, status }, { before, limit: limit + 1 });
    printList(
      cli,
      rows.map((row) => show(row, networks)),
      options,
      {
        columns: [
          ...(["refid", "email", "status", "value", "token", "network", "_to", "tx_hash"] as const),
          ...(["created_at", "waits_for_approval", "finding", "failure_reason", "next_command"] as const),
        ],
        next: ({ refid }) => `--before ${refid}`,
      },
    );
  });
}
