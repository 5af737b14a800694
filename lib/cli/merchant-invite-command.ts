import { type Command, Option } from "commander";
import { ROLES } from "#lib/domain/authority/role-rules.ts";
import type { Role } from "#lib/domain/authority/types.ts";
import { invitationUrl, inviteMember } from "#lib/domain/members/invite.ts";
import { type Cli, openCommandSecrets, type WithCli } from "./cli.ts";
import { requireConsole, showInvitation } from "./console-commands.ts";
import { getMerchant } from "./find-merchant.ts";

export function addMerchantInviteCommand(merchant: Command, withCli: WithCli): void {
  merchant
    .command("invite")
    .description(
      "invite a person to the merchant's console; prints a link that works once, for 72 hours, and mails it with SMTP_URL",
    )
    .argument("<email>", "the merchant")
    .requiredOption("--person <email>", "whom to invite")
    .addOption(new Option("--role <role>", "what the person may do").choices(ROLES).default("owner"))
    .action(withCli(invitePerson));
}

async function invitePerson(
  cli: Cli,
  email: string,
  { person, role }: { readonly person: string; readonly role: Role },
): Promise<void> {
  await cli.withDatabase(async ({ config, database }) => {
    const consoleUrl = requireConsole(config);
    const { id } = await getMerchant(database.db, email);
    const mailSealer = config.mail === null ? null : openCommandSecrets(config);
    const place = { merchantId: id, env: "live" } as const;
    const given = { email: person, role, mailSealer };
    const { invitation, token } = await cli.perform(database, inviteMember, place, given);
    cli.print(showInvitation(invitation, invitationUrl(consoleUrl, token)));
  });
}
