import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseExactly } from "#packages/client/src/exact-json.ts";

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
});

test("reads strings that look like numbers or members, and numbers of any form", () => {
  const text = String.raw`{"1.5":"2.5","a\"1":"\"3\\","s":"n1","list":["-1e5",-1E+5 , -0,1e400,"x : 4"]}`;
  assert.deepEqual(parseExactly(text, {}), JSON.parse(text));
});

test("refuses what JSON.parse refuses", () => {
  const part = fc.constantFrom(...'{}[]":,.-+eE019 \\\n', '"a"', '"a":', "1.5", "null", "true");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      const read = (parse: () => unknown) => {
        try {
          return parse();
        } catch (error) {
          assert.ok(error instanceof SyntaxError);
          return "refused";
        }
      };
      assert.deepEqual(
        read(() => parseExactly(text, {})),
        read(() => JSON.parse(text)),
        text,
      );
    }),
    { numRuns: 2_000, examples: [[['"', "\\", "9"]]] },
  );
});
