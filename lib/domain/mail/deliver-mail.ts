import type { Logger } from "pino";
import { Counter } from "prom-client";
import type { Clock } from "#lib/platform/clock.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { withLogContext } from "#lib/platform/log/log-context.ts";
import { composeMail } from "./compose-mail.ts";
import { categorizeMail, decideAfterSending } from "./rules.ts";
import type { MailSender } from "./send-mail.ts";
import { recordFailure, recordSent, releaseMail } from "./store.ts";
import {
  type ClaimedMail,
  type ClaimMailData,
  type InvitationMailData,
  type LinkMailData,
  MAIL_CATEGORIES,
  type MailConfig,
  type MailFile,
} from "./types.ts";

/** Attempts of this process by category. Every category starts at 0, so that its series exists. */
export const mailCounter = new Counter({
  name: "paylink_mail_attempts_total",
  help: "Attempts of this process to send a mail, by outcome",
  labelNames: ["outcome"],
  registers: [],
});
for (const outcome of MAIL_CATEGORIES) mailCounter.inc({ outcome }, 0);

export interface DeliverMailDeps extends Pick<Clock, "now">, Partial<Pick<Clock, "sleep">> {
  readonly db: Db;
  readonly log: Logger;
  readonly config: MailConfig;
  readonly sender: MailSender;
  /** The file that a receipt carries; null: none for this link. Absent: receipts carry no file. */
  readonly receiptFile?: (refid: string) => Promise<MailFile | null>;
  /** The link of an invitation with this encrypted token; null: the console is off, or no key opens it. */
  readonly invitationLink?: (sealedToken: string) => string | null;
  /** The link of the refund claim with this id. Null if it is no longer open, or no key opens it. */
  readonly claimLink?: (claim: number) => Promise<string | null>;
  readonly timeoutMs: number;
  /** Aborted at shutdown. The attempt is then released for another worker. */
  readonly signal: AbortSignal;
}

/**
 * Makes the claimed attempt. Returns false if the server fails, so that other mails would fail too. No transaction is open
 * while it is sent. If the process is killed after the server has taken the mail and before that is stored, the claim
 * expires and the same mail is sent again, under the same Message-ID.
 */
export function deliverMail(deps: DeliverMailDeps, claimed: ClaimedMail): Promise<boolean> {
  const { refid } = claimed.data as Partial<LinkMailData>;
  const subject = { mailId: claimed.id, ...(refid !== undefined && { refid }) };
  return withLogContext(subject, () => deliver(deps, claimed));
}

async function deliver(deps: DeliverMailDeps, claimed: ClaimedMail): Promise<boolean> {
  const files = await readFiles(deps, claimed);
  const message = composeMail(claimed, deps.config, files, await readSecretLink(deps, claimed));
  const outcome = await deps.sender.send(message, deps);
  const now = deps.now();
  if (outcome.kind === "interrupted") {
    await releaseMail(deps.db, claimed, now);
    return true;
  }
  mailCounter.inc({ outcome: categorizeMail(outcome) });
  const decision = decideAfterSending(outcome, claimed.attempt, now, Math.random());
  deps.log.debug({ attempt: claimed.attempt, decision }, "mail attempt");
  if (decision.kind === "sent") {
    await recordSent(deps.db, claimed, decision.status, now);
    return true;
  }
  const { status, error, server } = decision;
  const retryAt = decision.kind === "retry" ? decision.at : null;
  const counts = decision.kind === "failed" || decision.counts;
  await recordFailure(deps.db, claimed, { status, error, retryAt, counts }, now);
  if (decision.kind === "failed") deps.log.warn({ kind: claimed.kind, status, error }, "mail failed");
  return !server;
}

async function readFiles(
  { receiptFile }: DeliverMailDeps,
  { kind, data }: ClaimedMail,
): Promise<readonly MailFile[]> {
  if (kind !== "receipt" || receiptFile === undefined) return [];
  const file = await receiptFile((data as LinkMailData).refid);
  return file === null ? [] : [file];
}

/** The link that only the mail has. */
async function readSecretLink(
  { invitationLink, claimLink }: DeliverMailDeps,
  { kind, data }: ClaimedMail,
): Promise<string | null> {
  if (kind === "invitation") return invitationLink?.((data as InvitationMailData).sealedToken) ?? null;
  return kind === "refund_claim" ? ((await claimLink?.((data as ClaimMailData).claim)) ?? null) : null;
}
