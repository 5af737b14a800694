import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hasExactJsonParse, parseExactly } from "#packages/client/src/exact-json.ts";

test("this runtime can read numbers exactly", () => assert.equal(hasExactJsonParse(), true));

test("returns decimals as their text and other numbers as numbers", () => {
  const text = `{"data":{"value":1.234567890123456789,"whole":12345678901234567890123,"n":5,
    "list":[{"fee":0.1,"id":7},{"fee":null,"id":8}],"metadata":{"value":1.50,"fee":[2]}}}`;
  const places = { data: { value: true, whole: true, list: { "*": { fee: true } } } } as const;
  assert.deepEqual(parseExactly(text, places), {
    data: {
      value: "1.234567890123456789",
      whole: "12345678901234567890123",
      n: 5,
      list: [
        { fee: "0.1", id: 7 },
        { fee: null, id: 8 },
      ],
      metadata: { value: 1.5, fee: [2] },
    },
  });
});

test("reads a member with any name like the others, and named members as described", () => {
  const places = { balance: { "*": true, id: {} } } as const;
  assert.deepEqual(parseExactly('{"balance":{"id":1,"btc":0.10,"eth":2}}', places), {
    balance: { id: 1, btc: "0.10", eth: "2" },
  });
});

test("parses any text like JSON.parse without decimal places", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      assert.deepEqual(parseExactly(text, {}), JSON.parse(text));
    }),
  );
  assert.throws(() => parseExactly("{", {}), SyntaxError);
});
