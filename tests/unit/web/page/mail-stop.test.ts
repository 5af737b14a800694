import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { pino } from "pino";
import { composeMail } from "#lib/domain/mail/compose-mail.ts";
import { getMailSettings } from "#lib/domain/mail/queries.ts";
import { mailStops, mails } from "#lib/domain/mail/tables.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { answerMailStop } from "#lib/web/page/mail-stop.ts";
import { mailConfig } from "#tests/support/smtp.ts";
import { openMailWorld } from "#tests/unit/domain/mail/mail-world.ts";

const { world, rows, kinds, claim, paidLink } = await openMailWorld();

/** The page of unsubscribe addresses, over HTTP. */
async function aStopPage() {
  const server = createServer((request, response) =>
    answerMailStop({ database: world.database, log: pino({ level: "silent" }) }, request, response),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
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

test("the unsubscribe address of a receipt in a language that is no longer offered works in English", async (t) => {
  const page = await aStopPage();
  t.after(page.close);
  await paidLink("ada@example.com");
  await world.db.execute(
    sql`update mails set data = jsonb_set(data, '{language}', '"pcm"') where kind = 'receipt'`,
  );
  const path = `/mail/${(await rows()).find(({ kind }) => kind === "receipt")!.token}`;
  assert.match(await (await page.ask(path)).text(), /<html lang="en" dir="ltr">.*No more receipts of Shop/s);
  const stopped = await page.ask(path, { method: "POST" });
  assert.match(await stopped.text(), /You get no more receipts of Shop by mail\./);
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
