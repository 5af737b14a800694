import { type Command, Option } from "commander";
import { NETWORK_CODES } from "#lib/chains/networks.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { findLink } from "#lib/domain/payment-links/queries.ts";
import { createClaim } from "#lib/domain/withdrawals/claims/create-claim.ts";
import { type ClaimRow, findClaim, listClaims } from "#lib/domain/withdrawals/claims/queries.ts";
import { revokeClaim } from "#lib/domain/withdrawals/claims/revoke-claim.ts";
import { claimState, readNote } from "#lib/domain/withdrawals/claims/rules.ts";
import type { RefundAmount } from "#lib/domain/withdrawals/create/refund-rules.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { type Cli, CommandRefusal, openCommandSecrets, type WithCli } from "./cli.ts";
import { parseLedgerUnits, parseWholeNumber } from "./options.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";

/** More claims of one link than people make. */
const LISTED = 100;

export function addRefundCommands(refund: Command, withCli: WithCli): void {
  refund
    .command("create")
    .description(
      "make a page on which the customer enters the address of a refund, and print its link; with an address, use `withdrawal create --payment-link`",
    )
    .argument("<refid>", "the payment link")
    .addOption(new Option("--network <network>", "its code").choices(NETWORK_CODES).makeOptionMandatory())
    .addOption(new Option("--token <token>", "its symbol").choices(Object.keys(TOKENS)).makeOptionMandatory())
    .requiredOption(
      "--amount <amount>",
      "in whole tokens, `all` that is left, or `excess`: what was paid too much",
    )
    .option("--note <text>", "what the customer reads")
    .option("--mail", "mail the link to the customer")
    .option("--idempotency-key <text>", "the same command again with this text makes no second claim")
    .action(withCli(create));
  refund
    .command("list")
    .description("the refund claims of a payment link, newest first")
    .argument("<refid>", "the payment link")
    .action(withCli(list));
  refund
    .command("revoke")
    .description("end a refund claim that was not used; its amount can be refunded again")
    .argument("<claim>", "its number, as `refund list` prints it", parseWholeNumber)
    .action(withCli(revoke));
}

interface CreateOptions {
  readonly network: string;
  readonly token: TokenCode;
  readonly amount: string;
  readonly note?: string;
  readonly mail?: boolean;
  readonly idempotencyKey?: string;
}

async function create(cli: Cli, refid: string, given: CreateOptions, command: Command): Promise<void> {
  const { network, token, mail = false, idempotencyKey = null } = given;
  const isWord = given.amount === "all" || given.amount === "excess";
  const amount = isWord ? (given.amount as RefundAmount) : parseLedgerUnits(command, given.amount, token);
  const note = readNote(given.note ?? "");
  if (note === null) throw new CommandRefusal(REFUSAL_TEXTS.note_malformed);
  await cli.withDatabase(async ({ config, database }) => {
    const place = await getLink(database.db, refid);
    const deps = {
      networks: openNetworks(config.networks),
      secrets: openCommandSecrets(config),
      settings: { paymentUrl: config.paymentUrl, sendsMail: config.mail !== null },
    };
    const request = {
      paymentLink: refid,
      network,
      token,
      amount,
      note: note === "" ? null : note,
      mail,
      idempotencyKey,
    };
    const made = await cli.perform(database, createClaim, place, { ...deps, ...request });
    cli.print({ ...show(made.claim, cli.now()), refund_url: made.url });
  });
}

async function list(cli: Cli, refid: string): Promise<void> {
  await cli.withDatabase(async ({ database: { db } }) => {
    const { id } = await getLink(db, refid);
    cli.print((await listClaims(db, id, LISTED)).map((claim) => show(claim, cli.now())));
  });
}

async function revoke(cli: Cli, id: number): Promise<void> {
  await cli.withDatabase(async ({ database }) => {
    const place = await findClaim(database.db, id, null);
    if (place === null) throw new CommandRefusal(REFUSAL_TEXTS.claim_not_found);
    const { claim } = await cli.perform(database, revokeClaim, place, { id, paymentLink: null });
    cli.print(show(claim, cli.now()));
  });
}

async function getLink(db: Db, refid: string) {
  const found = await findLink(db, refid);
  if (found === null) throw new CommandRefusal(REFUSAL_TEXTS.link_not_found);
  return found.link;
}

/** The record of the API with amounts as texts, and what only the operator sees. */
function show(claim: ClaimRow, now: Date) {
  return {
    env: claim.env,
    claim: claim.id,
    state: claimState(claim, now),
    network: claim.network,
    token: claim.token,
    amount: formatAmount(claim.amount, TOKENS[claim.token].ledgerDecimals),
    note: claim.note,
    mailed: claim.mailed,
    requested_by: claim.requestedBy,
    withdrawal: claim.withdrawal,
    problem: claim.problem,
    expires_at: claim.expiresAt,
    created_at: claim.createdAt,
  };
}
