import { type Command, Option } from "commander";
import { findMailPlace, listMails, MAIL_STATUSES, type MailStatus } from "#lib/domain/mail/queries.ts";
import { resendMail } from "#lib/domain/mail/resend-mail.ts";
import { isMailAddress } from "#lib/domain/mail/rules.ts";
import { openMailSender } from "#lib/domain/mail/send-mail.ts";
import { type Cli, CommandRefusal, type WithCli } from "./cli.ts";
import { getMerchantFilter } from "./find-merchant.ts";
import { parseWholeNumber } from "./options.ts";
import { addListOptions, type ListOptions, printList } from "./print-list.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";

const TEST_TIMEOUT_MS = 60_000;

export function addMailCommands(mail: Command, withCli: WithCli): void {
  const list = mail
    .command("list")
    .description("mails of the last 90 days, newest first")
    .option("--merchant <email>", "only this merchant's and its payers'")
    .addOption(new Option("--status <status>", "only these").choices(MAIL_STATUSES))
    .option("--before <id>", "only earlier ones than this", parseWholeNumber);
  addListOptions(list).action(withCli(show));
  mail
    .command("resend")
    .description("send a failed mail again, under its Message-ID")
    .argument("<id>", "as `mail list` shows it", parseWholeNumber)
    .action(withCli(resend));
  mail
    .command("test")
    .description("send a mail now, from this machine; exit 1 unless the mail server takes it")
    .requiredOption("--to <address>", "where to")
    .action(withCli(test));
}

interface ListGiven extends ListOptions {
  readonly merchant?: string;
  readonly status?: MailStatus;
  readonly before?: number;
}

async function show(cli: Cli, options: ListGiven): Promise<void> {
  const { merchant, status = null, before = null, limit } = options;
  await cli.withDatabase(async ({ database: { db } }) => {
    const merchantId = await getMerchantFilter(db, merchant);
    const rows = await listMails(db, { merchantId, status, before, limit: limit + 1 });
    const shown = rows.map((row) => ({
      id: row.id,
      merchant: row.merchant,
      env: row.env,
      kind: row.kind,
      recipient: row.recipient,
      status: row.status,
      attempts: row.attempts,
      next_attempt_at: row.nextAttemptAt,
      last_status: row.lastStatus,
      last_error: row.lastError,
      created_at: row.createdAt,
    }));
    printList(cli, shown, options, {
      columns: [
        "id",
        "kind",
        "env",
        "merchant",
        "recipient",
        "status",
        "attempts",
        "last_error",
        "created_at",
      ],
      next: ({ id }) => `--before ${id}`,
    });
  });
}

async function resend(cli: Cli, id: number): Promise<void> {
  await cli.withDatabase(async ({ database }) => {
    const place = await findMailPlace(database.db, id);
    if (place === null) throw new CommandRefusal(REFUSAL_TEXTS.mail_not_failed);
    await cli.perform(database, resendMail, place, { id });
    cli.print({ id, resent: true });
  });
}

async function test(cli: Cli, { to }: { to: string }): Promise<void> {
  const { mail } = cli.readConfigWithDemo();
  if (mail === null) throw new CommandRefusal("SMTP_URL is not set: no mail is sent");
  if (!isMailAddress(to)) throw new CommandRefusal(REFUSAL_TEXTS.invalid_mailRecipient);
  const message = {
    from: mail.from,
    to: { name: "", address: to },
    subject: "Test of Paylink's mail",
    text: "This installation of Paylink can send mail.\n",
  };
  const limits = { timeoutMs: TEST_TIMEOUT_MS, signal: new AbortController().signal };
  const outcome = await openMailSender(mail).send(message, limits);
  cli.print({
    to,
    server: `${mail.server.host}:${mail.server.port}`,
    tls: mail.server.tls,
    accepted: outcome.kind === "sent",
    status: "status" in outcome ? outcome.status : null,
    error: outcome.kind === "unreachable" ? outcome.error : null,
  });
  if (outcome.kind !== "sent") {
    throw new CommandRefusal("the mail server did not take the mail: see docs/operate/mail.md");
  }
}
