import type { Command } from "commander";
import { invitationUrl } from "#lib/domain/members/invite.ts";
import { addOperator, removeOperator, resetPerson } from "#lib/domain/members/operators.ts";
import { listOperators } from "#lib/domain/members/queries.ts";
import type { InvitationRow } from "#lib/domain/members/types.ts";
import type { CommandConfig } from "#lib/server/config.ts";
import { type Cli, CommandRefusal, type WithCli } from "./cli.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";

export function addConsoleCommands(consoleCommand: Command, withCli: WithCli): void {
  const operator = consoleCommand
    .command("operator")
    .description("people who run this installation: they see every merchant's console");
  operator
    .command("add")
    .description("invite an operator; prints a link that works once, for 72 hours")
    .argument("<email>", "the person's e-mail address")
    .action(withCli(add));
  operator.command("list").description("every operator").action(withCli(list));
  operator
    .command("remove")
    .description(
      "take a person's rights as an operator away, end their sessions, and withdraw open invitations to be one",
    )
    .argument("<email>", "the person's e-mail address")
    .action(withCli(remove));
  consoleCommand
    .command("person")
    .description("people who sign in to the console")
    .command("reset")
    .description(
      "take every way to sign in away from a person and end their sessions; prints a link with which they sign up again",
    )
    .argument("<email>", "the person's e-mail address")
    .action(withCli(reset));
}

async function reset(cli: Cli, email: string): Promise<void> {
  await cli.withDatabase(async ({ config, database }) => {
    const consoleUrl = requireConsole(config);
    const { user, invitation, token } = await cli.performHere(database, resetPerson, { email });
    const { name } = user;
    const url = invitationUrl(consoleUrl, token);
    cli.print({ email: user.email, name, invitation_url: url, expires_at: invitation.expiresAt });
  });
}

async function add(cli: Cli, email: string): Promise<void> {
  await cli.withDatabase(async ({ config, database }) => {
    const consoleUrl = requireConsole(config);
    const { invitation, token } = await cli.performHere(database, addOperator, { email });
    cli.print(showInvitation(invitation, invitationUrl(consoleUrl, token)));
  });
}

async function list(cli: Cli): Promise<void> {
  await cli.withDatabase(async ({ database: { db } }) => {
    const operators = await listOperators(db);
    cli.print(operators.map(({ email, name, createdAt }) => ({ email, name, created_at: createdAt })));
  });
}

async function remove(cli: Cli, email: string): Promise<void> {
  await cli.withDatabase(async ({ database }) => {
    const { user, endedInvitations } = await cli.performHere(database, removeOperator, { email });
    const { name, email: address } = user ?? { name: null, email };
    cli.print({ email: address, name, operator: false, ended_invitations: endedInvitations });
  });
}

/** The console's URL. Throws a CommandRefusal if it is off. */
export function requireConsole({ consoleUrl }: CommandConfig): string {
  if (consoleUrl === null) throw new CommandRefusal(REFUSAL_TEXTS.console_off);
  return consoleUrl;
}

/** An invitation with its link, which is shown only here. */
export function showInvitation({ email, role, expiresAt }: InvitationRow, url: string) {
  return { email, role: role ?? "operator", invitation_url: url, expires_at: expiresAt };
}
