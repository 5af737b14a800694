/** Which mails payments, endpoints and days cause, what they say, and how they stop. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, test } from "node:test";
import { asc, eq } from "drizzle-orm";
import { pino } from "pino";
import { changeMailSettings } from "#lib/domain/mail/change-mail-settings.ts";
import { composeMail } from "#lib/domain/mail/compose-mail.ts";
import { deleteOldMails } from "#lib/domain/mail/delete-old-mails.ts";
import { enqueueEndpointMail, enqueueMails, leftOutCounter } from "#lib/domain/mail/enqueue-mails.ts";
import { makeDigests } from "#lib/domain/mail/make-digests.ts";
import { getMailSettings, measureMails } from "#lib/domain/mail/queries.ts";
import { resendMail } from "#lib/domain/mail/resend-mail.ts";
import { openMailSender } from "#lib/domain/mail/send-mail.ts";
import { claimDueMails } from "#lib/domain/mail/store.ts";
import { mailSettings, mailStops, mails } from "#lib/domain/mail/tables.ts";
import type { ClaimedMail, SwitchedKind } from "#lib/domain/mail/types.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { sweepPaymentLinks } from "#lib/domain/payment-links/settle/sweep-payment-links.ts";
import { paymentLinkWallets } from "#lib/domain/payment-links/tables.ts";
import { claimDeliveries, deliverWebhook } from "#lib/domain/webhooks/deliver-webhook.ts";
import { emitEvent } from "#lib/domain/webhooks/emit-event.ts";
import { LANGUAGE_CODES } from "#lib/platform/languages/languages.ts";
import { answerMailStop } from "#lib/web/page/mail-stop.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { mailConfig, messageIdOf, startSmtp } from "#tests/support/smtp.ts";
import { until } from "#tests/support/until.ts";
import { minutes, START } from "../payment-links/facts.ts";
import { aWorld, ENDED, usdt, type World } from "../payment-links/world.ts";
import { deliverDeps, merchantWithEndpoint, startReceiver, status } from "../webhooks/receiver.ts";

let world: World;
before(async () => {
  world = await aWorld();
  Object.assign(world.deps.settings, { sendsMail: true });
});
after(() => world.close());
beforeEach(async () => {
  for (const table of [mails, mailStops, mailSettings]) await world.db.delete(table);
  await switchOn("receipt", "paid", "underpaid", "late", "unmatched", "endpoint_disabled");
});

async function switchOn(...kinds: SwitchedKind[]): Promise<void> {
  const { merchantId, env } = world.owner;
  await world.db
    .insert(mailSettings)
    .values({ merchantId, env, kinds })
    .onConflictDoUpdate({ target: [mailSettings.merchantId, mailSettings.env], set: { kinds } });
}

const rows = () => world.db.select().from(mails).orderBy(asc(mails.id));
const kinds = async () => (await rows()).map(({ kind, recipient }) => `${kind} ${recipient}`).sort();
/** Every due mail, as a worker claims it. */
const claim = (now = minutes(START, 1)) =>
  claimDueMails(world.db, { limit: 100, now, leaseUntil: minutes(now, 2), domain: "example.com" });

async function paidLink(email: string, given = {}) {
  const link = await world.createPicked({
    customer: { email, firstName: "Ada", lastName: "Obi", phone: null },
    ...given,
  });
  await world.pay(link.refid, { amount: usdt("100"), status: 1 });
  return link;
}

function parts(mail: ClaimedMail) {
  const message = composeMail(mail, mailConfig(1), []);
  return {
    ...message,
    text: String(message.text),
    html: String(message.html),
    subject: String(message.subject),
  };
}

test("a paid link sends the payer a receipt and the merchant a mail", async () => {
  const { refid } = await paidLink("ada@example.com");
  assert.deepEqual(await kinds(), ["paid shop@example.com", "receipt ada@example.com"]);
  const claimed = await claim();
  const receipt = parts(claimed.find(({ kind }) => kind === "receipt")!);
  assert.match(receipt.subject, /^\[TEST\] Receipt: 100\.00 USD to Shop$/);
  for (const part of [receipt.text, receipt.html]) {
    assert.match(part, /ORDER1001/);
    assert.match(part, /100 USDT · /);
    assert.match(part, /0x0{60}/);
    assert.ok(part.includes(`https://pay.example.com/${refid}`));
    assert.match(part, /https:\/\/pay\.example\.com\/mail\/[0-9a-f-]{36}/);
  }
  const paid = parts(claimed.find(({ kind }) => kind === "paid")!);
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
    await world.pay(link.refid, { amount: usdt("101"), status: 1 });
    const claimed = (await claim()).find(({ kind }) => kind === "receipt")!;
    const { text, html } = parts(claimed);
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
  await world.pay(underpaid.refid, { amount: usdt("40"), status: 1 });
  const extra = await paidLink("x@example.com");
  await world.pay(extra.refid, { amount: usdt("3"), status: 1, at: minutes(START, 1) });
  await world.createPicked();
  await world.pass(ENDED);
  await sweepPaymentLinks(world.deps, ENDED);
  await world.pay(underpaid.refid, { amount: usdt("60"), status: 1, at: ENDED });
  const sent = (await claim(minutes(ENDED, 1)))
    .filter(({ kind }) => kind !== "receipt")
    .map((mail) => parts(mail).subject);
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
  const owner = { merchantId, env: "test" as const };
  await world.db.transaction((tx) =>
    changeMailSettings(tx, owner, { on: ["paid"], recipient: "books@shop.example" }, START),
  );
  await paidLink("ada@example.com");
  assert.deepEqual(await kinds(), ["paid books@shop.example"]);
  const refused = await world.db.transaction((tx) =>
    changeMailSettings(tx, owner, { recipient: "a@b.example, c@d.example" }, START),
  );
  assert.deepEqual(refused, { ok: false, reason: "invalid_mailRecipient" });
});

test("a disabled endpoint is a mail, in the transaction that disables it, without the URL's path", async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  receiver.reply(status(410));
  const { merchantId, endpointId } = await merchantWithEndpoint(world.db, receiver);
  await world.db.insert(mailSettings).values({ merchantId, env: "test", kinds: ["endpoint_disabled"] });
  const data = { ...deliverDeps(world.db, () => new Date()), onDisabled: enqueueEndpointMail };
  await world.db.transaction((tx) =>
    emitRawEvent(
      tx,
      { merchantId, env: "test", type: "deposit_credited", dataJson: "{}", txHashes: [] },
      new Date(),
    ),
  );
  const { claimed } = await claimDeliveries(data, endpointId, 1);
  await deliverWebhook(data, claimed[0]!);
  const [mail] = await claim(new Date(Date.now() + 1_000));
  const { subject, text } = parts(mail!);
  assert.match(subject, /^\[TEST\] Webhook endpoint disabled: 127\.0\.0\.1:\d+$/);
  assert.match(text, /It answered 410\./);
  assert.doesNotMatch(text, /\/hook/);
});

test("an address gets at most ten receipts an hour; no row is written for more, and the count is a metric", async () => {
  const count = async () => (await leftOutCounter.get()).values[0]?.value ?? 0;
  const before = await count();
  const data = await receiptData();
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

async function receiptData() {
  const { refid } = await paidLink("data@example.com");
  const row = (await rows()).find(
    ({ kind, data }) => kind === "receipt" && "refid" in data && data.refid === refid,
  );
  await world.db.delete(mails);
  return row!.data;
}

/** Texts that break out of headers, HTML, addresses or lines where they are not handled. */
const ATTACKS = [
  "Shop\r\nBcc: evil@example.net",
  "Shop\nContent-Type: text/html\n\n<h1>owned</h1>",
  "Shop\u2028Bcc: evil@example.net\u0000\u0085X: y",
  '"><script>alert(1)</script><img src=x onerror=alert(1)>',
  "'-alert(1)-' </title></style><svg onload=alert(1)>",
  "=?utf-8?q?=0D=0ABcc:_evil@example.net?=",
  "javascript:alert(1)",
  "\u202egpj.exe <evil@example.net>, more@example.net;",
  "\ud800 lone",
  "x".repeat(5_000),
];

test("no text of a merchant or payer reaches headers, recipients or HTML", async (t) => {
  const smtp = await startSmtp();
  t.after(() => smtp.close());
  const config = mailConfig(smtp.port);
  const sender = openMailSender(config);
  const base = await receiptData();
  for (const text of ATTACKS) {
    for (const kind of ["receipt", "late", "unmatched", "endpoint_disabled", "digest"] as const) {
      const data = {
        ...base,
        ...{ reference: text, currency: text.slice(0, 20), reason: text, host: text, endpoint: 1, count: 1 },
        ...{ day: "2026-01-01", events: [], credited: [] },
        deposits: [{ id: 1, network: "bep20", token: "usdt", amount: "1", reason: "other_token" }],
      };
      const mail: ClaimedMail = {
        ...{ id: 1, env: "live", kind, recipient: "ada@example.com", data, token: crypto.randomUUID() },
        ...{ senderDomain: "example.com", attempt: 1, createdAt: START, merchantName: text, support: text },
      };
      const message = composeMail(mail, config, []);
      const limits = { timeoutMs: 10_000, signal: new AbortController().signal };
      assert.equal((await sender.send(message, limits)).kind, "sent", `${kind} ${JSON.stringify(text)}`);
      const raw = smtp.accepted.at(-1)!;
      const [head = ""] = raw.split("\r\n\r\n");
      const names = head
        .split("\r\n")
        .filter((line) => !/^\s/.test(line))
        .map((line) => line.split(":")[0]!.toLowerCase());
      assert.deepEqual(names.sort(), [
        ...["auto-submitted", "content-type", "date", "from", "list-unsubscribe", "list-unsubscribe-post"],
        ...["message-id", "mime-version", "subject", "to"],
      ]);
      assert.match(head, /^To: ada@example\.com$/m);
      const html = String(message.html);
      const tags = [...html.matchAll(/<\/?([a-z!][a-z0-9]*)/gi)].map(([, tag]) => tag!.toLowerCase());
      const allowed = "!doctype html head meta title body div p table tr td a".split(" ");
      assert.deepEqual(
        [...new Set(tags)].filter((tag) => !allowed.includes(tag)),
        [],
      );
      assert.doesNotMatch(html, /href="(?!https:\/\/)/);
      assert.ok(String(message.subject).length < 700);
      // A text is one line, so that it cannot imitate another line.
      assert.doesNotMatch(String(message.text), /^(?:Bcc|Content-Type|X):/m);
    }
  }
});

test("an answer to a receipt goes to the merchant's support address, if it is one", async () => {
  await paidLink("ada@example.com");
  const [mail] = (await claim()).filter(({ kind }) => kind === "receipt");
  const replyTo = (support: string | null) => composeMail({ ...mail!, support }, mailConfig(1), []).replyTo;
  assert.deepEqual(replyTo("help@shop.example"), { name: "", address: "help@shop.example" });
  for (const other of [null, "+44 20 7946 0000", "https://shop.example/help"])
    assert.equal(replyTo(other), undefined);
});

test("an address that is not one plain address gets no receipt", async () => {
  for (const email of ["a@b.example,c@d.example", "a@localhost", "<a@b.example>", "a b@c.example"]) {
    await paidLink(email);
  }
  assert.deepEqual([...new Set(await kinds())], ["paid shop@example.com"]);
});

/** The page of unsubscribe addresses, over HTTP. */
async function aStopPage() {
  const server = createServer((request, response) =>
    answerMailStop({ database: world.database, log: pino({ level: "silent" }) }, request, response),
  ).listen(0, "127.0.0.1");
  await until("the server", () => server.listening);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ask: (path: string, init?: RequestInit) => fetch(`${url}${path}`, init),
    close: () => server.close(),
  };
}

test("the unsubscribe address stops a payer's receipts of this merchant, by one click, and never by being opened", async (t) => {
  const page = await aStopPage();
  t.after(page.close);
  await paidLink("Ada@example.com");
  const receipt = (await rows()).find(({ kind }) => kind === "receipt")!;
  const path = `/mail/${receipt.token}`;
  const message = composeMail((await claim()).find(({ kind }) => kind === "receipt")!, mailConfig(1), []);
  assert.deepEqual(message.list, { unsubscribe: { url: `https://pay.example.com${path}`, comment: "" } });
  const shown = await page.ask(path);
  assert.match(await shown.text(), /<form method="post"><button [^>]*>No more receipts of Shop<\/button>/);
  assert.match(shown.headers.get("content-security-policy")!, /^default-src 'none'/);
  await page.ask(path, { method: "HEAD" });
  assert.equal(await world.db.$count(mailStops), 0);
  for (let twice = 0; twice < 2; twice++) {
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    const stopped = await page.ask(path, { method: "POST", body });
    assert.match(await stopped.text(), /You get no more receipts of Shop by mail\./);
  }
  await world.db.delete(mails);
  await paidLink("ADA@EXAMPLE.COM");
  assert.deepEqual(await kinds(), ["paid shop@example.com"]);
});

test("the unsubscribe address of a merchant's mail switches its kind off, and shows names escaped", async (t) => {
  const page = await aStopPage();
  t.after(page.close);
  await paidLink("ada@example.com");
  const name = '<script>alert(1)</script>"';
  await world.db.update(merchants).set({ name }).where(eq(merchants.id, world.owner.merchantId));
  for (const mail of await rows()) {
    assert.doesNotMatch(await (await page.ask(`/mail/${mail.token}`)).text(), /<script/);
  }
  await world.db.update(merchants).set({ name: "Shop" });
  const paid = (await rows()).find(({ kind }) => kind === "paid")!;
  const answer = await page.ask(`/mail/${paid.token}`, { method: "POST" });
  assert.match(await answer.text(), /Mails about paid payment links are switched off\./);
  const { kinds: left } = await getMailSettings(world.db, world.owner);
  assert.deepEqual(left, ["receipt", "underpaid", "late", "unmatched", "endpoint_disabled"]);
});

test("an unknown or malformed token is not found, and other methods are refused", async (t) => {
  const page = await aStopPage();
  t.after(page.close);
  for (const token of [crypto.randomUUID(), "1", "", "%27%20or%201=1", `${crypto.randomUUID()}x`]) {
    assert.equal((await page.ask(`/mail/${token}`, { method: "POST" })).status, 404, token);
  }
  assert.equal((await page.ask(`/mail/${crypto.randomUUID()}`, { method: "DELETE" })).status, 405);
});

test("the digest is made once for each day, also by two workers, and lists what happened", async () => {
  const now = new Date();
  const { merchantId, env } = world.owner;
  const owner = { merchantId, env };
  await world.db.transaction((tx) =>
    changeMailSettings(tx, owner, { off: ["paid", "receipt"], on: ["digest"] }, now),
  );
  await makeDigests(world.db, now);
  assert.deepEqual(await rows(), [], "the day is not over");
  const deposit = (value: string) => ({
    ...{
      ref: "1",
      status: 1 as const,
      genesis: 0 as const,
      email: "shop@example.com",
      value,
      network: "bep20",
      token: "usdt",
    },
    ...{ address: "0x1", sender: null, extra: null, tx_hash: "0x2", output_pos: null, customer: null },
    ...{
      total_received: value,
      created_at: "",
      updated_at: "",
      deleted_at: null,
      environment: env,
      refid: null,
    },
  });
  for (const value of ["1.10", "20", "0.000000000000000001"]) {
    const event = { ...owner, type: "deposit_credited" as const, data: deposit(value), txHashes: [] };
    await world.db.transaction((tx) => emitEvent(tx, event, now));
  }
  const tomorrow = new Date(now.getTime() + 86_400_000);
  await Promise.all([makeDigests(world.db, tomorrow), makeDigests(world.db, tomorrow)]);
  await makeDigests(world.db, tomorrow);
  assert.deepEqual(await kinds(), ["digest shop@example.com"]);
  const { text, subject } = parts((await claim(tomorrow))[0]!);
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
  const again = () => world.db.transaction((tx) => resendMail(tx, left!.id, now));
  assert.deepEqual([await again(), await again()], [{ ok: true }, { ok: false, reason: "mail_not_failed" }]);
  assert.equal((await claim(now)).length, 1);
  assert.equal(messageIdOf("Message-ID: <a@b>\r\n"), "a@b");
});
