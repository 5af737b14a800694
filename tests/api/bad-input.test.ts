/**
 * Sends every operation of the OpenAPI document requests that no client should send. The response must
 * always be the envelope. It must never have a text that the document does not list (tests/support/api.ts
 * checks this for every response), be a 500, or contain data of another merchant. A refused request must
 * write nothing.
 */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { before, test } from "node:test";
import fc from "fast-check";
import { addIpEntry } from "#lib/domain/merchants/ip-entries.ts";
import { withLogContext } from "#lib/platform/log/log-context.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { startTestApi, type TestRequest } from "#tests/support/api.ts";
import { evmHash } from "#tests/support/deposits.ts";
import { fillPath, listOperations, type Operation } from "#tests/support/operations.ts";
import { paymentLinkForm } from "#tests/support/payment-link.ts";
import { fillBooks } from "./fill-books.ts";
import { NO_REQUEST, watchWrites } from "./watch-writes.ts";

const api = await startTestApi();
const writes = await watchWrites(api.database.database);
const { db } = api.database;
const merchant = await api.merchant("Attacker");
const victim = await api.merchant("Victim");
const testKey = { "x-staging-api-key": merchant.test };
/** What live and test share is changed with a live key, while there is an IP list. */
const liveKey = { "x-api-key": merchant.live };
/** Its IP list gets long, which would slow down every other request. */
const listOwner = await api.merchant("Owner of a long IP list");
for (const { email } of [merchant, listOwner])
  await db.transaction((tx) => addIpEntry(tx, email, { name: "here", address: "127.0.0.1" }, new Date()));
const shared = new Set(
  ENDPOINTS.filter(({ changes }) => changes === "merchant").map(({ operationId }) => operationId),
);
const operations = listOperations();

/** Values to try in any field, path or query. */
const TEXTS: readonly string[] = [
  ...["", " ", "0", "-0", "-1", "1e400", "1e-400", "NaN", "Infinity", "-Infinity", "0x10", " 1 ", "1,5", "٣"],
  ...[`0.${"1".repeat(30)}`, `1${"0".repeat(30)}`, "9007199254740993", "null", "true", "undefined"],
  ...["\0", "a\0b", "\ud800", "a\udc00", "\u202e", "🙂", "\r\n", "%", "%zz", "%00", "..", "../../etc/passwd"],
  ...["[", "{", '"', "[]", "{}", "[[]]", "[null]", '{"__proto__":null}', '{"email":{}}'],
  ...["__proto__", "constructor"],
  ...["' or 1=1 --", "<script>", "https://[", "javascript:1", "2026-13-40T99:99Z", "0000-00-00"],
  ...["x".repeat(300), "9".repeat(5_000), "x".repeat(60_000), "[".repeat(20_000)],
];
/** JSON sources that are not valid texts. Lone surrogates represent a text that UTF-8 cannot encode. */
const SOURCES: readonly string[] = [
  ...["null", "true", "false", "0", "-0", "1e400", "-1e400", "1e-400", "9007199254740993"],
  `0.${"1".repeat(30)}`,
  ...["{}", "[]", "[[]]", "[null]", '{"a":{"b":{}}}', '[{"network":{},"token":[]}]', '{"__proto__":{"x":1}}'],
  ...['"\\u0000"', '"\\ud800"', '{"email":"\\ud800","first_name":"\\u0000","last_name":[]}'],
  ...[`${"[".repeat(20_000)}${"]".repeat(20_000)}`, `${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`],
];

/** Texts that a URL can have. */
const URL_TEXTS = TEXTS.filter((text) => text.isWellFormed() && text.length < 10_000).map(encodeURIComponent);
const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";
/** Above the limit of 64 KiB. */
const LONG_FORM = Buffer.from(`x=${"x".repeat(100_000)}`);
const LONG_JSON = Buffer.from(`{"x":"${"x".repeat(100_000)}"}`);

let foreign: Record<string, string>;
let secrets: readonly string[];
/** The rows of this preparation. */
let prepared: number;

before(async () => {
  foreign = await fillBooks(api, victim, 1);
  await fillBooks(api, merchant, 2);
  // The reference of a withdrawal can also be one of a link that the attacker makes below.
  const { withdrawal: _, ...rest } = foreign;
  secrets = [victim.email, ...Object.values(rest)];
  prepared = writes.get(NO_REQUEST)?.length ?? 0;
});

/** A request, and what its response must be. */
interface Attempt {
  readonly what: string;
  readonly request: TestRequest;
  /** Default: any status that the promises above allow. */
  readonly status?: number | "a refusal";
  /** A part of the text of the response. */
  readonly says?: string;
  /** Data of the other merchant that the request has itself. */
  readonly mayKnow?: readonly string[];
}

const AT_ONCE = 8;
/** Requests of these that arrive together are written together, so that nobody could tell whose rows they are. */
const WRITTEN_TOGETHER = ["createPaymentLink", "buyToken"];
const refused = new Map<string, string>();

/** Sends requests, some at the same time, and asserts the promises above. */
async function drive(attempts: readonly Attempt[], atOnce = AT_ONCE): Promise<void> {
  const queue = attempts.values();
  const driveRest = async () => {
    for (const attempt of queue) await driveOne(attempt);
  };
  await Promise.all(Array.from({ length: atOnce }, driveRest));
}

async function driveOne({
  what,
  request,
  status: expected,
  says = "",
  mayKnow = [],
}: Attempt): Promise<void> {
  const { status, headers, text, body: json } = await api.send(request);
  const body = json as Record<string, unknown>;
  const notFound = body.message === "no webhook events found for the provided transaction";
  const said = `${what}: ${status} ${text.slice(0, 300)}`;
  if (typeof expected === "number") assert.equal(status, expected, said);
  if (expected === "a refusal") assert.notEqual(status, 200, said);
  assert.ok(text.includes(says), said);
  assert.ok(status === 200 || (status >= 400 && status < 500) || status > 500 || notFound, said);
  if (status === 200) {
    assert.deepEqual(Object.keys(body).slice(0, 3), ["status", "message", "data"], said);
    assert.equal(body.status, "success", said);
  } else {
    assert.deepEqual(Object.keys(body), ["status", "message"], said);
    assert.ok(body.status === "fail" || body.message === "transaction_hash is required", said);
    assert.match(String(body.message), /^[^\p{Cc}\p{Cs}]{1,200}$/u, said);
    assert.doesNotMatch(String(body.message), /select|insert|zod|Error|undefined|at \/|node_modules/i, said);
    refused.set(headers.get("x-request-id") ?? "", what);
    assertWroteNothing(headers.get("x-request-id") ?? "", what);
  }
  // Forms and settings show what their merchant wrote, and tests below write the other's values (tests/api/forms.test.ts and
  // tests/api/merchant-settings.test.ts have the rest).
  const shown = /^\/(?:forms|merchant)/.test(request.path) ? secrets : mayKnow;
  for (const secret of secrets) {
    if (!shown.includes(secret))
      assert.ok(!text.includes(secret), `${what} contains ${secret} of another merchant`);
  }
}

function assertWroteNothing(requestId: string, what: string): void {
  assert.deepEqual(writes.get(requestId) ?? [], [], `${what} was refused but wrote something`);
}

const example = (operation: Operation) =>
  Object.fromEntries(operation.required.map((name) => [name, operation.fields.get(name)]));
const asText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const asForm = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, asText(value)]));
const short = (text: string) =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}… (${text.length})` : text);

test("sees the rows that a request writes, and none that a transaction undoes", async () => {
  const { headers } = await api.send({ path: "/payment-links", form: paymentLinkForm(), headers: testKey });
  assert.ok(writes.get(headers.get("x-request-id") ?? "")?.includes("payment_links"));
  const add = (requestId: string, error?: Error) =>
    withLogContext({ requestId }, () =>
      db.transaction(async (tx) => {
        await addIpEntry(tx, victim.email, { name: "office", address: "10.0.0.4" }, new Date());
        if (error !== undefined) throw error;
      }),
    );
  await assert.rejects(add("undone-request", new Error("undone")));
  await add("kept-request");
  assert.deepEqual([writes.get("undone-request"), writes.get("kept-request")], [undefined, ["ip_entries"]]);
});

test("the document has every operation of the service interface", () => {
  assert.ok(operations.length >= 27, String(operations.length));
});

for (const operation of operations) {
  const { id, method } = operation;
  const atOnce = WRITTEN_TOGETHER.includes(id) ? 1 : AT_ONCE;
  const driveAll = (attempts: readonly Attempt[]) => drive(attempts, atOnce);
  const fieldNames = [...operation.fields.keys()];
  // A path that exists.
  const path = fillPath(operation.path, (name) => (name === "network" ? "bep20" : evmHash(0xabcdef02)));
  const ownKey = id === "addWhitelistedIp" ? { "x-api-key": listOwner.live } : liveKey;
  const headers: Record<string, string> = shared.has(id) ? ownKey : testKey;
  const jsonHeaders = { ...headers, "content-type": JSON_TYPE };
  const post = { method, path, headers } as const;
  const good = operation.hasBody ? { ...post, form: asForm(example(operation)) } : post;

  test(`${id}: refuses wrong keys`, () =>
    driveAll(
      [
        {},
        { "x-api-key": merchant.test },
        { "x-staging-api-key": merchant.live },
        { "x-api-key": merchant.live, "x-staging-api-key": merchant.test },
        { "x-staging-api-key": `${merchant.test} x` },
        { "x-staging-api-key": merchant.test.toUpperCase() },
        { "x-staging-api-key": "x".repeat(8_000) },
        { "x-staging-api-key": "" },
        { authorization: `Bearer ${merchant.test}` },
      ].map((given) => ({
        what: `${id} with ${short(JSON.stringify(given))}`,
        request: { ...good, headers: given as Record<string, string> },
        status: operation.needsKey ? 401 : 200,
      })),
    ));

  test(`${id}: refuses wrong methods`, () => {
    const taken = operations.filter((one) => one.path === operation.path).map((one) => one.method as string);
    const wrong = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter((one) => !taken.includes(one));
    return driveAll(
      wrong.map((method) => ({
        what: `${method} ${path}`,
        request: { method, path, headers },
        ...{ status: 405, says: '"message":"method not allowed"' },
      })),
    );
  });

  if (operation.pathNames.length > 0) {
    test(`${id}: refuses bad path values`, () => {
      const raw = ["%00", "%ed%a0%80", "%ff", "%", "%2e%2e", "%2f", "a%2fb", "%E0%A4%A", "+", "*", "null"];
      // A client removes a dot segment from the URL before it sends the request.
      const values = [...raw, ...URL_TEXTS].filter((value) => !/^(?:\.|%2e){1,2}$/i.test(value));
      return driveAll(
        values.map((value) => ({
          what: `${id} of ${short(value)}`,
          request: { ...good, path: fillPath(operation.path, () => value) },
        })),
      );
    });
  }

  test(`${id}: refuses bad query values`, () => {
    const asked = operation.queryNames.flatMap((name) =>
      [...URL_TEXTS, "%ff", "%ed%a0%80", "%", `1&${name}=2`].map((value) => `${name}=${value}`),
    );
    const unasked = ["unknown", "__proto__", "%00", "%ff"].flatMap((name) => [`${name}=`, `${name}=%ff`]);
    return driveAll(
      [...asked, ...unasked, "", "&&", "=1", "?", "#"].map((query) => ({
        what: `${id}?${short(query)}`,
        request: { ...good, path: `${path}?${query}` },
      })),
    );
  });

  if (!operation.hasBody) continue;

  /** The example with one field replaced by a JSON source. */
  const withSource = (name: string, source: string) => {
    const rest = Object.entries(example(operation)).filter(([other]) => other !== name);
    const members = [
      ...rest.map(([n, v]) => `${JSON.stringify(n)}:${JSON.stringify(v)}`),
      `"${name}":${source}`,
    ];
    return {
      what: `json ${id} ${name}: ${short(source)}`,
      request: { ...post, headers: jsonHeaders, body: `{${members.join(",")}}` },
    };
  };

  test(`${id}: refuses absent fields`, () =>
    driveAll(
      operation.required.map((name) => {
        const { [name]: _, ...rest } = example(operation);
        return { what: `${id} without ${name}`, request: { ...post, json: rest }, status: 400, says: name };
      }),
    ));

  test(`${id}: refuses bad values in JSON`, () =>
    driveAll(
      fieldNames.flatMap((name) =>
        [...TEXTS.map((text) => JSON.stringify(text)), ...SOURCES].map((source) => withSource(name, source)),
      ),
    ));

  // The text of a form field reaches the schema as that of a JSON string does, so each text is in one field of the form.
  test(`${id}: refuses bad values in a form`, () =>
    driveAll(
      TEXTS.flatMap((value, index) => {
        const name = fieldNames[index % fieldNames.length];
        if (name === undefined) return [];
        const form = asForm({ ...example(operation), [name]: value });
        return [{ what: `form ${id} ${name}=${short(value)}`, request: { ...post, form } }];
      }),
    ));

  test(`${id}: refuses malformed bodies`, () => {
    const source = JSON.stringify(example(operation));
    const [field = "x"] = fieldNames;
    const notJson = [`${source}x`, `${source}${source}`, "[".repeat(60_000), "[1]", "null", '"text"'];
    const bodies: [type: string, body: TestRequest["body"], status: number, message: string][] = [
      ...[...notJson, "{", "{'a':1}", "NaN", Uint8Array.of(0xff, 0xfe)].map(
        (body): (typeof bodies)[number] => [JSON_TYPE, body, 400, "invalid json"],
      ),
      [JSON_TYPE, `{"${field}":1,"${field}":2}`, 400, `duplicate field (${field})`],
      [FORM_TYPE, `${field}=1&${field}=2`, 400, `duplicate field (${field})`],
      [FORM_TYPE, `${field}=%ff`, 400, `(${field}) contains an unsupported character`],
      [FORM_TYPE, "%ff=1", 400, "invalid form body"],
      [FORM_TYPE, LONG_FORM, 413, "request body too large"],
      [JSON_TYPE, LONG_JSON, 413, "request body too large"],
      ...["text/plain", "multipart/form-data; boundary=x", "application/json; charset=utf-16"].map(
        (type): (typeof bodies)[number] => [type, source, 415, "unsupported content type"],
      ),
    ];
    const zipped = { ...headers, "content-type": JSON_TYPE, "content-encoding": "gzip" };
    const longKey = { ...headers, "idempotency-key": "k".repeat(256) };
    return driveAll([
      ...bodies.map(([type, body, status, message], index) => ({
        what: `${id}, body ${index}`,
        request: { ...post, body, headers: { ...headers, "content-type": type } },
        ...{ status, says: `"message":"${message}"` },
      })),
      { what: `${id}, zipped`, request: { ...post, body: source, headers: zipped }, status: 415 },
      { what: `${id}, a long idempotency key`, request: { ...good, headers: longKey } },
    ]);
  });

  test(`${id}: refuses identifiers of another merchant`, () =>
    driveAll(
      fieldNames.flatMap((name) =>
        [...Object.values(foreign), victim.email].map((value) => ({
          what: `${id} ${name}: another's ${value}`,
          request: { ...post, json: { ...example(operation), [name]: value } },
          mayKnow: [value],
        })),
      ),
    ));

  if (fieldNames.length === 0) continue;

  test(`${id}: accepts or refuses any JSON in any field`, () => {
    const any = fc.tuple(fc.constantFrom(...fieldNames), fc.jsonValue());
    const seed = randomInt(2 ** 31);
    return driveAll(
      fc.sample(any, { numRuns: 40, seed }).map(([name, value]) => {
        const { what, request } = withSource(name, JSON.stringify(value));
        return { what: `${what} (seed ${seed})`, request };
      }),
    );
  });
}

test("refuses a body at once that no buffer of a connection has room for, after it has checked the key", async () => {
  const request = { path: "/balances", body: Buffer.alloc(10_000_000) };
  const attempt = { what: "a huge body", request: { ...request, key: merchant.test } };
  await drive([{ ...attempt, status: 413, says: '"message":"request body too large"' }]);
  await drive([{ what: "a huge body without a key", request, status: 401 }]);
});

test("records of another merchant or environment are not found in any path", () =>
  drive(
    operations
      .filter(({ pathNames }) => pathNames.length > 0)
      .flatMap((operation) =>
        [testKey, { "x-api-key": victim.live }, { "x-api-key": merchant.live }].flatMap((headers) =>
          Object.values(foreign).map((value): Attempt => {
            const form = operation.hasBody ? { form: asForm(example(operation)) } : {};
            const path = fillPath(operation.path, () => encodeURIComponent(value));
            const request = { method: operation.method, path, ...form, headers };
            return { what: `${operation.id} of another's ${value}`, request, status: "a refusal" };
          }),
        ),
      ),
  ));

test("no refused request wrote anything after its response, or outside its own work", () => {
  assert.ok(refused.size > 5_000, String(refused.size));
  for (const [requestId, what] of refused) assertWroteNothing(requestId, what);
  assert.deepEqual(writes.get(NO_REQUEST)?.slice(prepared), [], "rows that belong to no request");
});
