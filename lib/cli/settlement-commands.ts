import { type Command, Option } from "commander";
import {
  approveSettlement,
  prepareProposal,
  prepareSettlementApproval,
  proposeSettlement,
  type Settler,
} from "#lib/domain/withdrawals/end/settle-otherwise.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { readPrivateFile } from "#lib/signer/host-files.ts";
import { type Cli, CommandRefusal, requireSuccess, type WithCli } from "./cli.ts";
import { parseLedgerUnits } from "./options.ts";
import { getWithdrawal, show, withQueue } from "./show-withdrawal.ts";

interface Person {
  readonly name: string;
  readonly key: string;
}

/** Commands of two persons for a withdrawal whose transaction paid another amount. */
export function addSettlementCommands(withdrawal: Command, withCli: WithCli): void {
  personCommand(
    withdrawal,
    "propose-settlement",
    "propose to complete it with a final transaction that paid another amount",
  )
    .requiredOption("--tx-hash <hash>", "of the transaction that paid")
    .requiredOption("--reason <text>", "what happened, for the record")
    .option("--amount <amount>", "what the address got, in whole tokens, where the chain does not tell")
    .addOption(
      new Option("--excess <account>", "who bears what was paid more: the operator, or the merchant")
        .choices(["costs", "merchant"])
        .default("costs"),
    )
    .action(withCli(propose));
  personCommand(withdrawal, "approve-settlement", "complete it as another person has proposed").action(
    withCli(approve),
  );
}

function personCommand(withdrawal: Command, name: string, about: string): Command {
  return withdrawal
    .command(name)
    .description(about)
    .argument("<refid>", "as `withdrawal create` printed it")
    .requiredOption("--name <name>", "your name in SETTLEMENT_APPROVERS")
    .requiredOption("--key <file>", "your key of `signer approver`");
}

interface Proposal extends Person {
  readonly txHash: string;
  readonly reason: string;
  readonly amount?: string;
  readonly excess: "costs" | "merchant";
}

async function propose(cli: Cli, refid: string, given: Proposal, command: Command): Promise<void> {
  const { txHash, reason, excess, amount } = given;
  await withQueue(cli, async (deps) => {
    const found = await getWithdrawal(deps, refid);
    const asserted = amount === undefined ? null : parseLedgerUnits(command, amount, found.token);
    const proposal = { txHash, asserted, excess, reason };
    const settler = readSettler(cli, given);
    const prepared = requireSuccess(await prepareProposal(deps, settler, found, proposal));
    await cli.perform(deps, proposeSettlement, found, { refid, ...prepared });
    const whole = (units: bigint) => formatAmount(units, TOKENS[found.token].ledgerDecimals);
    cli.print({
      refid,
      proposed_by: given.name,
      tx_hash: prepared.terms.txHash,
      asked: whole(found.amount),
      paid: whole(prepared.terms.paid),
      excess,
      reason,
    });
  });
}

async function approve(cli: Cli, refid: string, given: Person): Promise<void> {
  await withQueue(cli, async (deps) => {
    const { networks } = deps;
    const found = await getWithdrawal(deps, refid);
    const prepared = requireSuccess(await prepareSettlementApproval(deps, readSettler(cli, given), found));
    const approved = await cli.perform(deps, approveSettlement, found, { networks, refid, ...prepared });
    cli.print(show(approved.withdrawal, networks));
  });
}

function readSettler(cli: Cli, { name, key }: Person): Settler {
  const secretKey = readPrivateFile(key).trim();
  if (!/^[0-9a-f]{64}$/.test(secretKey)) throw new CommandRefusal("--key is no file of `signer approver`");
  return { name, secretKey, keys: cli.readConfigWithDemo().settlementApprovers };
}
