/** The texts of mails. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { composeMail } from "#lib/domain/mail/compose-mail.ts";
import { openMailSender } from "#lib/domain/mail/send-mail.ts";
import type { ClaimedMail, LinkMailData } from "#lib/domain/mail/types.ts";
import { mailConfig, startSmtp } from "#tests/support/smtp.ts";
import { START } from "../payment-links/facts.ts";
import { openMailWorld, partsOf } from "./mail-world.ts";

const { rows, claim, paidLink } = await openMailWorld();

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

test("a receipt whose stored language is no longer offered is in English", async () => {
  await paidLink("ada@example.com");
  const mail = (await claim()).find(({ kind }) => kind === "receipt")!;
  const data = mail.data as LinkMailData;
  const english = partsOf({ ...mail, data: { ...data, language: "en" } });
  for (const language of ["ha", "yo", "ig", "pcm", "__proto__", "", null])
    assert.deepEqual(partsOf({ ...mail, data: { ...data, language } }), english, `${language}`);
});

test("no text of a merchant or payer reaches headers, recipients or HTML", async (t) => {
  const smtp = await startSmtp();
  t.after(() => smtp.close());
  const config = mailConfig(smtp.port);
  const sender = openMailSender(config);
  await paidLink("ada@example.com");
  const { data: base } = (await rows()).find(({ kind }) => kind === "receipt")!;
  const KINDS = ["receipt", "late", "unmatched", "endpoint_disabled", "digest"] as const;
  const attempts = ATTACKS.flatMap((text) => KINDS.map((kind) => ({ text, kind })));
  // At the same time: the server greets each connection after a tenth of a second.
  await Promise.all(attempts.map(({ text, kind }) => attack(text, kind)));

  async function attack(text: string, kind: (typeof KINDS)[number]): Promise<void> {
    const data = {
      ...base,
      ...{ reference: text, currency: text.slice(0, 20), reason: text, host: text, endpoint: 1, count: 1 },
      ...{ day: "2026-01-01", events: [], credited: [] },
      ...{ description: text, items: [{ name: text, quantity: 2, amount: "1" }] },
      deposits: [{ id: 1, network: "bep20", token: "usdt", amount: "1", reason: "other_token" }],
    };
    const mail: ClaimedMail = {
      ...{ id: 1, env: "live", kind, recipient: "ada@example.com", data, token: crypto.randomUUID() },
      ...{ senderDomain: "example.com", attempt: 1, createdAt: START, merchantName: text, support: text },
    };
    const message = composeMail(mail, config, []);
    const limits = { timeoutMs: 60_000, signal: new AbortController().signal };
    assert.equal((await sender.send(message, limits)).kind, "sent", `${kind} ${JSON.stringify(text)}`);
    const [head = ""] = smtp.accepted.find((raw) => raw.includes(mail.token))!.split("\r\n\r\n");
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
});

test("the mails about a link say what it is for, and a mail of an earlier version does not", async () => {
  const items = [
    { name: "Coffee", quantity: 2, amount: 9_050n },
    { name: "Delivery", quantity: 1, amount: 950n },
  ];
  await paidLink("ada@example.com", { description: "Coffee for Friday", items });
  const lines = ["Order: Coffee for Friday", "Item: 2 × Coffee: 90.50 USD", "Item: Delivery: 9.50 USD"];
  for (const mail of await claim()) {
    const { text, html } = partsOf(mail);
    for (const line of lines) assert.ok(text.split("\n").includes(line), `${mail.kind}: ${text}`);
    assert.ok(html.includes("2 × Coffee: 90.50 USD"), mail.kind);
    const { description, items, ...earlier } = mail.data as LinkMailData;
    assert.doesNotMatch(partsOf({ ...mail, data: earlier }).text, /Coffee|Item/);
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
