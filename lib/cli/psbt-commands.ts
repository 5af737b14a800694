import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { pino } from "pino";
import { findTransactionNetwork, type NetworkAdapter } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { openCertificateStore } from "#lib/domain/deposits/watch/node-certificates.ts";
import { listByRefids, listPayable } from "#lib/domain/withdrawals/queries.ts";
import { isOfActive } from "#lib/domain/withdrawals/rules.ts";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { formatAmount, parseAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { writeNewFile } from "#lib/signer/host-files.ts";
import type { PsbtDeps } from "#lib/signer/utxo/psbt-payment.ts";
import { askSecret } from "./ask-secret.ts";
import { type Cli, CommandRefusal, type WithCli } from "./cli.ts";
import { envOption } from "./options.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";

/** Outputs of one transaction. */
const MOST_PAYOUTS = 100;
const NETWORKS = ["bitcoin", "litecoin", "dogecoin"];
/** Satoshis for a virtual byte, times 1,000. */
const DECIMALS = 3;

/** Loaded when it is needed: other commands do without its libraries. */
const loadPayments = () => import("#lib/signer/utxo/psbt-payment.ts");

/** Payments with a wallet that has the keys: the operator carries a file there and back. */
export function addPsbtCommands(withdrawal: Command, withCli: WithCli): void {
  const psbt = withdrawal
    .command("psbt")
    .description("pay withdrawals on bitcoin, litecoin and dogecoin with a wallet that signs files (PSBT)");
  const step = (name: string, about: string) =>
    psbt
      .command(name)
      .description(about)
      .addOption(new Option("--network <network>", "its code").choices(NETWORKS).makeOptionMandatory())
      .addOption(envOption())
      .addOption(
        new Option("--max-fee <rate>", "the most satoshis for a virtual byte")
          .argParser(parseRate)
          .makeOptionMandatory(),
      );
  step("export", "write an unsigned transaction that pays pending withdrawals; it changes nothing here")
    .argument("[refid...]", "only these withdrawals; without it the oldest, at most 100")
    .requiredOption("--out <file>", "a new file")
    .option("--v2", "version 2 (BIP 370) instead of 0 (BIP 174)")
    .option(
      "--fingerprint <hex>",
      "of the wallet's master key, which some devices demand",
      parseFingerprint,
      0,
    )
    .action(withCli(writePsbt));
  step("import", "check a signed file, store it with its withdrawals, and send it")
    .argument("<file>", "as the wallet wrote it, binary or base64")
    .option("--yes", "do not ask before it is sent")
    .action(withCli(sendFile));
}

interface Given {
  readonly network: string;
  readonly env: Env;
  readonly maxFee: bigint;
}

function parseRate(text: string): bigint {
  const parsed = parseAmount(text, DECIMALS);
  if (!parsed.ok || parsed.units <= 0n) throw new InvalidArgumentError("It must be a number like 20 or 1.5.");
  return parsed.units;
}

function parseFingerprint(text: string): number {
  if (!/^[0-9a-f]{8}$/i.test(text)) throw new InvalidArgumentError("It must be 8 hexadecimal digits.");
  return Number.parseInt(text, 16);
}

async function writePsbt(
  cli: Cli,
  refids: readonly string[],
  {
    out,
    v2 = false,
    fingerprint,
    maxFee,
    ...given
  }: Given & { out: string; v2?: boolean; fingerprint: number },
): Promise<void> {
  await withNetwork(cli, given, async (deps) => {
    const rows = await chooseRows(deps, given, refids);
    const { exportPsbt } = await loadPayments();
    const made = await exportPsbt(deps, { rows, maxFee, fingerprint, version: v2 ? 2 : 0 });
    const waiting = Object.fromEntries(made.held);
    if (made.psbt === null || made.chosen === null) {
      cli.print({ file: null, waiting });
      throw new CommandRefusal("nothing can be paid now");
    }
    writeNewFile(out, Buffer.from(made.psbt).toString("base64"));
    const { plan, payouts } = made.chosen;
    const paid = rows.filter(({ refid }) => payouts.some((one) => one.refid === refid));
    cli.print({ file: out, ...show(deps.adapter, paid, plan.fee), inputs: plan.inputs.length, waiting });
    cli.printMessage(
      "Sign it, then run `withdrawal psbt import`. Do not send it with the wallet: it would be paid again.",
    );
  });
}

/** Pending withdrawals with different destinations. */
async function chooseRows(
  { db, adapter }: PsbtDeps,
  { env, network }: Pick<Given, "env" | "network">,
  refids: readonly string[],
): Promise<readonly WithdrawalRow[]> {
  const payable = await listPayable(db, adapter, { after: 0, limit: 1_000, ofActive: true });
  if (refids.length === 0) {
    const first = new Map(payable.toReversed().map((row) => [row.toAddress, row]));
    return payable.filter((row) => first.get(row.toAddress) === row).slice(0, MOST_PAYOUTS);
  }
  const named = await listByRefids(db, env, refids);
  for (const refid of refids) {
    const row = named.find((one) => one.refid === refid);
    if (row === undefined) throw new CommandRefusal(REFUSAL_TEXTS.withdrawal_not_found);
    if (row.network !== network || row.status !== "pending" || (row.needsApproval && row.approvedAt === null))
      throw new CommandRefusal(`${refid} is not pending on ${network}, or waits for an approval`);
    if (!isOfActive(row)) throw new CommandRefusal(REFUSAL_TEXTS.merchant_disabled);
  }
  if (new Set(named.map(({ toAddress }) => toAddress)).size < named.length || named.length > MOST_PAYOUTS)
    throw new CommandRefusal(
      `one transaction pays at most ${MOST_PAYOUTS} withdrawals, each to another address`,
    );
  return named;
}

async function sendFile(
  cli: Cli,
  file: string,
  { maxFee, yes = false, ...given }: Given & { yes?: boolean },
): Promise<void> {
  await withNetwork(cli, given, async (deps) => {
    const { checkPsbt, sendPsbt } = await loadPayments();
    const payment = await checkPsbt(deps, readFileSync(file), maxFee);
    const shown = payment.isStored
      ? { tx_hash: payment.hash, stored: true }
      : { tx_hash: payment.hash, ...show(deps.adapter, payment.rows, payment.fee) };
    if (!yes) {
      cli.printMessage(JSON.stringify(shown, null, 2));
      if ((await askSecret(cli, "Type yes to send it: ")).trim() !== "yes")
        throw new CommandRefusal("nothing was sent");
    }
    try {
      await sendPsbt(deps, payment, cli.getOperator());
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      throw new CommandRefusal(`it is stored, but no node took it (${error.message}): run the command again`);
    }
    cli.print({ ...shown, sent: true });
  });
}

function show({ data, addresses }: NetworkAdapter, rows: readonly WithdrawalRow[], fee: bigint) {
  const decimals = TOKENS[data.coin].ledgerDecimals;
  return {
    fee: formatAmount(fee, data.tokens[data.coin]?.decimals ?? 0),
    withdrawals: rows.map(({ refid, amount, toAddress }) => ({
      refid,
      value: formatAmount(amount, decimals),
      _to: addresses.display(toAddress),
    })),
  };
}

async function withNetwork(
  cli: Cli,
  { env, network }: Pick<Given, "env" | "network">,
  work: (deps: PsbtDeps) => Promise<void>,
): Promise<void> {
  await cli.withDatabase(async ({ config, database: { db } }) => {
    const networks = openNetworks(config.networks, { certificates: openCertificateStore(db) });
    const adapter = findTransactionNetwork(networks, { env, network });
    if (adapter === null) throw new CommandRefusal(REFUSAL_TEXTS.network_off);
    try {
      await work({ db, adapter, log: pino({ level: "silent" }), now: cli.now });
    } catch (error) {
      if (error instanceof NodeError)
        throw new CommandRefusal(`${REFUSAL_TEXTS.node_unavailable}: ${error.message}`);
      throw error;
    }
  });
}
