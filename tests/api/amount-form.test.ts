/** Answers whose amounts are strings, for programs that would round numbers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { addIp } from "#lib/domain/merchants/ip-entries.ts";
import { ANSWER_TYPES, findAmountPlaces } from "#lib/web/api/amount-form.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { buildApiDocument } from "#lib/web/api/openapi.ts";
import { parseExactly } from "#packages/client/src/exact-json.ts";
import { actOf } from "#tests/support/acts.ts";
import { startTestApi, type TestRequest } from "#tests/support/api.ts";
import { fillPath, listOperations } from "#tests/support/operations.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { DESTINATION, fund } from "#tests/support/withdrawals.ts";
import { fillBooks } from "./fill-books.ts";

const api = await startTestApi();
const owner = await api.merchant();
const records = await fillBooks(api, owner, 1);
const adapter = api.services.networks.find("test", "bep20")!;
/** 1,000 tokens and a part of 18 digits. */
await fund(api.database.db, adapter, owner.id, 1_000_123_456_789_012_345_678n);
await api.database.db.transaction((tx) => addIp(actOf(tx, owner.id), { name: "here", address: "127.0.0.1" }));

const accept = ANSWER_TYPES.string;
const send = (request: TestRequest) => api.send({ key: owner.test, ...request });
const sendForStrings = (request: TestRequest) =>
  send({ ...request, headers: { ...request.headers, accept } });

test("every call that reads answers with the same digits as numbers and as strings", async () => {
  const places = findAmountPlaces(buildApiDocument(ENDPOINTS));
  let exact = 0;
  for (const { method, path, pathNames, needsKey } of listOperations()) {
    if (method !== "GET" || !needsKey) continue;
    const values: Record<string, string> = { ...records, network: "bep20" };
    const isWithdrawal = path.startsWith("/withdrawals") || path.startsWith("/transaction/refId");
    if (isWithdrawal) values.refid = records.withdrawal ?? "";
    const url = fillPath(path, (name) => values[name] ?? "");
    const [numbers, strings] = [await send({ path: url }), await sendForStrings({ path: url })];
    assert.equal(numbers.status, 200, `${url} ${pathNames} ${numbers.text}`);
    assert.equal(numbers.headers.get("content-type"), "application/json; charset=utf-8");
    assert.equal(strings.headers.get("content-type"), "application/json; amounts=string; charset=utf-8");
    const found = places.get(`GET ${path}`);
    // The time of a fixed price is that of the request.
    const [asNumbers, asStrings] = [numbers, strings].map(({ text }) =>
      text.replace(/(?<="price_at":")[^"]+/g, ""),
    ) as [string, string];
    assert.deepEqual(JSON.parse(asStrings), parseExactly(asNumbers, found ?? {}), url);
    if (found === undefined) assert.equal(asStrings, asNumbers);
    if (asStrings !== asNumbers) exact += 1;
  }
  assert.ok(exact > 8, String(exact));
});

test("an amount of 18 decimals comes back as it was sent, whether as a string or as a number", async () => {
  const amount = "12.123456789012345678";
  const ask = { network: "bep20", token: "usdt", to: DESTINATION };
  for (const [n, sent] of [`"${amount}"`, amount].entries()) {
    const body = JSON.stringify(ask).replace("}", `,"amount":${sent}}`);
    const headers = { "content-type": "application/json", "idempotency-key": `exact-${n}` };
    const made = await sendForStrings({ path: "/withdrawals", body, headers });
    assert.equal(made.status, 200, made.text);
    const { refid, value } = (made.body as { data: { refid: string; value: string } }).data;
    assert.equal(value, amount);
    const read = await sendForStrings({ path: `/withdrawals/${refid}` });
    assert.match(read.text, new RegExp(`"value":"${amount}"`));
  }
});

test("a repeated request gets the same answer in the form that it asks for", async () => {
  const create: TestRequest = {
    path: "/payment-links",
    json: { ...PAYMENT_LINK, amount: "123456789012.345678", amount_currency: "usdt" },
    headers: { "idempotency-key": "forms" },
  };
  const strings = await sendForStrings(create);
  const numbers = await send(create);
  const again = await sendForStrings(create);
  assert.match(strings.text, /"amount_required":"123456789012\.345678"/);
  assert.match(numbers.text, /"amount_required":123456789012\.345678,/);
  assert.equal(again.text, strings.text);
});

test("an error has the media type that was asked for, and the text of any other", async () => {
  const strings = await sendForStrings({ path: "/payment-links/none" });
  const numbers = await send({ path: "/payment-links/none" });
  assert.equal(strings.headers.get("content-type"), "application/json; amounts=string; charset=utf-8");
  assert.deepEqual([strings.status, strings.text], [404, numbers.text]);
  const unknown = await sendForStrings({ path: "/nothing" });
  assert.deepEqual([unknown.status, unknown.headers.get("content-type")], [404, `${accept}; charset=utf-8`]);
});

test("openapi.json describes either form, and refuses another", async () => {
  const read = async (query: string) => {
    const { status, headers, text } = await api.send({ path: `/openapi.json${query}` });
    return { status, headers, text };
  };
  const [plain, numbers, strings] = [
    await read(""),
    await read("?amounts=number"),
    await read("?amounts=string"),
  ];
  assert.equal(numbers.text, plain.text);
  assert.match(plain.text, /"amount_required":\{"type":"number","description":"[^"]+","format":"double"/);
  assert.match(strings.text, /"amount_required":\{"type":"string","description":"[^"]+","x-decimal":true/);
  const other = await read("?amounts=float");
  assert.deepEqual(
    [other.status, other.headers.get("x-paylink-hint")],
    [400, "amounts is string, or absent for numbers."],
  );
});
