/** Which mails payments, endpoints and days cause. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { changeMailSettings } from "#lib/domain/mail/change-mail-settings.ts";
import { deleteOldMails } from "#lib/domain/mail/delete-old-mails.ts";
import { enqueueEndpointMail, enqueueMails, leftOutCounter } from "#lib/domain/mail/enqueue-mails.ts";
import { makeDigests } from "#lib/domain/mail/make-digests.ts";
import { getMailSettings, measureMails } from "#lib/domain/mail/queries.ts";
import { resendMail } from "#lib/domain/mail/resend-mail.ts";
import { mailSettings, mails } from "#lib/domain/mail/tables.ts";
import { sweepPaymentLinks } from "#lib/domain/payment-links/settle/sweep-payment-links.ts";
import { paymentLinkWallets } from "#lib/domain/payment-links/tables.ts";
import { claimDeliveries, deliverWebhook } from "#lib/domain/webhooks/deliver-webhook.ts";
import { emitEvent } from "#lib/domain/webhooks/emit-event.ts";
import { LANGUAGE_CODES } from "#lib/platform/languages/languages.ts";
import { actOf } from "#tests/support/acts.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { messageIdOf } from "#tests/support/smtp.ts";
import { minutes, START } from "../payment-links/facts.ts";
import { ENDED, usdt } from "../payment-links/world.ts";
import { aReceiver, deliverDeps, merchantWithEndpoint, status } from "../webhooks/receiver.ts";
import { openMailWorld, partsOf } from "./mail-world.ts";

const { world, rows, kinds, claim, paidLink } = await openMailWorld();

test("a paid link sends the payer a receipt and the merchant a mail", async () => {
  const { refid } = await paidLink("ada@example.com");
  assert.deepEqual(await kinds(), ["paid shop@example.com", "receipt ada@example.com"]);
  const claimed = await claim();
  const receipt = partsOf(claimed.find(({ kind }) => kind === "receipt")!);
  assert.match(receipt.subject, /^\[TEST\] Receipt: 100\.00 USD to Shop$/);
  for (const part of [receipt.text, receipt.html]) {
    assert.match(part, /ORDER1001/);
    assert.match(part, /100 USDT · /);
    assert.match(part, /0x0{60}/);
    assert.ok(part.includes(`https://pay.example.com/${refid}`));
    assert.match(part, /https:\/\/pay\.example\.com\/mail\/[0-9a-f-]{36}/);
  }
  const paid = partsOf(claimed.find(({ kind }) => kind === "paid")!);
  assert.equal(paid.subject, "[TEST] Paid: 100.00 USD, ORDER1001");
  // Nothing that a mail program fetches, and nothing private of the payer in the merchant's mail.
  for (const { html } of [receipt, paid])
    assert.doesNotMatch(html, /<img|<link|<script|src=|url\(|@import|cid:/i);
  assert.doesNotMatch(paid.text + paid.html, /ada@|Obi/);
});

test("without SMTP_URL a paid link writes no mail", async () => {
  Object.assign(world.deps.settings, { sendsMail: false });
  await paidLink("ada@example.com");
  Object.assign(world.deps.settings, { sendsMail: true });
  assert.deepEqual(await rows(), []);
});

test("a receipt is in the language of the page on which the payer chose the network", async () => {
  for (const language of LANGUAGE_CODES) {
    const link = await world.createPicked();
    await world.db.update(paymentLinkWallets).set({ language });
    await world.pay(link.refid, { amount: usdt("101"), status: "credited" });
    const claimed = (await claim()).find(({ kind }) => kind === "receipt")!;
    const { text, html } = partsOf(claimed);
    assert.ok(
      html.startsWith(`<!doctype html><html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}">`),
    );
    if (language === "fr") assert.match(text, /Votre paiement de 100\.00 USD à Shop est terminé\./);
    if (language === "ar") assert.match(text, /\u20661 USDT\u2069 زيادة/);
    await world.db.delete(mails);
  }
});

test("an unpaid end, a late and an extra payment are the merchant's mails; an expired link causes no mail", async () => {
  const underpaid = await world.createPicked();
  await world.pay(underpaid.refid, { amount: usdt("40"), status: "credited" });
  const extra = await paidLink("x@example.com");
  await world.pay(extra.refid, { amount: usdt("3"), status: "credited", at: minutes(START, 1) });
  await world.createPicked();
  await world.pass(ENDED);
  await sweepPaymentLinks(world.deps, ENDED);
  await world.pay(underpaid.refid, { amount: usdt("60"), status: "credited", at: ENDED });
  const sent = (await claim(minutes(ENDED, 1)))
    .filter(({ kind }) => kind !== "receipt")
    .map((mail) => partsOf(mail).subject);
  assert.deepEqual(sent.sort(), [
    "[TEST] Extra payment: 100.00 USD, ORDER1001",
    "[TEST] Late payment: 100.00 USD, ORDER1001",
    "[TEST] Not paid in full: 100.00 USD, ORDER1001",
    "[TEST] Paid: 100.00 USD, ORDER1001",
  ]);
});

test("each kind is switched for each merchant and environment; live starts with all but the digest, test with none", async () => {
  const { merchantId } = world.owner;
  await world.db.delete(mailSettings);
  assert.deepEqual((await getMailSettings(world.db, { merchantId, env: "test" })).kinds, []);
  assert.deepEqual((await getMailSettings(world.db, { merchantId, env: "live" })).kinds, [
    ...["receipt", "paid", "underpaid", "late", "unmatched", "endpoint_disabled"],
  ]);
  await paidLink("ada@example.com");
  assert.deepEqual(await kinds(), []);
  const at = { env: "test", now: START } as const;
  await world.db.transaction((tx) =>
    changeMailSettings(actOf(tx, merchantId, at), { on: ["paid"], recipient: "books@shop.example" }),
  );
  await paidLink("ada@example.com");
  assert.deepEqual(await kinds(), ["paid books@shop.example"]);
  const refused = await world.db.transaction((tx) =>
    changeMailSettings(actOf(tx, merchantId, at), { recipient: "a@b.example, c@d.example" }),
  );
  assert.deepEqual(refused, { ok: false, reason: "invalid_mailRecipient" });
});

test("a disabled endpoint is a mail, in the transaction that disables it, without the URL's path", async (t) => {
  const receiver = await aReceiver(t);
  receiver.reply(status(410));
  const owner = await merchantWithEndpoint(world.db, receiver);
  const { merchantId, endpointId } = owner;
  await world.db.insert(mailSettings).values({ merchantId, env: "test", kinds: ["endpoint_disabled"] });
  const data = { ...deliverDeps(world.db, () => new Date()), onDisabled: enqueueEndpointMail };
  await world.db.transaction((tx) =>
    emitRawEvent(tx, { ...owner, type: "deposit_credited", dataJson: "{}", txHashes: [] }, new Date()),
  );
  const { claimed } = await claimDeliveries(data, endpointId, 1);
  await (await deliverWebhook(data, claimed[0]!)).stored;
  const [mail] = await claim(new Date(Date.now() + 1_000));
  const { subject, text } = partsOf(mail!);
  assert.match(subject, /^\[TEST\] Webhook endpoint disabled: 127\.0\.0\.1:\d+$/);
  assert.match(text, /It answered 410\./);
  assert.doesNotMatch(text, /\/hook/);
});

test("an address gets at most ten receipts an hour; no row is written for more, and the count is a metric", async () => {
  const count = async () => (await leftOutCounter.get()).values[0]?.value ?? 0;
  const before = await count();
  await paidLink("data@example.com");
  const { data } = (await rows()).find(({ kind }) => kind === "receipt")!;
  await world.db.delete(mails);
  const mail = { ...world.owner, merchant: undefined, kind: "receipt" as const, data };
  const send = (many: number, now: Date, recipient = "victim@example.com") =>
    world.db.transaction((tx) =>
      enqueueMails(
        tx,
        // In upper case it is the same address.
        Array.from({ length: many }, (_, i) => ({
          ...mail,
          recipient: i % 2 ? recipient : recipient.toUpperCase(),
        })),
        now,
      ),
    );
  await send(7, START);
  await send(2_000, minutes(START, 10));
  await send(500, minutes(START, 59));
  const stored = await rows();
  assert.equal(stored.length, 10);
  assert.deepEqual(stored.map(({ data: { last } }) => last === true).lastIndexOf(true), 9);
  assert.equal(stored.filter(({ data: { last } }) => last === true).length, 1);
  assert.equal((await count()) - before, 2_497);
  await send(1, minutes(START, 59), "other@example.com");
  await send(1, minutes(START, 61));
  assert.equal((await rows()).length, 12);
});

test("an address that is not one plain address gets no receipt", async () => {
  for (const email of ["a@b.example,c@d.example", "a@localhost", "<a@b.example>", "a b@c.example"]) {
    await paidLink(email);
  }
  assert.deepEqual([...new Set(await kinds())], ["paid shop@example.com"]);
});

test("the digest is made once for each day, also by two workers, and lists what happened", async () => {
  const now = new Date();
  const { merchantId, env } = world.owner;
  await world.db.transaction((tx) =>
    changeMailSettings(actOf(tx, merchantId, { env, now }), { off: ["paid", "receipt"], on: ["digest"] }),
  );
  await makeDigests(world.db, now);
  assert.deepEqual(await rows(), [], "the day is not over");
  const deposit = (value: string) => ({
    ...{ ref: "1", status: 1 as const, genesis: 0 as const, email: "shop@example.com", value },
    ...{ network: "bep20", token: "usdt", address: "0x1", sender: null, extra: null, tx_hash: "0x2" },
    ...{ output_pos: null, customer: null, total_received: value, created_at: "", updated_at: "" },
    ...{ deleted_at: null, environment: env, refid: null },
  });
  for (const value of ["1.10", "20", "0.000000000000000001"]) {
    const event = { merchantId, env, type: "deposit_credited" as const, data: deposit(value), txHashes: [] };
    await world.db.transaction((tx) => emitEvent(tx, event, now));
  }
  const tomorrow = new Date(now.getTime() + 86_400_000);
  await Promise.all([makeDigests(world.db, tomorrow), makeDigests(world.db, tomorrow)]);
  await makeDigests(world.db, tomorrow);
  assert.deepEqual(await kinds(), ["digest shop@example.com"]);
  const { text, subject } = partsOf((await claim(tomorrow))[0]!);
  assert.equal(subject, `[TEST] Your day: ${now.toISOString().slice(0, 10)}`);
  assert.match(text, /^deposit credited: 3$/m);
  assert.match(text, /^Credited: 21\.100000000000000001 USDT · /m);
  // A worker that was away for weeks makes the last seven days.
  await makeDigests(world.db, new Date(now.getTime() + 30 * 86_400_000));
  assert.equal((await rows()).length, 1 + 7);
});

test("old mails are deleted, those that waited too long fail and can be sent again", async () => {
  await paidLink("ada@example.com");
  const ids = (await rows()).map(({ id }) => id);
  const now = new Date();
  const old = new Date(now.getTime() - 5 * 86_400_000);
  await world.db.update(mails).set({ createdAt: old }).where(eq(mails.id, ids[0]!));
  await world.db
    .update(mails)
    .set({ status: "sent", createdAt: new Date(0) })
    .where(eq(mails.id, ids[1]!));
  await deleteOldMails(world.db, now);
  const [left, ...none] = await rows();
  assert.deepEqual([left?.status, left?.lastError, none], ["failed", "too old", []]);
  assert.deepEqual(await measureMails(world.db, now), { due: 0, oldest: null, failed: 1 });
  const again = () =>
    world.db.transaction((tx) =>
      resendMail(actOf(tx, world.owner.merchantId, { env: world.owner.env, now }), { id: left!.id }),
    );
  assert.deepEqual([await again(), await again()], [{ ok: true }, { ok: false, reason: "mail_not_failed" }]);
  assert.equal((await claim(now)).length, 1);
  assert.equal(messageIdOf("Message-ID: <a@b>\r\n"), "a@b");
});
