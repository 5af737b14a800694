/** Generators of clients fail on some constructs, which the OpenAPI document avoids. `npm run test:generators` runs them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AmountForm } from "#lib/web/api/amount-form.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { buildApiDocument } from "#lib/web/api/openapi.ts";

type Json = Record<string, unknown>;
interface Fields {
  readonly properties?: Record<string, Json>;
  readonly required?: readonly string[];
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>;
}
interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Json }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Document {
  info: Json;
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Fields> };
}
const read = (...amounts: AmountForm[]) =>
  JSON.parse(JSON.stringify(buildApiDocument(ENDPOINTS, ...amounts))) as Document;
const document = read();
const withStrings = read("string");
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** The fields of a component. */
function fieldsOf({ $ref }: Json): Fields {
  return document.components.schemas[String($ref).replace("#/components/schemas/", "")] as Fields;
}

/** The places of both documents, examples left out, where `isWrong` is true. */
function find(isWrong: (node: Json) => boolean): string[] {
  const found: string[] = [];
  const look = (node: unknown, where: string): void => {
    if (typeof node !== "object" || node === null) return;
    if (isWrong(node as Json)) found.push(where);
    for (const [name, child] of Object.entries(node)) {
      if (name !== "example" && name !== "examples") look(child, `${where}/${name}`);
    }
  };
  look(document, "");
  look(withStrings, "strings");
  return found;
}
const typesOf = ({ type }: Json) => [type].flat().filter((one) => one !== undefined);

test("the schema of every body and answer has a name", () => {
  const all = [...operations, ...Object.values(document.webhooks).map(({ post }) => post)];
  const inline = all.flatMap(({ operationId, requestBody, responses }) =>
    Object.entries({ request: requestBody, ...responses }).flatMap(([place, body]) =>
      Object.values(body?.content ?? {}).flatMap(({ schema }) =>
        typeof schema.$ref === "string" ? [] : [`${operationId} ${place}`],
      ),
    ),
  );
  assert.deepEqual(inline, []);
});

test("an object with fields is a component, unless it may be null", () => {
  const isComponent = (where: string) => /^(?:strings)?\/components\/schemas\/\w+$/.test(where);
  const inline = find((node) => node.type === "object" && "properties" in node);
  assert.ok(inline.some(isComponent));
  assert.deepEqual(
    inline.filter((where) => !isComponent(where)),
    [],
  );
});

test("no field of a component has a default: some generators would make it required", () => {
  const withDefault = find((node) => "default" in node);
  assert.deepEqual(
    withDefault.filter((where) => !where.includes("/parameters/")),
    [],
  );
});

test("an amount of a request is a text with a pattern", () => {
  const inBodies = operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
  const inQueries = operations.flatMap(({ parameters = [] }) => parameters);
  const amounts: Json[] = [
    ...inBodies.flatMap<Json>(({ schema }) => fieldsOf(schema).properties?.amount ?? []),
    ...inQueries.flatMap<Json>(({ name, schema }) => (name === "amount" ? schema : [])),
  ];
  assert.equal(amounts.length, 8);
  for (const { type, pattern, maxLength } of amounts) {
    assert.deepEqual([type, maxLength], ["string", 100]);
    const allows = (text: string) => new RegExp(String(pattern)).test(text);
    assert.deepEqual(["1.50", "0.05", "10", "1e-2", "0.10"].filter(allows).length, 5);
    assert.deepEqual(["0", "0.00", "-1", "01", "1.", ".5", "0e5", ""].filter(allows), []);
  }
});

for (const [rule, isWrong] of [
  ["no schema is null alone", (node) => node.type === "null"],
  [
    "a schema has one type, and perhaps null",
    (node) => typesOf(node).filter((one) => one !== "null").length > 1,
  ],
  [
    "the values of an enum have one type, and perhaps null",
    ({ enum: values }) =>
      Array.isArray(values) &&
      new Set(values.filter((one) => one !== null).map((one) => typeof one)).size > 1,
  ],
  ["no schema is combined from others", (node) => "allOf" in node || "anyOf" in node || "oneOf" in node],
  [
    "a number is a double: other formats are read as 32-bit floats",
    (node) => typesOf(node).includes("number") && node.format !== "double",
  ],
] as readonly (readonly [string, (node: Json) => boolean])[])
  test(rule, () => assert.deepEqual(find(isWrong), []));

test("JSON is the only type of a body: for a second one some generators use the same class, or have none", () => {
  const bodies = operations.flatMap(({ requestBody }) => requestBody ?? []);
  assert.ok(bodies.length > 20, String(bodies.length));
  for (const { content = {} } of bodies) assert.deepEqual(Object.keys(content), ["application/json"]);
});

test("no component has the name of a generated enum", () => {
  const { schemas } = document.components;
  const pascal = (name: string) =>
    name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const generated = Object.entries(schemas).flatMap(([component, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([, { enum: values }]) => values !== undefined)
      .map(([name]) => component + pascal(name)),
  );
  assert.deepEqual(
    generated.filter((name) => name in schemas),
    [],
  );
});

test("a required text is not empty: that counts as absent", () => {
  const texts = operations.flatMap(({ operationId, requestBody }) =>
    Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => {
      const { properties = {}, required = [] } = fieldsOf(schema);
      return required
        .map((name) => ({ operationId, name, ...properties[name] }) as Json)
        .filter(({ type, enum: values, pattern }) => type === "string" && !values && !pattern);
    }),
  );
  assert.ok(texts.length > 10);
  for (const text of texts) assert.equal(text.minLength, 1, JSON.stringify(text));
});

test("everything that linters ask for is there: ids, descriptions, contact and license", () => {
  const webhooks = Object.values(document.webhooks).map(({ post }) => post);
  for (const { operationId, description } of [...operations, ...webhooks])
    assert.ok(operationId && description, `${operationId} has no description`);
  for (const { name, description } of document.tags) assert.ok(description, name);
  assert.ok(document.info.contact && document.info.license);
});

test("parameters of lists have bounds, and query parameters may be empty", () => {
  const query = operations.flatMap(({ operationId, parameters = [] }) =>
    parameters.filter((one) => one.in === "query").map((one) => ({ operationId, ...one }) as Json),
  );
  assert.ok(query.length > 30);
  for (const parameter of query) assert.equal(parameter.allowEmptyValue, true, JSON.stringify(parameter));
  const patterns = query.filter(({ name }) => name === "cursor").map((one) => (one.schema as Json).pattern);
  assert.deepEqual([...new Set(patterns)].sort(), [
    "^([1-9][0-9]{0,14})$",
    "^([1-9][0-9]{0,14})-([1-9][0-9]{0,14})$",
  ]);
});

test("no schema has the name of a constructor that Go's generator makes for another", () => {
  const names = Object.keys(document.components.schemas);
  assert.deepEqual(
    names.filter((name) => name.startsWith("New") && names.includes(name.slice("New".length))),
    [],
  );
});
