import { after, beforeEach } from "node:test";
import { asc } from "drizzle-orm";
import { pino } from "pino";
import { composeMail } from "#lib/domain/mail/compose-mail.ts";
import { type MailWorkerDeps, startMailWorker } from "#lib/domain/mail/mail-worker.ts";
import { claimDueMails } from "#lib/domain/mail/store.ts";
import { mailSettings, mailStops, mails } from "#lib/domain/mail/tables.ts";
import type { ClaimedMail, SwitchedKind } from "#lib/domain/mail/types.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import { mailConfig, type SmtpFake } from "#tests/support/smtp.ts";
import type { WakeUps } from "#tests/support/wake-ups.ts";
import { minutes, START } from "../payment-links/facts.ts";
import { aWorld, usdt } from "../payment-links/world.ts";

/** The world of a test file: its merchant gets every mail but the digest, and each test starts without mails. */
export async function openMailWorld() {
  const world = await aWorld();
  Object.assign(world.deps.settings, { sendsMail: true });
  const { db } = world;
  after(() => world.close());
  beforeEach(async () => {
    for (const table of [mails, mailStops, mailSettings]) await db.delete(table);
    await switchOn("receipt", "paid", "underpaid", "late", "unmatched", "endpoint_disabled");
  });

  async function switchOn(...kinds: SwitchedKind[]): Promise<void> {
    const { merchantId, env } = world.owner;
    await db.insert(mailSettings).values({ merchantId, env, kinds });
  }
  const rows = () => db.select().from(mails).orderBy(asc(mails.id));
  return {
    world,
    rows,
    kinds: async () => (await rows()).map(({ kind, recipient }) => `${kind} ${recipient}`).sort(),
    /** Every due mail, as a worker claims it. */
    claim: (now = minutes(START, 1)) =>
      claimDueMails(db, { limit: 100, now, leaseUntil: minutes(now, 2), domain: "example.com" }),
    async paidLink(email: string, given = {}) {
      const customer = { email, firstName: "Ada", lastName: "Obi", phone: null };
      const link = await world.createPicked({ customer, ...given });
      await world.pay(link.refid, { amount: usdt("100"), status: "credited" });
      return link;
    },
  };
}

export function partsOf(mail: ClaimedMail) {
  const message = composeMail(mail, mailConfig(1), []);
  const { text, html, subject } = message;
  return { ...message, text: String(text), html: String(html), subject: String(subject) };
}

/** Sends what is due, and returns the newest message. `changes` follows the mails. */
export async function sendDue(
  { database, smtp, changes }: { database: Database; smtp: SmtpFake; changes: Pick<WakeUps, "until"> },
  links: Pick<MailWorkerDeps, "claimLink" | "invitationLink">,
): Promise<string> {
  const worker = await startMailWorker({
    ...{ database, config: mailConfig(smtp.port), log: pino({ level: "silent" }) },
    ...links,
  });
  await changes.until("every mail is sent", async () =>
    (await database.db.select().from(mails)).every(({ status }) => status === "sent"),
  );
  await worker.stop();
  // Long lines are folded (quoted-printable, RFC 2045).
  return (smtp.accepted.at(-1) ?? "").replace(/=\r\n/g, "").replaceAll("=3D", "=");
}
