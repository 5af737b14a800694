import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  JsonText,
  parseJsonElements,
  parseJsonMembers,
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
