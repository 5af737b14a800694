/** Invitations that a mail brings: sealed while they wait, and not to be switched off. */
import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { findMailByToken } from "#lib/domain/mail/queries.ts";
import { mailSettings, mails } from "#lib/domain/mail/tables.ts";
import { inviteMember, openInvitation } from "#lib/domain/members/invite.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { actOf, personOf } from "#tests/support/acts.ts";
import { addSignedIn } from "#tests/support/console.ts";
import { followedDatabaseOfFile } from "#tests/support/file-database.ts";
import { startSmtp } from "#tests/support/smtp.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { sendDue } from "./mail-world.ts";

const CONSOLE_URL = "https://pay.example.com/console";
const secrets = openSecrets("a secret key for tests, at least 32 long", []);
const [base, smtp] = await Promise.all([followedDatabaseOfFile("mails"), startSmtp()]);
after(() => smtp.close());
const merchantId = await aMerchant(base.db, "shop@example.com", "Kaduna\nCoffee");
const { userId } = await addSignedIn(base.database, { merchantId, role: "owner" });
beforeEach(() => base.db.delete(mails));

const actBy = (tx: Tx, place = { merchantId, userId }) => {
  const now = new Date();
  return actOf(tx, place.merchantId, { actor: personOf(place.userId, "owner", now), now });
};
const invite = (email: string, mailSealer: typeof secrets | null = secrets) =>
  base.db.transaction((tx) => inviteMember(actBy(tx), { email, role: "cashier", mailSealer }));

async function tokenFor(email: string): Promise<string> {
  const invited = await invite(email);
  assert.ok(invited.ok);
  return invited.token;
}

const send = (open: typeof secrets) =>
  sendDue({ ...base, smtp }, { invitationLink: (sealed) => openInvitation(sealed, open, CONSOLE_URL) });

test("an invitation arrives with its link, also where every mail is switched off, and cannot be stopped", async () => {
  await base.db.insert(mailSettings).values({ merchantId, env: "live", kinds: [] });
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
      const person = { email: "efe@example.com", role: "cashier", mailSealer: secrets } as const;
      assert.ok((await inviteMember(actBy(tx), person)).ok);
      throw new Error("cut");
    }),
  );
  assert.deepEqual(await base.db.select().from(mails), []);
});

test("one mailbox gets at most five invitations of a merchant an hour, and then still those of another", async () => {
  await Promise.all(Array.from({ length: 20 }, () => invite("victim@example.com")));
  assert.equal(await base.db.$count(mails), 5);
  const other = await aMerchant(base.db, "other@example.com");
  const inviter = await addSignedIn(base.database, { merchantId: other, role: "owner" });
  const person = { email: "victim@example.com", role: "cashier", mailSealer: secrets } as const;
  const theirs = { userId: inviter.userId, merchantId: other };
  assert.ok((await base.db.transaction((tx) => inviteMember(actBy(tx, theirs), person))).ok);
  assert.equal(await base.db.$count(mails), 6);
});

test("a link that no key opens any more is not sent: the mail asks for another invitation", async () => {
  await tokenFor("femi@example.com");
  const message = await send(openSecrets("another secret key for tests, 32 long", []));
  assert.match(message, /Ask for another invitation\./);
  assert.doesNotMatch(message, /join/);
});
