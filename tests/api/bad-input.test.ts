/**
 * Sends every operation of the OpenAPI document requests that no client should send. The response must
 * always be the envelope. It must never have a text that the document does not list (tests/support/api.ts
 * checks this for every response), be a 500, or contain data of another merchant. A refused request must
 * write nothing.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { addIpEntry } from "#lib/domain/merchants/ip-entries.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { startApi, type TestMerchant, type TestRequest, type TestResponse } from "#tests/support/api.ts";
import { aDeposit, evmHash } from "#tests/support/deposits.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { fund } from "#tests/support/fund.ts";
import { fillPath, listOperations, type Operation } from "#tests/support/operations.ts";
import { paymentLinkForm } from "#tests/support/payment-link.ts";
import { anAddress, anUnmatchedDeposit } from "#tests/support/unmatched.ts";

const api = await startApi();
after(() => api.close());
const { db, database } = api.database;
const merchant = await api.merchant("Attacker");
const victim = await api.merchant("Victim");
const testKey = { "x-staging-api-key": merchant.test };
/** What live and test share is changed with a live key, while there is an IP list. */
const liveKey = { "x-api-key": merchant.live };
await db.transaction((tx) =>
  addIpEntry(tx, merchant.email, { name: "here", address: "127.0.0.1" }, new Date()),
);
const shared = new Set(
  ENDPOINTS.filter(({ changes }) => changes === "merchant").map(({ operationId }) => operationId),
);
const operations = listOperations();

/** Values to try in any field, path or query. */
const TEXTS: readonly string[] = [
  ...["", " ", "0", "-0", "-1", "1e400", "1e-400", "NaN", "Infinity", "-Infinity", "0x10", " 1 ", "1,5", "٣"],
  ...[`0.${"1".repeat(30)}`, `1${"0".repeat(30)}`, "9007199254740993", "null", "true", "undefined"],
  ...["\0", "a\0b", "\ud800", "a\udc00", "\u202e", "🙂", "\r\n", "%", "%zz", "%00", "..", "../../etc/passwd"],
  ...[
    "[",
    "{",
    '"',
    "[]",
    "{}",
    "[[]]",
    "[null]",
    '{"__proto__":null}',
    '{"email":{}}',
    "__proto__",
    "constructor",
  ],
  ...["' or 1=1 --", "<script>", "https://[", "javascript:1", "2026-13-40T99:99Z", "0000-00-00"],
  ...["x".repeat(300), "9".repeat(5_000), "x".repeat(60_000), "[".repeat(20_000)],
];
/** JSON sources that are not valid texts. Lone surrogates represent a text that UTF-8 cannot encode. */
const SOURCES: readonly string[] = [
  ...[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1e400",
    "-1e400",
    "1e-400",
    `0.${"1".repeat(30)}`,
    "9007199254740993",
  ],
  ...["{}", "[]", "[[]]", "[null]", '{"a":{"b":{}}}', '[{"network":{},"token":[]}]', '{"__proto__":{"x":1}}'],
  ...['"\\u0000"', '"\\ud800"', '{"email":"\\ud800","first_name":"\\u0000","last_name":[]}'],
  ...[`${"[".repeat(20_000)}${"]".repeat(20_000)}`, `${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`],
];

let foreign: Record<string, string>;
let secrets: readonly string[];

before(async () => {
  await countChanges();
  foreign = await fillBooks(victim, 1);
  await fillBooks(merchant, 2);
  secrets = [victim.email, ...Object.values(foreign)];
});

/** Creates one record of every kind for a merchant. Returns their identifiers. */
async function fillBooks(owner: TestMerchant, n: number): Promise<Record<string, string>> {
  const adapter = api.services.networks.find("test", "bep20")!;
  const { id: addressId, address } = await anAddress(db, adapter, owner.id);
  const txHash = evmHash(0xabcdef00 + n);
  await aDeposit(db, addressId, { txHash, confirmations: 1, creditRound: 1 });
  await anUnmatchedDeposit(db, { addressId });
  await fund(db, { merchantId: owner.id, token: "usdt", amount: "1000" }, new Date());
  const made = await api.send({
    path: "/payment-links",
    form: paymentLinkForm({
      customer_details: JSON.stringify({ email: `c${n}@private.example`, first_name: "A", last_name: "B" }),
      wallets: '[{"network":"bep20","token":"USDT"}]',
    }),
    headers: { "x-staging-api-key": owner.test },
  });
  const { refid } = (made.body as { data: { refid: string } }).data;
  const event = { merchantId: owner.id, env: "test", type: "deposit_credited", txHashes: [txHash] } as const;
  await db.transaction(async (tx) => {
    await emitRawEvent(tx, { ...event, dataJson: "{}" }, new Date());
    await addIpEntry(tx, owner.email, { name: `office ${n}`, address: `10.0.0.${n}` }, new Date());
  });
  return {
    tx_hash: txHash,
    refid,
    address: adapter.displayAddress(address),
    customer: `c${n}@private.example`,
  };
}

/**
 * Counts the rows that come to or leave each table from now on, except tables that record refusals on purpose. The count
 * is part of the same transaction. To count whole tables after each of thousands of requests takes longer than the requests.
 */
async function countChanges(): Promise<void> {
  const { pool } = database;
  await pool.query(`create table changed_rows (name text primary key, count int not null)`);
  await pool.query(`create function count_change() returns trigger language plpgsql as $$ begin
    insert into changed_rows values (tg_table_name, 1)
      on conflict (name) do update set count = changed_rows.count + 1;
    return null; end $$`);
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'
     and table_name not in ('refused_attempts', 'changed_rows') and table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables) {
    await pool.query(`create trigger count_change after insert or delete on "${name}"
      for each row execute function count_change()`);
  }
}

/** How many rows came to or left each table. */
async function countRows(): Promise<Record<string, number>> {
  const { rows } = await database.pool.query<{ name: string; count: number }>({
    name: "count-rows",
    text: "select name, count from changed_rows",
  });
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

let rows: Record<string, number> = {};

/** Sends the request and asserts the promises above. */
async function drive(
  request: TestRequest,
  what: string,
  mayKnow: readonly string[] = [],
): Promise<TestResponse> {
  const response = await api.send(request);
  const body = response.body as Record<string, unknown>;
  const { status } = response;
  const notFound = body.message === "no webhook events found for the provided transaction";
  const said = `${what}: ${status} ${response.text.slice(0, 300)}`;
  assert.ok(status === 200 || (status >= 400 && status < 500) || status > 500 || notFound, said);
  if (status === 200) {
    assert.deepEqual(Object.keys(body).slice(0, 3), ["status", "message", "data"], said);
    assert.equal(body.status, "success", said);
  } else {
    assert.deepEqual(Object.keys(body), ["status", "message"], said);
    assert.ok(body.status === "fail" || body.message === "transaction_hash is required", said);
    assert.match(String(body.message), /^[^\p{Cc}\p{Cs}]{1,200}$/u, said);
    assert.doesNotMatch(String(body.message), /select|insert|zod|Error|undefined|at \/|node_modules/i, said);
  }
  // Forms and settings show what their merchant wrote, and tests below write the other's values (tests/api/forms.test.ts and
  // tests/api/merchant-settings.test.ts have the rest).
  const shown = /^\/(?:forms|merchant)/.test(request.path) ? secrets : mayKnow;
  for (const secret of secrets) {
    if (!shown.includes(secret))
      assert.ok(!response.text.includes(secret), `${what} contains ${secret} of another merchant`);
  }
  const now = await countRows();
  if (status !== 200) assert.deepEqual(now, rows, `${what} was refused but wrote something`);
  rows = now;
  return response;
}

const example = (operation: Operation) =>
  Object.fromEntries(operation.required.map((name) => [name, operation.fields.get(name)]));
const asText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const asForm = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, asText(value)]));
/** The operation with a path that exists. */
const goodPath = (operation: Operation) =>
  fillPath(operation.path, (name) => (name === "network" ? "bep20" : evmHash(0xabcdef02)));
const short = (text: string) =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}… (${text.length})` : text);

test("counts the rows that a request writes", async () => {
  const before = await countRows();
  await fillBooks(await api.merchant("Counted"), 3);
  const now = await countRows();
  for (const table of ["payment_links", "deposits", "webhook_events", "ip_entries"])
    assert.ok((now[table] ?? 0) > (before[table] ?? 0), table);
});

test("the document has every operation of the service interface", () => {
  assert.ok(operations.length >= 27, String(operations.length));
});

for (const operation of operations) {
  const { id, method } = operation;
  const path = goodPath(operation);
  const headers: Record<string, string> = shared.has(id) ? liveKey : testKey;
  const json = (source: string) => ({
    body: source,
    headers: { ...headers, "content-type": "application/json" },
  });
  const post = { method, path } as const;

  test(`${id}: refuses wrong keys`, async () => {
    rows = await countRows();
    const base = operation.hasBody ? { ...post, form: asForm(example(operation)) } : post;
    const refused = operation.needsKey ? 401 : 200;
    for (const [given, what] of [
      [{}, "no key"],
      [{ "x-api-key": merchant.test }, "a test key as live"],
      [{ "x-staging-api-key": merchant.live }, "a live key as test"],
      [{ "x-api-key": merchant.live, "x-staging-api-key": merchant.test }, "both"],
      [{ "x-staging-api-key": `${merchant.test} x` }, "a longer key"],
      [{ "x-staging-api-key": merchant.test.toUpperCase() }, "a key in capitals"],
      [{ "x-staging-api-key": "x".repeat(8_000) }, "a long key"],
      [{ "x-staging-api-key": "" }, "an empty key"],
      [{ authorization: `Bearer ${merchant.test}` }, "a bearer"],
    ] as const) {
      const response = await drive({ ...base, headers: given }, `${id} with ${what}`);
      assert.equal(response.status, refused, `${id} with ${what}`);
    }
  });

  test(`${id}: refuses wrong methods`, async () => {
    rows = await countRows();
    const taken = operations.filter((one) => one.path === operation.path).map((one) => one.method as string);
    for (const wrong of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      if (taken.includes(wrong)) continue;
      const response = await drive({ method: wrong, path, headers }, `${wrong} ${path}`);
      assert.equal(response.status, 405);
    }
  });

  if (operation.pathNames.length > 0) {
    test(`${id}: refuses bad path values`, async () => {
      rows = await countRows();
      const form = operation.hasBody ? { form: asForm(example(operation)) } : {};
      const raw = ["%00", "%ed%a0%80", "%ff", "%", "%2e%2e", "%2f", "a%2fb", "%E0%A4%A", "+", "*", "null"];
      const encoded = TEXTS.filter((text) => text.isWellFormed() && text.length < 10_000).map(
        encodeURIComponent,
      );
      for (const value of [...raw, ...encoded]) {
        // fetch removes a dot segment from the URL before it sends the request.
        if (/^(?:\.|%2e){1,2}$/i.test(value)) continue;
        await drive(
          { ...post, path: fillPath(operation.path, () => value), ...form, headers },
          `${id} of ${short(value)}`,
        );
      }
    });
  }

  test(`${id}: refuses bad query values`, async () => {
    rows = await countRows();
    const form = operation.hasBody ? { form: asForm(example(operation)) } : {};
    const strange = ["%ff", "%ed%a0%80", "%"];
    const texts = TEXTS.filter((text) => text.isWellFormed() && text.length < 10_000).map(encodeURIComponent);
    const asked = operation.queryNames.flatMap((name) =>
      [...texts, ...strange, `1&${name}=2`].map((value) => `${name}=${value}`),
    );
    const unasked = ["unknown", "__proto__", "%00", "%ff"].flatMap((name) => [`${name}=`, `${name}=%ff`]);
    for (const query of [...asked, ...unasked, "", "&&", "=1", "?", "#"]) {
      await drive({ ...post, path: `${path}?${query}`, ...form, headers }, `${id}?${short(query)}`);
    }
  });

  if (!operation.hasBody) continue;

  test(`${id}: refuses absent fields and bad values, in a form and in JSON`, async () => {
    rows = await countRows();
    for (const name of operation.required) {
      const { [name]: _, ...rest } = example(operation);
      const response = await drive({ ...post, json: rest, headers }, `${id} without ${name}`);
      assert.equal(response.status, 400);
      assert.ok(response.text.includes(name), response.text);
    }
    for (const name of operation.fields.keys()) {
      for (const value of TEXTS) {
        const fields = { ...example(operation), [name]: value };
        const what = `${id} ${name}=${short(value)}`;
        await drive({ ...post, form: asForm(fields), headers }, `form ${what}`);
        await drive({ ...post, json: fields, headers }, `json ${what}`);
      }
      for (const source of SOURCES) {
        const rest = Object.entries(example(operation)).filter(([other]) => other !== name);
        const members = [
          ...rest.map(([n, v]) => `${JSON.stringify(n)}:${JSON.stringify(v)}`),
          `"${name}":${source}`,
        ];
        await drive({ ...post, ...json(`{${members.join(",")}}`) }, `json ${id} ${name}: ${short(source)}`);
      }
    }
  });

  test(`${id}: refuses malformed bodies`, async () => {
    rows = await countRows();
    const good = JSON.stringify(example(operation));
    const [field = "x"] = operation.fields.keys();
    const always: [TestRequest, number][] = [
      [{ ...post, ...json(`${good}x`) }, 400],
      [{ ...post, ...json(`${good}${good}`) }, 400],
      [{ ...post, ...json("[".repeat(60_000)) }, 400],
      [{ ...post, ...json("[1]") }, 400],
      [{ ...post, ...json("null") }, 400],
      [{ ...post, ...json('"text"') }, 400],
      [{ ...post, ...json("{") }, 400],
      [{ ...post, ...json(`{"${field}":1,"${field}":2}`) }, 400],
      [{ ...post, ...json("{'a':1}") }, 400],
      [{ ...post, ...json("NaN") }, 400],
      [{ ...post, form: `${field}=1&${field}=2`, headers }, 400],
      [{ ...post, form: `${field}=%ff`, headers }, 400],
      [{ ...post, form: "%ff=1", headers }, 400],
      [{ ...post, form: `${field}=${"x".repeat(10_000_000)}`, headers }, 413],
      [{ ...post, ...json(`{"${field}":"${"x".repeat(10_000_000)}"}`) }, 413],
      [{ ...post, body: good, headers: { ...headers, "content-type": "text/plain" } }, 415],
      [
        { ...post, body: good, headers: { ...headers, "content-type": "multipart/form-data; boundary=x" } },
        415,
      ],
      [
        { ...post, body: good, headers: { ...headers, "content-type": "application/json; charset=utf-16" } },
        415,
      ],
      [
        {
          ...post,
          body: good,
          headers: { ...headers, "content-type": "application/json", "content-encoding": "gzip" },
        },
        415,
      ],
      [{ ...post, body: Uint8Array.of(0xff, 0xfe), headers: json("").headers }, 400],
    ];
    for (const [index, [request, status]] of always.entries()) {
      const response = await drive(request, `${id}, body ${index}`);
      assert.equal(response.status, status, `${id}, body ${index}: ${response.text}`);
    }
    const long = { ...headers, "idempotency-key": "k".repeat(256) };
    await drive(
      { ...post, form: asForm(example(operation)), headers: long },
      `${id}, a long idempotency key`,
    );
  });

  test(`${id}: refuses identifiers of another merchant`, async () => {
    rows = await countRows();
    for (const value of Object.values(foreign)) {
      for (const name of operation.fields.keys()) {
        const fields = { ...example(operation), [name]: value };
        await drive({ ...post, json: fields, headers }, `${id} ${name}: another's`, [value]);
      }
    }
    for (const name of operation.fields.keys()) {
      const fields = { ...example(operation), [name]: victim.email };
      await drive({ ...post, json: fields, headers }, `${id} ${name}: another's e-mail`, [victim.email]);
    }
  });

  test(`${id}: accepts or refuses any JSON in any field`, async () => {
    const names = [...operation.fields.keys()];
    if (names.length === 0) return;
    rows = await countRows();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.jsonValue(), async (name, value) => {
        const fields = { ...example(operation), [name]: value };
        await drive({ ...post, json: fields, headers }, `${id} ${JSON.stringify(fields).slice(0, 500)}`);
      }),
      { numRuns: 40 },
    );
  });
}

test("records of another merchant or environment are not found in any path", async () => {
  rows = await countRows();
  for (const operation of operations.filter(({ pathNames }) => pathNames.length > 0)) {
    for (const value of Object.values(foreign)) {
      for (const key of [testKey, { "x-api-key": victim.live }, { "x-api-key": merchant.live }]) {
        const form = operation.hasBody ? { form: asForm(example(operation)) } : {};
        const path = fillPath(operation.path, () => encodeURIComponent(value));
        const response = await drive(
          { method: operation.method, path, ...form, headers: key },
          `${operation.id} of another's`,
        );
        assert.notEqual(response.status, 200, `${operation.id} ${value}`);
      }
    }
  }
});
