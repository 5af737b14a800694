import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { nextAttemptAt } from "#lib/domain/delivery/schedule-rules.ts";
import {
  categorizeOutcome,
  composeEventBody,
  decideAfterAttempt,
  extractRefid,
  listHashForms,
} from "#lib/domain/webhooks/rules.ts";
import { toNewEvent } from "#tests/support/emit-raw-event.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

const answered = (status: number, retryAfter: string | null = null) =>
  ({ kind: "answered", status, retryAfter, answer: Buffer.alloc(0) }) as const;

test("attempts follow the schedule, each measured from the one before, and end after the tenth", () => {
  const pauses = Array.from({ length: 11 }, (_, attempts) => {
    const at = nextAttemptAt(attempts, NOW, 0);
    return at && (at.getTime() - NOW.getTime()) / SECOND;
  });
  assert.deepEqual(pauses, [0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400, null]);
});

test("jitter makes an attempt up to a tenth later, never earlier", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 0.999999, noNaN: true }),
      (n, random) => {
        const base = nextAttemptAt(n, NOW, 0)!.getTime() - NOW.getTime();
        const pause = nextAttemptAt(n, NOW, random)!.getTime() - NOW.getTime();
        assert.ok(pause >= base && pause <= base * 1.1);
      },
    ),
  );
});

test("every 2xx delivers", () => {
  for (const status of [200, 201, 202, 204, 299]) {
    assert.deepEqual(decideAfterAttempt(answered(status), 1, NOW, 0), { kind: "delivered", status });
  }
});

test("retries redirects, client errors, server errors and missing answers on schedule", () => {
  const at = new Date(NOW.getTime() + 5 * SECOND);
  for (const status of [301, 302, 307, 308, 400, 401, 404, 500, 502]) {
    const retry = { kind: "retry", at, status, error: `answered ${status}` };
    assert.deepEqual(decideAfterAttempt(answered(status), 1, NOW, 0), retry);
  }
  const silent = decideAfterAttempt({ kind: "unreachable", error: "timeout" }, 1, NOW, 0);
  assert.deepEqual(silent, { kind: "retry", at, status: null, error: "timeout" });
});

test("410 fails at once and disables the endpoint, a failed tenth attempt does not", () => {
  const failed = (status: number) => ({ kind: "failed", status, error: `answered ${status}` });
  assert.deepEqual(decideAfterAttempt(answered(410), 1, NOW, 0), { ...failed(410), disableEndpoint: true });
  for (const [status, retryAfter] of [[500], [503, "10"]] as const)
    assert.deepEqual(decideAfterAttempt(answered(status, retryAfter), 10, NOW, 0), {
      ...failed(status),
      disableEndpoint: false,
    });
});

test("429 and 503 wait for Retry-After, a day at most, and other statuses do not", () => {
  for (const [status, retryAfter, seconds] of [
    [429, "120", 120],
    [503, "Sun, 01 Mar 2026 12:10:00 GMT", 600],
    [429, "999999999", (24 * HOUR) / SECOND],
    [500, "120", 5],
    // Retry-After is a minimum: it does not shorten the schedule. A malformed one is ignored.
    ...["1", "", "soon", "-5", "Sun, 01 Mar 2020 12:00:00 GMT", "9999999999999"].map((text) => [
      429,
      text,
      5,
    ]),
  ] as [number, string, number][]) {
    const decision = decideAfterAttempt(answered(status, retryAfter), 1, NOW, 0);
    assert.ok(decision.kind === "retry");
    assert.equal((decision.at.getTime() - NOW.getTime()) / SECOND, seconds, `${status} ${retryAfter}`);
  }
});

const event = (dataJson: string) =>
  toNewEvent({ merchantId: 1, env: "test", type: "payment_link_completed", dataJson, txHashes: [] });

test("the body has type, timestamp and data in this order, with the text of the data unchanged", () => {
  const metadata = '{ "big": 12345678901234567890.10, "a" : 1.0e3,\n\t"dup":1,"dup":2, "é":"\\u00e9\\/" }';
  assert.equal(
    composeEventBody(event(`{"refid":"x","metadata":${metadata}}`), NOW),
    `{"type":"payment_link_completed","timestamp":"2026-03-01T12:00:00.000Z","data":{"refid":"x","metadata":${metadata}}}`,
  );
});

test("keeps any JSON text unchanged in the body", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(4), (text, indent) => {
      const written = JSON.stringify(JSON.parse(text), null, indent);
      const body = composeEventBody(event(written), NOW);
      assert.ok(body.endsWith(`"data":${written}}`));
      assert.deepEqual(JSON.parse(body).data, JSON.parse(written));
    }),
  );
});

test("rejects data that is not JSON, so that it cannot break out of the body", () => {
  for (const text of ["", "{", '1},"type":"x"', "undefined"]) {
    assert.throws(() => composeEventBody(event(text), NOW), SyntaxError, text);
  }
});

test("searches a hash in every form in which it may be stored", () => {
  assert.deepEqual(listHashForms("0xAB12"), ["0xAB12", "ab12", "0xab12"]);
  assert.deepEqual(listHashForms("ab12"), ["ab12", "0xab12"]);
  assert.deepEqual(listHashForms("0XAB12"), ["0XAB12", "ab12", "0xab12"]);
  // Base58 is case-sensitive.
  assert.deepEqual(listHashForms("5VERv8NMvzbJMEkV8xnrLkEaWRtSz9Cos"), ["5VERv8NMvzbJMEkV8xnrLkEaWRtSz9Cos"]);
  assert.deepEqual(listHashForms(""), [""]);
});

test("counts an attempt by a category of its outcome", () => {
  for (const [outcome, ...statuses] of [
    ["delivered", 200, 204],
    ["redirected", 301],
    ["client_error", 404, 410],
    ["server_error", 503],
    ["other_status", 101, 999],
  ] as [string, ...number[]][])
    for (const status of statuses) assert.equal(categorizeOutcome(answered(status)), outcome, `${status}`);
  for (const [outcome, ...errors] of [
    ["timeout", "timeout", "ETIMEDOUT", "ETIMEOUT", "UND_ERR_CONNECT_TIMEOUT"],
    ["refused", "address_not_allowed", "url_port_closed"],
    ["name", "ENOTFOUND", "EAI_AGAIN"],
    ["connection", "ECONNREFUSED", "ECONNRESET", "UND_ERR_SOCKET"],
    ["tls", "CERT_HAS_EXPIRED", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "ERR_SSL_WRONG_VERSION_NUMBER"],
    ["other", "request failed", "anything at all"],
  ])
    for (const error of errors)
      assert.equal(categorizeOutcome({ kind: "unreachable", error }), outcome, error);
  assert.equal(categorizeOutcome({ kind: "unsigned" }), "unsigned");
});

test("finds the link of a body, and a customer's text cannot look like it", () => {
  const body = (data: unknown) => composeEventBody(event(JSON.stringify(data)), NOW);
  assert.equal(
    extractRefid(body({ refid: "4kWbmNfMQJcYf4ALXXJwd4", state: "completed" })),
    "4kWbmNfMQJcYf4ALXXJwd4",
  );
  assert.equal(extractRefid(body({ name: 'x","refid":"stolen', refid: null })), null);
  assert.equal(extractRefid(body({})), null);
});
