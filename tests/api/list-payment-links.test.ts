import assert from "node:assert/strict";
import { test } from "node:test";
import { desc, eq, sql } from "drizzle-orm";
import { listLinkRows } from "#lib/domain/payment-links/queries.ts";
import { searchLinkIds } from "#lib/domain/payment-links/search/search-queries.ts";
import { readSearch } from "#lib/domain/payment-links/search/search-text.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import type { RequestBody, RequestQuery } from "#packages/client/src/client.ts";
import { startTestApi } from "#tests/support/api.ts";
import { aDeposit } from "#tests/support/deposits.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { PAYMENT_LINK, paymentLinkForm } from "#tests/support/payment-link.ts";
import { planOf } from "#tests/support/plan-of.ts";
import { LAST_PAGE, refused, succeeded, successOf } from "#tests/support/says.ts";

/** Links that the query plans are made for. The plans are the same for a million. */
const PLAN_LINKS = Number(process.env.PLAN_LINKS || 20_000);
const NOW = new Date("2026-03-01T12:00:00.250Z");
const { database } = await databaseOfFile({ isNew: true });
const api = await startTestApi({ database, now: () => NOW });
const { db } = api.database;
const merchant = await api.merchant();
type Query = RequestQuery<"/payment-links">;
interface Page {
  readonly data: readonly { readonly refid: string }[];
  readonly meta: { readonly next_cursor: string | null };
}
type NewLink = RequestBody<"/payment-links">;
const list = (query: Query = {}, by = merchant.test) =>
  api.client(by).GET("/payment-links", { params: { query } });
const send = (query: string, key = merchant.test) => api.send({ path: `/payment-links${query}`, key });
const lists = (answer: Awaited<ReturnType<typeof list>>, data: unknown[], meta: object = {}) =>
  succeeded(answer, "payment links retrieved successfully", data, { ...LAST_PAGE, ...meta });

async function newLink(changes: Partial<NewLink> = {}, by = merchant.test) {
  const body = { ...PAYMENT_LINK, ...changes };
  return successOf(await api.client(by).POST("/payment-links", { body })).data;
}
/** Adds so many open copies of a link without wallets. `changes`: columns as SQL of the link and the number `n`. */
async function copyLink(refid: string, name: string, count: number, changes: Record<string, string>) {
  const same = [
    "merchant_id",
    "env",
    "customer_id",
    "customer_email",
    "customer_first_name",
    "customer_last_name",
  ];
  same.push("payment_reference", "amount", "currency", "success_url", "cancel_url", "expires_at");
  const columns = {
    ...Object.fromEntries(same.map((column) => [column, column])),
    refid: `'${name}' || lpad(n::text, ${22 - name.length}, '0')`,
    wallet_pre_generated: "false",
    state: "'open'",
    ...changes,
  };
  await db.execute(`insert into payment_links (${Object.keys(columns).join()}) select ${Object.values(columns).join()}
    from payment_links, generate_series(1, ${count}) n where refid = '${refid}'`);
}
/** Gives every fifth of the merchant's links an address and a deposit. */
async function payLinks(merchantId: number) {
  await db.execute(sql`
    with key as (insert into account_keys (env, key) values ('test', 'plan') returning id),
      made as (
        insert into addresses (env, network, address, account_key_id, index, path, merchant_id, purpose)
        select 'test', 'bep20', '0x' || lpad(to_hex(l.id), 40, '0'), key.id, l.id, 'm', ${merchantId}, 'payment_link'
        from key, payment_links l where l.merchant_id = ${merchantId} and l.id % 5 = 0 returning id, index),
      wallets as (
        insert into payment_link_wallets (payment_link_id, network, token, address_id)
        select index, 'bep20', 'usdt', id from made)
    insert into deposits (env, network, token, merchant_id, address_id, tx_hash, position, amount, status, block_height,
      required_confirmations, first_seen_at)
    select 'test', 'bep20', 'usdt', ${merchantId}, id, '0x' || lpad(to_hex(id), 64, '0'), 0, 1, 1, 1, 1, now() from made`);
}
const refids = async (query: Query = {}, by = merchant.test) =>
  successOf(await list(query, by)).data.map(({ refid }) => refid);

test("lists every link complete, newest first, with exact amounts and unchanged metadata", async () => {
  const METADATA = '{ "order" : 1001.00 }';
  // Only a form keeps the exact text of the metadata.
  const form = paymentLinkForm({ metadata: METADATA });
  const sent = await api.send({ path: "/payment-links", form, key: merchant.test });
  const plain = (sent.body as { data: { refid: string } }).data;
  const awaiting = await newLink({
    payment_reference: "ORDER1002",
    wallets: [{ network: "bep20", token: "USDT" }],
  });
  const common = {
    amount_required: "25000.5",
    amount_currency: "ngn",
    expires_at: "2026-03-01T14:00:01Z",
    seq: 0,
    late: false,
    reason: null,
    created_at: "2026-03-01T12:00:00.250Z",
    completed_at: null,
    customer_details: { email: "ada@example.com", first_name: "Ada", last_name: "Obi", phone: null },
    success_url: "https://shop.example.com/thanks",
    cancel_url: "https://shop.example.com/cart",
    description: null,
  };
  const response = await list({ count: "1", metadata: "1" });
  const [first] = successOf(response).data;
  lists(
    response,
    [
      {
        ...common,
        refid: awaiting.refid,
        payment_reference: "ORDER1002",
        payment_link: `https://pay.example.com/${awaiting.refid}`,
        wallets: [{ address: awaiting.wallets[0]!.address, network: "bep20", token: "USDT" }],
        wallet_pre_generated: 1,
        state: "awaiting",
        version: first!.version,
        metadata: null,
      },
      {
        ...common,
        refid: plain.refid,
        payment_reference: "ORDER1001",
        payment_link: `https://pay.example.com/${plain.refid}`,
        wallets: [],
        wallet_pre_generated: 0,
        state: "open",
        version: 1,
        metadata: { order: 1001 },
      },
    ],
    { total: 2 },
  );
  const { text } = await send("?count=1&metadata=1");
  assert.ok(text.includes(`"metadata":${METADATA}`), text);
  assert.ok(text.includes('"amount_required":25000.50,') || text.includes('"amount_required":25000.5,'));
});

test("a page has no metadata unless asked for, at most 1 MiB, and nothing is repeated or left out", async () => {
  const { test: by } = await api.merchant();
  const one = await newLink({}, by);
  const MANY = 700;
  await copyLink(one.refid, "large", MANY, {
    success_url: "success_url || '/' || repeat('x', 1900)",
    cancel_url: "cancel_url || '/' || repeat('y', 1900)",
    metadata: `'"' || repeat('m', 8190) || '"'`,
  });
  for (const metadata of ["", "1"]) {
    const seen = new Set<string>();
    let rows = 0;
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { text, body } = await send(`?metadata=${metadata}&cursor=${cursor}`, by);
      assert.ok(Buffer.byteLength(text) <= 2 ** 20, `${Buffer.byteLength(text)} bytes`);
      assert.equal(text.includes("mmmm"), metadata === "1");
      const page = body as Page;
      rows += page.data.length;
      for (const { refid } of page.data) seen.add(refid);
      cursor = page.meta.next_cursor;
    }
    assert.equal(rows, MANY + 1);
    assert.equal(seen.size, MANY + 1);
  }
  refused(await send("?metadata=yes"), 400, "(metadata) must be 0 or 1");
});

/** Asserts that no step of the plan read more rows. */
function readsAtMost(most: number, plan: string): void {
  const read = [...plan.matchAll(/actual rows=([0-9.]+)[^\n]* loops=([0-9]+)/g)];
  assert.ok(read.length > 0 && read.every(([, rows, loops]) => Number(rows) * Number(loops) <= most), plan);
}

test("is in the order of created_at and id on every page, also where ids are in another order", async () => {
  const owner = await api.merchant();
  const { id: merchantId, test: by } = owner;
  const one = await newLink({}, by);
  // Links of the same and of other times, with ids in no order: as several processes create them at the same time.
  const state = "case when n % 2 = 0 then 'completed' else 'open' end";
  await copyLink(one.refid, "order", 60, {
    state,
    created_at: "created_at + (n * 7 % 10) * interval '1 ms'",
  });
  const rows = await db
    .select({ refid: paymentLinks.refid, state: paymentLinks.state })
    .from(paymentLinks)
    .where(eq(paymentLinks.merchantId, merchantId))
    .orderBy(desc(paymentLinks.createdAt), desc(paymentLinks.id));
  for (const status of [undefined, "completed"] as const) {
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: Page = successOf(await list({ limit: 7, cursor, ...(status && { status }) }, by));
      seen.push(...page.data.map(({ refid }) => refid));
      cursor = page.meta.next_cursor;
    }
    const expected = rows.filter(({ state }) => status === undefined || state === status);
    assert.deepEqual(
      seen,
      expected.map(({ refid }) => refid),
    );
  }
  // For every page and filter an index has the order, so that no list is sorted or read whole.
  await copyLink(one.refid, "many", PLAN_LINKS, {
    state: "(array['completed', 'open', 'completed', 'overpaid'])[n % 4 + 1]",
    paid_network: "(array['trc20', null, 'trc20', 'bep20'])[n % 4 + 1]",
    paid_token: "case when n % 4 <> 1 then 'usdt' end",
    payment_reference: "'REF' || n % 20",
    created_at: "created_at + n * interval '1 ms'",
  });
  // A search reads more tables than the links. What is expected of an empty one would depend on the size of its file.
  await payLinks(merchantId);
  await db.execute(sql`analyze`);
  const filter = { merchantId, env: "test", state: null, paymentReference: null } as const;
  const paidBy = { network: "trc20", token: "usdt" } as const;
  for (const [index, which] of [
    // Almost all links are this merchant's, so that both indexes serve its list.
    ["payment_links_(merchant|newest)", filter],
    // The operator's list of all merchants.
    ["payment_links_newest", { ...filter, merchantId: null }],
    ["payment_links_state", { ...filter, state: "completed" }],
    ["payment_links_reference", { ...filter, paymentReference: "REF4" }],
    ["payment_links_paid", { ...filter, paidBy }],
    // A state and a pair that many links have, but none has both.
    ["payment_links_paid_state", { ...filter, paidBy, state: "overpaid" }],
    ["payment_links_email", { ...filter, customerEmail: "nobody@example.com" }],
  ] as const) {
    for (const before of [null, { createdAt: new Date(NOW.getTime() + PLAN_LINKS / 2), id: 5 }]) {
      const plan = await planOf(api.database, (watched) =>
        listLinkRows(watched, which, { before, limit: 501 }),
      );
      assert.match(plan, new RegExp(`Scan Backward using ${index} `), plan);
      assert.doesNotMatch(plan, /Sort|Rows Removed by Filter: [1-9][0-9]{3}/, plan);
      readsAtMost(600, plan);
    }
  }
  // Few links have the amount or the form: they are read by it. All of them have it: the newest are read.
  const { rows: forms } = await db.execute<{ id: string }>(sql`
    insert into forms (code, merchant_id, env, title, currency, suggested_amounts, ask, fields, max_quantity, payment_reference)
    values ('plan', ${merchantId}, 'test', 'Plan', 'ngn', '[]', '[]', '[]', 1, 'PLAN') returning id`);
  const formId = Number(forms[0]?.id);
  await copyLink(one.refid, "made", 30, {
    amount: "98765000 + n",
    form_id: String(formId),
    created_at: "created_at - n * interval '1 s'",
  });
  await db.execute(sql`analyze`);
  for (const [index, which] of [
    ["currency_amount", { amount: { currency: "ngn", least: 98_765_001n, most: null } }],
    // A currency that no link has.
    ["currency_amount", { amount: { currency: "kwd", least: 1n, most: null } }],
    ["form(_newest)?", { seller: { kind: "form", id: formId } }],
  ] as const) {
    const plan = await planOf(api.database, (watched) =>
      listLinkRows(watched, { ...filter, ...which }, { before: null, limit: 501 }),
    );
    assert.match(plan, new RegExp(`payment_links_${index} `), plan);
    readsAtMost(600, plan);
  }
  const unpaid = await planOf(api.database, (watched) =>
    listLinkRows(watched, { ...filter, paidBy, state: "open" }, { before: null, limit: 501 }),
  );
  assert.match(unpaid, /One-Time Filter: false/, "an open link was completed by no payment");
  // A search reads about a page for each thing that its text may be, even where every link has the same customer.
  const { customer_email: email, customer_last_name: lastName } = (
    await db.execute<Record<string, string>>(sql`select * from payment_links where refid = ${one.refid}`)
  ).rows[0] as Record<string, string>;
  const all = ["REF", String(email).slice(0, 5)];
  for (const text of [
    one.refid,
    "REF4",
    email,
    lastName,
    `${lastName} Nobody`,
    "f".repeat(64),
    "0x".padEnd(42, "1"),
    // The first characters, of all links and of none.
    ...all.map((begins) => ({ begins })),
    { begins: "nobody@" },
    { begins: "ffffff" },
    { begins: "0x1111" },
    { begins: "987654.5" },
  ])
    for (const state of [null, "completed"] as const) {
      // Few references and e-mail addresses are sorted as a whole (old-matches.test.ts).
      if (state === null && typeof text === "object" && all.includes(text.begins)) continue;
      const plan = await planOf(api.database, (watched) => {
        const terms = readSearch(text ?? "");
        assert.ok(terms !== null);
        return searchLinkIds(watched, { ...filter, state }, terms, { before: null, limit: 501 });
      });
      assert.doesNotMatch(plan, /Seq Scan on (?:payment_links|deposits|addresses)/, plan);
      readsAtMost(1_600, plan);
      if (state === null) assert.doesNotMatch(plan, /Rows Removed by Filter: [1-9][0-9]{3}/, plan);
    }
});

test("finds links by refid, reference, e-mail address, names, hash and address, of its own merchant alone", async () => {
  const by = await api.merchant();
  const customer = { email: "Chi@Example.com", first_name: "Chi", last_name: "Ngozi Eze" };
  const wallets = [{ network: "bep20", token: "USDT" }] as const;
  const terms = { customer_details: customer, payment_reference: "FIND1", wallets: [...wallets] };
  const link = await newLink(terms, by.test);
  await newLink({ payment_reference: "OTHER1" }, by.test);
  const address = link.wallets[0]?.address ?? "";
  const hash = `0x${"ab".repeat(32)}`;
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from addresses where lower(address) = lower(${address})`,
  );
  await aDeposit(db, Number(rows[0]?.id), { txHash: hash });
  const texts = [
    link.refid,
    "FIND1",
    "chi@example.COM",
    "chi",
    " NGOZI eze ".trim(),
    "Chi Ngozi Eze",
    address,
  ];
  for (const search of [...texts, address.toLowerCase(), hash, hash.slice(2).toUpperCase()]) {
    assert.deepEqual(await refids({ search }, by.test), [link.refid], search);
    assert.deepEqual(await refids({ search }), [], `another merchant: ${search}`);
  }
  const firsts = [
    "FIN",
    "chi@",
    "CH",
    "ngozi e",
    "Chi Ngo",
    "160",
    address.slice(0, 8),
    hash.slice(0, 8),
    hash.slice(2, 9),
  ];
  const owner = { env: "test", state: null, paymentReference: null } as const;
  const page = { before: null, limit: 10 };
  for (const begins of firsts) {
    const of = (merchantId: number) => {
      const terms = readSearch({ begins });
      assert.ok(terms !== null);
      return searchLinkIds(db, { ...owner, merchantId }, terms, page);
    };
    assert.equal((await of(by.id)).length, begins === "160" ? 0 : 1, begins);
    assert.deepEqual(await refids({ search: begins }, by.test), [], `a program finds whole texts: ${begins}`);
  }
  assert.deepEqual(await refids({ search: "FIND1", status: "completed" }, by.test), []);
  assert.deepEqual(await refids({ search: "FIND1", payment_reference: "OTHER1" }, by.test), []);
  for (const search of ["find1", "ez", "%", "' or 1=1 --", "x".repeat(511)])
    assert.deepEqual(await refids({ search }, by.test), [], search);
  refused(await send(`?search=${"x".repeat(512)}`), 400, "(search) is too long");
});

test("filters by status and payment_reference, separately and together, and counts", async () => {
  const paid = await newLink({ payment_reference: "PAID1" });
  await newLink({ payment_reference: "PAID1" });
  await db.update(paymentLinks).set({ state: "completed" }).where(eq(paymentLinks.refid, paid.refid));
  assert.deepEqual(await refids({ status: "completed" }), [paid.refid]);
  assert.equal((await refids({ payment_reference: "PAID1" })).length, 2);
  assert.deepEqual(await refids({ payment_reference: "PAID1", status: "completed" }), [paid.refid]);
  const { meta } = successOf(await list({ status: "completed", count: "1" }));
  assert.deepEqual(meta, { has_more: false, next_cursor: null, total: 1 });
  lists(await list({ status: "expired" }), []);
  lists(await list({ payment_reference: "NONE" }), []);
  const { body } = await send("?status=&payment_reference=");
  assert.equal((body as { data: unknown[] }).data.length, 4);
});

const STATES = "status must be open, awaiting, partial, detected, completed, overpaid, failed or expired";
const REFERENCE = "payment_reference must be 1 to 20 letters and digits";
for (const [query, message] of [
  ["status=paid", STATES],
  ["status=0", STATES],
  ["status=Open", STATES],
  ["payment_reference=a-b", REFERENCE],
  ["payment_reference=%00", REFERENCE],
  [`payment_reference=${"A".repeat(21)}`, REFERENCE],
] as const) {
  test(`refuses ?${query}`, async () => refused(await send(`?${query}`), 400, message));
}
