/** Refund claims over the API: made without an address, listed, revoked; and amounts that are words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mails } from "#lib/domain/mail/tables.ts";
import { refundClaims } from "#lib/domain/withdrawals/claims/tables.ts";
import { startTestApi } from "#tests/support/api.ts";
import { keepSecrets } from "#tests/support/kept-logs.ts";
import { refused, successOf } from "#tests/support/says.ts";
import { answerAsPayer, DESTINATION, fund, USDT } from "#tests/support/withdrawals.ts";
import { aPaidLink } from "./paid-link.ts";

const base = { paymentUrl: "https://pay.example.com", quoteMinutes: 20, confirmGraceHours: 24 };
const api = await startTestApi({ settings: { ...base, sendsMail: true } });
const mailless = await startTestApi();
const { db, database } = api.database;
const { networks } = api.services;
const merchant = await api.merchant();
const rival = await api.merchant();
await fund(db, networks.find("test", "bep20")!, merchant.id, 1_000n * USDT);

let keys = 0;
const nextKey = () => `key-${++keys}`;
type Fields = Readonly<Record<string, string | number>>;

/** Any fields, also those that the types of the client refuse. */
const send = (refid: string, fields: Fields = {}, { key = merchant.test, once = nextKey(), at = api } = {}) =>
  at.send({
    method: "POST",
    path: `/payment-links/${refid}/refunds`,
    key,
    headers: { "idempotency-key": once },
    json: { network: "bep20", token: "usdt", amount: "5", ...fields },
  });
const list = (refid: string, key = merchant.test) =>
  api.client(key).GET("/payment-links/{refid}/refund-claims", { params: { path: { refid } } });
const revoke = (refid: string, claim: string, key = merchant.test) =>
  api.client(key).DELETE("/payment-links/{refid}/refund-claims/{claim}", {
    params: { path: { refid, claim } },
  });
const ABOVE = "amount is above what was credited and not refunded yet";
const NO_EXCESS = "nothing that was paid too much is left on this network and in this token";

/** Makes a claim with the typed client. */
async function claim(refid: string, amount = "5", once = nextKey()) {
  const answer = await api.client(merchant.test).POST("/payment-links/{refid}/refunds", {
    params: { path: { refid }, header: { "idempotency-key": once } },
    body: { network: "bep20", token: "usdt", amount, note: "Sorry" },
  });
  const { data } = successOf(answer);
  const { claim: id, created_at, expires_at } = data;
  assert.ok(id !== undefined && expires_at !== undefined);
  return { ...data, claim: id, created_at, expires_at };
}

test("a claim is made once, its URL is answered again, and is in no table of the database", async () => {
  const link = await aPaidLink(api, merchant, 10n);
  const once = nextKey();
  const made = await claim(link, "5", once);
  const { claim: id, refund_url, created_at, expires_at, ...rest } = made;
  assert.match(refund_url ?? "", /^https:\/\/pay\.example\.com\/refund\/[0-9a-f]{32}$/);
  const secret = refund_url?.split("/").at(-1) ?? "";
  keepSecrets(secret);
  assert.equal(Date.parse(expires_at) - Date.parse(created_at), 30 * 86_400_000);
  assert.deepEqual(rest, {
    ...{ state: "open", network: "bep20", token: "usdt", amount: "5", note: "Sorry", mailed: 0 },
    ...{ withdrawal: null, problem: null },
  });
  const again = await Promise.all(Array.from({ length: 5 }, () => claim(link, "5", once)));
  await db.execute("delete from idempotency_keys");
  for (const one of [...again, await claim(link, "5", once)]) assert.deepEqual(one, made);
  const other = { network: "bep20", token: "usdt", amount: "6" };
  refused(await send(link, other, { once }), 409, "idempotency key already used with a different request");
  const { rows } = await database.pool.query(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  for (const { name } of rows as { name: string }[]) {
    const found = await database.pool.query(`select count(*) as n from "${name}" t where t::text like $1`, [
      `%${secret}%`,
    ]);
    assert.equal(Number(found.rows[0].n), 0, name);
  }
  const path = `/payment-links/${link}/refunds`;
  const without = await api.send({ path, json: other, key: merchant.test });
  refused(without, 400, "idempotency key is required");
});

test("claims and refunds together never exceed what was credited, and only their merchant revokes a claim, once", async () => {
  const link = await aPaidLink(api, merchant, 10n);
  const first = await claim(link, "6");
  refused(await send(link, { amount: "5" }), 422, ABOVE);
  refused(await send(link, { amount: "5", to: DESTINATION }), 422, ABOVE);
  // "all" is what the claim leaves.
  const rest = await send(link, { amount: "all", to: DESTINATION });
  assert.equal((rest.body as { data: { value: number } }).data.value, 4);
  refused(await send(link, { amount: "all" }), 422, ABOVE);
  const listed = successOf(await list(link)).data;
  const { refund_url: _, ...record } = first;
  assert.deepEqual(listed, [record]);
  const unknown = "refund claim not found";
  const another = await aPaidLink(api, merchant, 1n);
  refused(await revoke(link, String(first.claim), rival.test), 404, unknown);
  refused(await revoke(another, String(first.claim)), 404, unknown);
  for (const bad of ["0", "x", "99999999", "1e3"]) refused(await revoke(link, bad), 404, unknown);
  const revoked = successOf(await revoke(link, String(first.claim))).data;
  assert.deepEqual(revoked, { ...record, state: "revoked" });
  refused(await revoke(link, String(first.claim)), 409, "refund claim was used or revoked, or has expired");
});

test("what was paid too much is refunded once, however many ask for it at the same time, and with a claim, too", async () => {
  const link = await aPaidLink(api, merchant, 15n);
  await database.pool.query(
    `with paid as (update payment_links set state = 'overpaid' where refid = $1 returning id)
      update payments p set announced = 'completed', quote_id = q.id
      from paid join quotes q on q.payment_link_id = paid.id where p.payment_link_id = paid.id`,
    [link],
  );
  const once = nextKey();
  const claimed = await claim(link, "excess", once);
  const over = Number(claimed.amount);
  assert.ok(over > 1 && over < 6, `${over} of 15 is too much for a link of 10`);
  assert.deepEqual(await claim(link, "excess", once), claimed);
  refused(await send(link, { amount: "excess", to: DESTINATION }), 422, NO_EXCESS);
  successOf(await revoke(link, String(claimed.claim)));
  const direct = { amount: "excess", to: DESTINATION };
  const keys = Array.from({ length: 5 }, nextKey);
  const asked = await Promise.all(keys.map((key) => send(link, direct, { once: key })));
  const made = asked.flatMap(({ status }, at) => (status === 200 || status === 201 ? [at] : []));
  assert.equal(made.length, 1);
  const [first = 0] = made;
  assert.deepEqual((await send(link, direct, { once: keys[first] ?? "" })).body, asked[first]?.body);
  for (const [at, answer] of asked.entries()) if (at !== first) refused(answer, 422, NO_EXCESS);
  const left = await send(link, { amount: "all", to: DESTINATION });
  assert.equal((left.body as { data: { value: number } }).data.value, 15 - over);
});

test("a used claim names its withdrawal, and a repeated request answers no URL any more", async () => {
  const link = await aPaidLink(api, merchant, 10n);
  const once = nextKey();
  const { refund_url } = await claim(link, "10", once);
  const secret = refund_url?.split("/").at(-1) ?? "";
  keepSecrets(secret);
  assert.ok((await answerAsPayer({ db, networks }, { secret })).ok);
  const { refund_url: url, state, withdrawal } = await claim(link, "10", once);
  assert.deepEqual([url, state], [null, "used"]);
  assert.match(withdrawal ?? "", /^[1-9][0-9]{15}$/);
});

test("each refusal has its text and makes no claim", async () => {
  const link = await aPaidLink(api, merchant, 10n);
  const unpaid = await aPaidLink(api, merchant, 0n);
  const before = await db.$count(refundClaims);
  const NOTHING = "nothing is credited for this payment link on this network and in this token";
  for (const [refid, fields, status, message] of [
    [unpaid, {}, 422, NOTHING],
    [link, { network: "trc20" }, 422, NOTHING],
    [link, { amount: "10.5" }, 422, ABOVE],
    [link, { amount: "excess" }, 422, NO_EXCESS],
    [link, { amount: "excess", to: DESTINATION }, 422, NO_EXCESS],
    [link, { amount: "everything" }, 400, "(amount) must be a number"],
    [link, { amount: "0" }, 400, "amount must be greater than 0"],
    [link, { amount: "0.01" }, 422, "amount is below the smallest withdrawal"],
    [link, { amount: "1e-30" }, 400, "amount has too many decimals"],
    [link, { note: "x".repeat(301) }, 400, "note must be plain text of at most 300 characters"],
    [link, { note: "a\nb" }, 400, "note must be plain text of at most 300 characters"],
    [link, { mail: 2 }, 400, "(mail) must be 0 or 1"],
    ["nothing", {}, 404, "refid details not found"],
  ] as const)
    refused(await send(refid, fields as Fields), status, message);
  refused(await send(link, {}, { key: rival.test }), 404, "refid details not found");
  refused(await list(link, rival.test), 404, "refid details not found");
  assert.equal(await db.$count(refundClaims), before);
  const off = await mailless.merchant();
  const elsewhere = await aPaidLink(mailless, off, 10n);
  const answer = await send(elsewhere, { mail: 1 }, { key: off.test, at: mailless });
  refused(answer, 422, "mail is off, or the customer's address cannot receive this mail now");
});

test("a mail brings the claim to the customer, and holds no secret while it waits", async () => {
  const link = await aPaidLink(api, merchant, 10n);
  const made = await send(link, { mail: 1, note: "Sorry" });
  const { data } = made.body as { data: { refund_url: string; mailed: number } };
  const secret = data.refund_url.split("/").at(-1) ?? "";
  keepSecrets(secret);
  assert.equal(data.mailed, 1);
  const rows = await db.select().from(mails);
  assert.deepEqual(
    rows.map(({ kind, recipient }) => [kind, recipient]),
    [["refund_claim", "ada@example.com"]],
  );
  assert.ok(!JSON.stringify(rows).includes(secret));
});
