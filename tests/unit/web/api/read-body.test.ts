import assert from "node:assert/strict";
import { test } from "node:test";
import { JsonText } from "#lib/platform/json-text.ts";
import { readBody } from "#lib/web/api/read-body.ts";

const FORM = "application/x-www-form-urlencoded";

async function read(type: string | null, body: string | Uint8Array<ArrayBuffer>) {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const result = await readBody(
    new Request("http://localhost/", {
      method: "POST",
      body: bytes,
      headers: type === null ? {} : { "content-type": type },
    }),
  );
  return result.ok ? Object.fromEntries(result.fields) : result;
}

test("reads the same fields from a form and a JSON body with the same texts", async () => {
  const expected = { a: "1 é+", b: "" };
  assert.deepEqual(await read(FORM, "a=1+%C3%A9%2B&b="), expected);
  assert.deepEqual(await read(FORM, "a=1 é%2B&b"), expected);
  assert.deepEqual(await read("application/json; charset=UTF-8", '{"a":"1 é+","b":""}'), expected);
});

test("keeps the source text of JSON numbers, objects, arrays and booleans; null is absent", async () => {
  const text = '{"n":0.10000000000000000000001,"o":{"x": 1.0},"l":[ ],"t":true,"z":null}';
  assert.deepEqual(await read("application/json", text), {
    n: new JsonText("0.10000000000000000000001"),
    o: new JsonText('{"x": 1.0}'),
    l: new JsonText("[ ]"),
    t: new JsonText("true"),
  });
});

test("reads fields whose names are property names of JavaScript", async () => {
  assert.deepEqual(await read(FORM, "__proto__=1&constructor=2"), {
    ["__proto__"]: "1",
    constructor: "2",
  });
});

test("keeps a percent sign without hex digits", async () => {
  assert.deepEqual(await read(FORM, "a=100%&b=%zz"), { a: "100%", b: "%zz" });
});

test("an empty body of any type has no fields", async () => {
  for (const type of [null, FORM, "application/json"]) assert.deepEqual(await read(type, ""), {});
});

/** `{"a":"…"}` with a byte that UTF-8 does not have. */
const NOT_UTF8 = Uint8Array.of(0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d);
/** Bodies that are refused before the operation is known. The refusals of every operation: tests/api/bad-input.test.ts. */
const refused: [
  what: string,
  type: string | null,
  body: string | Uint8Array<ArrayBuffer>,
  expected: object,
][] = [
  ["a raw NUL in JSON", "application/json", '{"a":"\0"}', { reason: "invalid_json" }],
  ["JSON that is not UTF-8", "application/json", NOT_UTF8, { reason: "invalid_json" }],
  ["a form that is not UTF-8", FORM, Uint8Array.of(0x61, 0x3d, 0xff), { reason: "invalid_form" }],
  ["an encoded lone surrogate", FORM, "a=%ED%A0%80", { reason: "unsupported_character", name: "a" }],
  ["no type", null, "a=1", { reason: "unsupported_content_type" }],
  ["one byte over the limit", FORM, `a=${"x".repeat(64 * 1024 - 1)}`, { reason: "body_too_large" }],
];
for (const [what, type, body, expected] of refused) {
  test(`refuses ${what}`, async () => {
    assert.deepEqual(await read(type, body), { ok: false, ...expected });
  });
}

test("reads a body of exactly 64 KiB", async () => {
  assert.deepEqual(await read(FORM, `a=${"x".repeat(64 * 1024 - 2)}`), { a: "x".repeat(64 * 1024 - 2) });
});

test("refuses a body over 64 KiB that declares a smaller or no length", async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(new Uint8Array(16 * 1024));
    },
  });
  const result = await readBody(
    new Request("http://localhost/", { method: "POST", body: endless, duplex: "half" } as RequestInit),
  );
  assert.deepEqual(result, { ok: false, reason: "body_too_large" });
  assert.ok(sent < 10, `${sent} chunks were taken`);
});

test("reads JSON that is nested as deeply as the size limit allows", async () => {
  const deep = "[".repeat(32_000) + "]".repeat(32_000);
  assert.deepEqual(await read("application/json", `{"a":${deep}}`), { a: new JsonText(deep) });
  assert.deepEqual(await read("application/json", `{"a":${deep}`), { ok: false, reason: "invalid_json" });
});
