import assert from "node:assert/strict";
import { test } from "node:test";
import { findAmountPlaces, readAmountForm, writeAmountsAsStrings } from "#lib/web/api/amount-form.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { buildApiDocument } from "#lib/web/api/openapi.ts";

test("an Accept header asks for strings with a parameter of application/json", () => {
  for (const accept of [
    "application/json; amounts=string",
    "application/json;amounts=string",
    'Application/JSON; Amounts="String"',
    "text/html, application/json; charset=utf-8; amounts=string; q=0.9",
    "application/json, application/json; amounts=string",
  ])
    assert.equal(readAmountForm(accept), "string", accept);
  for (const accept of [
    undefined,
    "",
    "*/*",
    "application/json",
    "application/json; amounts=number",
    "application/json, text/plain; amounts=string",
    "application/json; q=0.9, amounts=string",
  ])
    assert.equal(readAmountForm(accept), "number", accept);
});

test("amounts become strings with the same digits, and every other value keeps its text", () => {
  const places = { data: { amount: true, rows: { "*": { amount: true } }, amounts: { "*": true } } } as const;
  const metadata = '{ "amount":1.10,"amounts" : [1e400, 0.1], "a\\"b":12345678901234567890 }';
  const body =
    '{"status":"success","data":{"amount":0.100000000000000001,"count":3,"metadata":' +
    `${metadata},"rows":[{"amount":-5,"other":2},{"amount":null}],"amounts":[1,2.50],"none":[]}}`;
  assert.equal(
    writeAmountsAsStrings(body, places),
    '{"status":"success","data":{"amount":"0.100000000000000001","count":3,"metadata":' +
      `${metadata},"rows":[{"amount":"-5","other":2},{"amount":null}],"amounts":["1","2.50"],"none":[]}}`,
  );
  assert.equal(writeAmountsAsStrings(body, undefined), body);
  const failure = '{"status":"fail","message":"not found"}';
  assert.equal(writeAmountsAsStrings(failure, places), failure);
  assert.equal(writeAmountsAsStrings('{"data":{"rows":[]}}', places), '{"data":{"rows":[]}}');
});

type Json = Record<string, unknown>;
const read = (...form: ["string"?]) =>
  JSON.parse(JSON.stringify(buildApiDocument(ENDPOINTS, ...form))) as Json;

test("both documents have amounts in the same places, and one does not change the other", () => {
  const before = read();
  const withStrings = read("string");
  assert.deepEqual(read(), before);
  const places = findAmountPlaces(before);
  assert.ok(places.size > 20, String(places.size));
  assert.deepEqual(findAmountPlaces(withStrings), places);
});

test("the document of strings has no number but whole ones, and no answer of another media type", () => {
  const wrong: string[] = [];
  const look = (node: unknown, where: string): void => {
    if (typeof node !== "object" || node === null) return;
    const { type } = node as Json;
    if ([type].flat().includes("number")) wrong.push(where);
    for (const [name, child] of Object.entries(node))
      if (name !== "example" && name !== "examples") look(child, `${where}/${name}`);
  };
  const { paths, components } = read("string") as { paths: Record<string, Json>; components: Json };
  look(components, "components");
  look(paths, "paths");
  assert.deepEqual(wrong, []);
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods)) as {
    responses: Record<string, { content: Json }>;
  }[];
  const types = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ content }) => Object.keys(content)),
  );
  assert.deepEqual([...new Set(types)], ["application/json; amounts=string"]);
});

test("webhooks have no numbers but whole ones, so they have one form", () => {
  const { webhooks, components } = read() as { webhooks: Json; components: { schemas: Json } };
  const reached = new Set<string>();
  const look = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { $ref, type } = node as Json;
    assert.ok(![type].flat().includes("number"), JSON.stringify(node));
    const name = typeof $ref === "string" ? $ref.replace("#/components/schemas/", "") : null;
    if (name !== null && !reached.has(name)) {
      reached.add(name);
      look(components.schemas[name]);
    }
    for (const [member, child] of Object.entries(node)) if (member !== "example") look(child);
  };
  look(webhooks);
  assert.ok(reached.has("PaymentLinkEventDataPayment"));
});
