import { type Command, InvalidArgumentError } from "commander";
import type { Env } from "#lib/chains/network-data.ts";
import { changeMailSettings, type MailSettingsChange } from "#lib/domain/mail/change-mail-settings.ts";
import { getMailSettings } from "#lib/domain/mail/queries.ts";
import { MAIL_KINDS, type SwitchedKind } from "#lib/domain/mail/types.ts";
import type { Cli, WithCli } from "./cli.ts";
import { getMerchant } from "./find-merchant.ts";
import { envOption, parseTextOrNone } from "./options.ts";

const KINDS_HELP = `some of ${MAIL_KINDS.join(",")}, or all`;

export function addMerchantMailCommand(merchant: Command, withCli: WithCli): void {
  merchant
    .command("mail")
    .description("switch mails of a merchant and its payers on and off, and print which are on")
    .argument("<email>", "the merchant")
    .addOption(envOption())
    .option("--on <kinds>", KINDS_HELP, parseMailKinds)
    .option("--off <kinds>", KINDS_HELP, parseMailKinds)
    .option("--to <address>", "where the merchant's mails go; none: to its own address")
    .action(withCli(mail));
}

function parseMailKinds(text: string): readonly SwitchedKind[] {
  if (text === "all") return MAIL_KINDS;
  const names = text.split(",");
  const unknown = names.find((name) => !(MAIL_KINDS as readonly string[]).includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`There is no kind of mail "${unknown}".`);
  return names as SwitchedKind[];
}

async function mail(
  cli: Cli,
  email: string,
  options: { env: Env; on?: readonly SwitchedKind[]; off?: readonly SwitchedKind[]; to?: string },
): Promise<void> {
  const { env, on, off, to } = options;
  const change: MailSettingsChange = {
    ...(on !== undefined && { on }),
    ...(off !== undefined && { off }),
    ...(to !== undefined && { recipient: parseTextOrNone(to.trim()) }),
  };
  await cli.withDatabase(async ({ config, database }) => {
    const { id } = await getMerchant(database.db, email);
    const owner = { merchantId: id, env };
    if (Object.keys(change).length > 0) await cli.perform(database, changeMailSettings, owner, change);
    const { kinds, recipient } = await getMailSettings(database.db, owner);
    cli.print({ merchant: email, env, to: recipient ?? email, on: kinds, smtp: config.mail !== null });
  });
}
