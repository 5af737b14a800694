import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  JsonText,
  parseJsonElements,
  parseJsonMembers,
  readJsonString,
  toJsonNumber,
  writeJson,
} from "#lib/platform/json-text.ts";

test("writes an amount with every digit", () => {
  const text = writeJson({ amount: toJsonNumber(123456789012345678901234567890n, 18) });
  assert.equal(text, '{"amount":123456789012.34567890123456789}');
});

test("writes JSON text unchanged, with its whitespace and repeated names", () => {
  const metadata = '{ "b" : 1.0, "a":[1e2,  "é"], "b":2 }';
  assert.equal(writeJson({ metadata: new JsonText(metadata) }), `{"metadata":${metadata}}`);
});

test("writes other values as JSON.stringify does", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(writeJson(value as Parameters<typeof writeJson>[0]), JSON.stringify(value));
    }),
  );
});

test("writes times in UTC with milliseconds, and leaves out undefined members", () => {
  const text = writeJson({ at: new Date("2026-03-01T10:00:00.5Z"), gone: undefined, none: null });
  assert.equal(text, '{"at":"2026-03-01T10:00:00.500Z","none":null}');
});

test("returns members with their source text, in order, with repeated names", () => {
  assert.deepEqual(
    parseJsonMembers(
      '{ "a" : 1.50e1 , "b\\u0041\\"" : {"x":[1,{"y":"}"}]}, "a": "q,\\\\", "":[ ] ,"z":null}',
    ),
    [
      ["a", "1.50e1"],
      ['bA"', '{"x":[1,{"y":"}"}]}'],
      ["a", '"q,\\\\"'],
      ["", "[ ]"],
      ["z", "null"],
    ],
  );
  assert.deepEqual(parseJsonMembers("{}"), []);
});

test("finds the elements of an array with their source text", () => {
  assert.deepEqual(parseJsonElements(' [ 1.50e1 , {"a":[1,"]"]},"q,\\\\" , [ ], null ] '), [
    "1.50e1",
    '{"a":[1,"]"]}',
    '"q,\\\\"',
    "[ ]",
    "null",
  ]);
  for (const text of ["[]", " [ ] "]) assert.deepEqual(parseJsonElements(text), []);
  for (const text of ["{}", "1", "[", ""]) assert.equal(parseJsonElements(text), null);
});

test("finds the same elements of any array as JSON.parse", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(0, 2, "\t"), (array, indent) => {
      const elements = parseJsonElements(JSON.stringify(array, null, indent));
      assert.deepEqual(
        elements?.map((source) => JSON.parse(source)),
        JSON.parse(JSON.stringify(array)),
      );
    }),
  );
});

test("finds the same members of any object as JSON.parse", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 2, "\t"), (object, indent) => {
      const members = parseJsonMembers(JSON.stringify(object, null, indent));
      assert.deepEqual(
        new Map(members?.map(([name, source]) => [name, JSON.parse(source)])),
        new Map(Object.entries(JSON.parse(JSON.stringify(object)))),
      );
    }),
  );
});

test("returns null for a text that is not a JSON object", () => {
  for (const text of [
    "",
    "[]",
    "1",
    "null",
    '"a"',
    '{"a":1}x',
    '{"a":1,}',
    "{a:1}",
    '{"a":NaN}',
    "{'a':1}",
  ]) {
    assert.equal(parseJsonMembers(text), null, text);
  }
});

/** JSON texts whose strings have escapes and whose tokens have space between them. Names are repeated. */
const jsonText = (() => {
  const space = fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r"), maxLength: 2 });
  const escaped = fc.constantFrom(
    '\\"',
    "\\\\",
    "\\/",
    "\\n",
    "\\u0022",
    "\\u005c",
    "\\ud800",
    "{",
    "]",
    ":",
    ",",
  );
  const plain = fc.string({ unit: "binary", maxLength: 3 }).map((text) => JSON.stringify(text).slice(1, -1));
  const string = fc.array(fc.oneof(escaped, plain), { maxLength: 6 }).map((parts) => `"${parts.join("")}"`);
  const name = fc.oneof(string, fc.constantFrom('"a"', '"\\u0061"'));
  return fc.letrec<{ value: string }>((tie) => {
    const member = fc
      .tuple(space, name, space, tie("value"))
      .map(([a, key, b, of]) => `${a}${key}${b}:${of}`);
    const list = (part: fc.Arbitrary<string>) =>
      fc.array(part, { maxLength: 4 }).map((parts) => parts.join(",") || " ");
    const bare = fc.oneof(
      { depthSize: "small" },
      fc.oneof(string, fc.constantFrom("null", "true", "-0.0", "1.50e1", "12345678901234567890")),
      list(tie("value")).map((elements) => `[${elements}]`),
      list(member).map((members) => `{${members}}`),
    );
    return { value: fc.tuple(space, bare, space).map((parts) => parts.join("")) };
  }).value;
})();

/** The members of a JSON object, found with a regular expression for all tokens. */
function membersByTokens(text: string): [name: string, source: string][] {
  const members: [string, string][] = [];
  let [depth, name, start] = [0, "", 0];
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:,]/g)) {
    if (depth === 1 && token.startsWith('"') && start === 0) name = JSON.parse(token);
    if (depth === 1 && token === ":") start = index + 1;
    if (depth === 1 && (token === "," || token === "}") && start > 0) {
      members.push([name, text.slice(start, index).trim()]);
      start = 0;
    }
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
  }
  return members;
}

test("finds the parts of any JSON text, whatever its strings escape and its names repeat", () => {
  fc.assert(
    fc.property(jsonText, (text) => {
      const value: unknown = JSON.parse(text);
      const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
      assert.deepEqual(parseJsonMembers(text), isObject ? membersByTokens(text) : null);
      const elements = parseJsonElements(text);
      assert.deepEqual(
        elements?.map((source) => JSON.parse(source)) ?? null,
        Array.isArray(value) ? value : null,
      );
      if (typeof value === "string") assert.equal(readJsonString(text.trim()), value);
    }),
    { numRuns: 1_000 },
  );
});
