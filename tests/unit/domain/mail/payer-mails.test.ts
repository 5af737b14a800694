/** The mail that asks a payer for the address of a refund: no secret while it waits, and none once the claim has ended. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "drizzle-orm";
import { composeClaimMail } from "#lib/domain/mail/payer-mails.ts";
import { findMailByToken } from "#lib/domain/mail/queries.ts";
import { mailSettings, mails } from "#lib/domain/mail/tables.ts";
import type { ClaimedMail, ClaimMailData } from "#lib/domain/mail/types.ts";
import { createClaim, findClaimUrl } from "#lib/domain/withdrawals/claims/create-claim.ts";
import { revokeClaim } from "#lib/domain/withdrawals/claims/revoke-claim.ts";
import { LANGUAGE_CODES } from "#lib/platform/languages/languages.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { performAs } from "#tests/support/acts.ts";
import { followTables } from "#tests/support/follow-tables.ts";
import { startSmtp } from "#tests/support/smtp.ts";
import { aWorld, usdt } from "../payment-links/world.ts";
import { sendDue } from "./mail-world.ts";

const paymentUrl = "https://pay.example.com/pay";
const secrets = openSecrets("a secret key for tests, at least 32 long");
const [world, smtp] = await Promise.all([aWorld(), startSmtp()]);
const changes = await followTables(world.url, ["mails"]);
after(async () => {
  await changes.close();
  await Promise.all([world.close(), smtp.close()]);
});

/** `language`: that of the page on which the payer chose the network, as it is stored. */
async function aMailedClaim(language: string | null = null) {
  const { refid } = await world.createPicked();
  await world.db.execute(sql`update payment_link_wallets set language = ${language}`);
  await world.pay(refid, { amount: usdt("60"), status: "credited" });
  const way = { network: "bep20", token: "usdt", amount: usdt("20") } as const;
  const request = { paymentLink: refid, ...way, note: "Sorry\u2029<b>", mail: true, idempotencyKey: null };
  const deps = { networks: world.deps.networks, secrets, settings: { paymentUrl, sendsMail: true } };
  const made = await performAs(world.db, world.owner, createClaim, { ...deps, ...request });
  assert.ok(made.ok && made.url !== null);
  return { id: made.claim.id, url: made.url };
}

const send = (open = secrets) =>
  sendDue(
    { database: world.database, smtp, changes },
    { claimLink: (claim) => findClaimUrl(world.db, open, { claim, paymentUrl }, new Date()) },
  );

test("the link arrives, also where every mail is switched off, and is in no table while the mail waits", async () => {
  await world.db.insert(mailSettings).values({ ...world.owner, kinds: [] });
  const { url } = await aMailedClaim();
  const secret = url.split("/").at(-1) ?? "";
  const [row] = await world.db.select().from(mails);
  assert.ok(!JSON.stringify(row).includes(secret));
  const message = await send();
  assert.ok(message.includes(url));
  assert.match(message, /^Subject: \[TEST\] Your refund from [^\r]*20 USDT\r$/m);
  assert.match(message, /Anyone who has this link can choose the address\. Do not share it\./);
  assert.ok(message.includes("&lt;b&gt;"), "a note is text");
  assert.doesNotMatch(message, /List-Unsubscribe|\/mail\//);
  assert.equal(await findMailByToken(world.db, row?.token ?? ""), null);
});

test("a claim that was revoked, or that no key opens, is not sent: the mail says that it is over", async () => {
  const revoked = await aMailedClaim();
  await performAs(world.db, world.owner, revokeClaim, { id: revoked.id, paymentLink: null });
  for (const work of [
    () => send(),
    async () => {
      await aMailedClaim();
      return send(openSecrets("another secret key for tests, 32 long"));
    },
  ]) {
    const message = await work();
    assert.match(message, /The link of this refund is no longer valid\./);
    assert.doesNotMatch(message, /\/refund\//);
  }
});

test("every language has a subject, the amount, the network and the day", () => {
  const data: ClaimMailData = {
    ...{ claim: 1, refid: "x", reference: "ORDER1", network: "bep20", token: "usdt", amount: "12.5" },
    ...{ note: null, expiresAt: "2026-12-31T00:00:00.000Z", language: null },
  };
  const mail = { env: "live", merchantName: "Kaduna\nCoffee", data } as ClaimedMail;
  for (const language of LANGUAGE_CODES) {
    const own = { ...mail, data: { ...data, language } };
    const { subject, sentences, rows } = composeClaimMail(own, "https://pay.example.com/refund/1");
    assert.match(subject, /Kaduna Coffee[\s\S]*12\.5 USDT|12\.5 USDT[\s\S]*Kaduna Coffee/, language);
    assert.match(sentences.join(" "), /12\.5 USDT[\s\S]*BNB Smart Chain \(BEP20\)/, language);
    assert.match(rows.map(([, value]) => value).join(" "), /2026/, language);
  }
});
