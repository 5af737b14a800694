/** Invitations that a mail brings: sealed while they wait, and not to be switched off. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { pino } from "pino";
import { startMailWorker } from "#lib/domain/mail/mail-worker.ts";
import { findMailByToken } from "#lib/domain/mail/queries.ts";
import { mailSettings, mails } from "#lib/domain/mail/tables.ts";
import { openInvitation } from "#lib/domain/members/invite.ts";
import { inviteMember } from "#lib/domain/members/manage-members.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { mailConfig, type SmtpFake, startSmtp } from "#tests/support/smtp.ts";
import { until } from "#tests/support/until.ts";

const CONSOLE_URL = "https://pay.example.com/console";
const secrets = openSecrets("a secret key for tests, at least 32 long", []);
let base: TestDatabase;
let smtp: SmtpFake;
let by: { userId: number; merchantId: number };

before(async () => {
  [base, smtp] = await Promise.all([testDatabase(), startSmtp()]);
  const [merchant] = await base.db
    .insert(merchants)
    .values({ email: "shop@example.com", name: "Kaduna\nCoffee" })
    .returning();
  by = { userId: 1, merchantId: Number(merchant?.id) };
});
after(() => Promise.all([base?.close(), smtp?.close()]));
beforeEach(() => base.db.delete(mails));

const invite = (email: string, mailSealer: typeof secrets | null = secrets) =>
  base.db.transaction((tx) => inviteMember(tx, by, { email, role: "cashier", mailSealer }, new Date()));

async function tokenFor(email: string): Promise<string> {
  const invited = await invite(email);
  assert.ok(invited.ok);
  return invited.token;
}

/** Sends what is due and returns the newest message. */
async function send(open: typeof secrets): Promise<string> {
  const before = smtp.accepted.length;
  const worker = await startMailWorker({
    database: base.database,
    config: mailConfig(smtp.port),
    log: pino({ level: "silent" }),
    sweepEveryMs: 20,
    invitationLink: (sealed) => openInvitation(sealed, open, CONSOLE_URL),
  });
  await until("the mail to arrive", async () => smtp.accepted.length > before);
  await worker.stop();
  // Long lines are folded (quoted-printable, RFC 2045).
  return (smtp.accepted.at(-1) ?? "").replace(/=\r\n/g, "").replaceAll("=3D", "=");
}

test("an invitation arrives with its link, also where every mail is switched off, and cannot be stopped", async () => {
  await base.db.insert(mailSettings).values({ merchantId: by.merchantId, env: "live", kinds: [] });
  const token = await tokenFor("chi@example.com");
  const [row] = await base.db.select().from(mails);
  assert.equal(row?.recipient, "chi@example.com");
  assert.ok(!JSON.stringify(row).includes(token), "the link is not in the database");
  const message = await send(secrets);
  assert.match(message, /^Subject: Invitation to the payments of Kaduna Coffee\r$/m);
  assert.ok(message.includes(`${CONSOLE_URL}/join/${token}`));
  assert.match(message, /as cashier\./);
  assert.doesNotMatch(message, /List-Unsubscribe|\/mail\//);
  assert.equal(await findMailByToken(base.db, row?.token ?? ""), null);
});

test("without SMTP_URL, for a refused person and after a rollback there is no mail", async () => {
  assert.ok((await invite("dara@example.com", null)).ok);
  assert.ok(!(await invite("not an address")).ok);
  await assert.rejects(
    base.db.transaction(async (tx) => {
      const person = { email: "efe@example.com", role: "cashier", mailSealer: secrets };
      await inviteMember(tx, by, person, new Date());
      throw new Error("cut");
    }),
  );
  assert.deepEqual(await base.db.select().from(mails), []);
});

test("one mailbox gets at most five invitations an hour", async () => {
  for (let n = 0; n < 8; n++) await invite("victim@example.com");
  assert.equal(await base.db.$count(mails), 5);
});

test("a link that no key opens any more is not sent: the mail asks for another invitation", async () => {
  await tokenFor("femi@example.com");
  const message = await send(openSecrets("another secret key for tests, 32 long", []));
  assert.match(message, /Ask for another invitation\./);
  assert.doesNotMatch(message, /join/);
});
