/** Requests whose parts no client should send: keys, methods, paths, queries and bodies. tests/api/bad-values.test.ts has the fields. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { addIp } from "#lib/domain/merchants/ip-entries.ts";
import { withLogContext } from "#lib/platform/log/log-context.ts";
import { actOf } from "#tests/support/acts.ts";
import type { TestRequest } from "#tests/support/api.ts";
import { fillPath } from "#tests/support/operations.ts";
import { paymentLinkForm } from "#tests/support/payment-link.ts";
import { type Attempt, asForm, example, openAttacker, short, URL_TEXTS } from "./attacker.ts";

const attacker = await openAttacker();
const { api, merchant, victim, operations, writes } = attacker;
const testKey = { "x-staging-api-key": merchant.test };
/** A text that its merchant reads again in lists. */
const OWN_TEXT = "description";
const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";
/** Above the limit of 64 KiB. */
const LONG_FORM = Buffer.from(`x=${"x".repeat(100_000)}`);
const LONG_JSON = Buffer.from(`{"x":"${"x".repeat(100_000)}"}`);

test("sees the rows that a request writes, and none that a transaction undoes", async () => {
  const { headers } = await api.send({ path: "/payment-links", form: paymentLinkForm(), headers: testKey });
  assert.ok(writes.get(headers.get("x-request-id") ?? "")?.includes("payment_links"));
  const add = (requestId: string, error?: Error) =>
    withLogContext({ requestId }, () =>
      api.database.db.transaction(async (tx) => {
        await addIp(actOf(tx, victim.id), { name: "office", address: "10.0.0.4" });
        if (error !== undefined) throw error;
      }),
    );
  await assert.rejects(add("undone-request", new Error("undone")));
  await add("kept-request");
  const kept = writes.get("kept-request");
  assert.deepEqual([writes.get("undone-request"), kept], [undefined, ["ip_entries", "audit_log"]]);
});

for (const operation of operations) {
  const { id } = operation;
  const { path, headers, post, good, fieldNames } = attacker.requestsOf(operation);

  test(`${id}: refuses wrong keys`, () =>
    attacker.drive(
      id,
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
    return attacker.drive(
      id,
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
      return attacker.drive(
        id,
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
    return attacker.drive(
      id,
      [...asked, ...unasked, "", "&&", "=1", "?", "#"].map((query) => ({
        what: `${id}?${short(query)}`,
        request: { ...good, path: `${path}?${query}` },
      })),
    );
  });

  if (!operation.hasBody) continue;

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
    return attacker.drive(id, [
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
    attacker.drive(
      id,
      fieldNames
        .filter((name) => name !== OWN_TEXT)
        .flatMap((name) =>
          [...Object.values(attacker.foreign), victim.email].map((value) => ({
            what: `${id} ${name}: another's ${value}`,
            request: { ...post, json: { ...example(operation), [name]: value } },
            mayKnow: [value],
          })),
        ),
    ));
}

test("refuses a body at once that no buffer of a connection has room for, after it has checked the key", async () => {
  const request = { path: "/balances", body: Buffer.alloc(10_000_000) };
  const attempt = { what: "a huge body", request: { ...request, key: merchant.test } };
  await attacker.drive("getBalances", [
    { ...attempt, status: 413, says: '"message":"request body too large"' },
  ]);
  await attacker.drive("getBalances", [{ what: "a huge body without a key", request, status: 401 }]);
});

test("records of another merchant or environment are not found in any path", () =>
  attacker.drive(
    "any",
    operations
      .filter(({ pathNames }) => pathNames.length > 0)
      .flatMap((operation) =>
        [testKey, { "x-api-key": victim.live }, { "x-api-key": merchant.live }].flatMap((headers) =>
          Object.values(attacker.foreign).map((value): Attempt => {
            const form = operation.hasBody ? { form: asForm(example(operation)) } : {};
            const path = fillPath(operation.path, () => encodeURIComponent(value));
            const request = { method: operation.method, path, ...form, headers };
            return { what: `${operation.id} of another's ${value}`, request, status: "a refusal" };
          }),
        ),
      ),
  ));

attacker.testThatNothingWasWritten(2_000);
