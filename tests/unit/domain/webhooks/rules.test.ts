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
    assert.deepEqual(decideAfterAttempt(answered(status), 1, NOW, 0), {
      kind: "retry",
      at,
      status,
      error: `answered ${status}`,
    });
  }
  assert.deepEqual(decideAfterAttempt({ kind: "unreachable", error: "timeout" }, 1, NOW, 0), {
    kind: "retry",
    at,
    status: null,
    error: "timeout",
  });
});

test("410 fails at once and disables the endpoint", () => {
  assert.deepEqual(decideAfterAttempt(answered(410), 1, NOW, 0), {
    kind: "failed",
    status: 410,
    error: "answered 410",
    disableEndpoint: true,
  });
});

test("after the tenth attempt a delivery has failed, and the endpoint stays enabled", () => {
  assert.deepEqual(decideAfterAttempt(answered(500), 10, NOW, 0), {
    kind: "failed",
    status: 500,
    error: "answered 500",
    disableEndpoint: false,
  });
  assert.equal(decideAfterAttempt(answered(503, "10"), 10, NOW, 0).kind, "failed");
});

test("429 and 503 wait for Retry-After, other statuses do not", () => {
  const at = (status: number, retryAfter: string) => {
    const decision = decideAfterAttempt(answered(status, retryAfter), 1, NOW, 0);
    assert.equal(decision.kind, "retry");
    return decision.kind === "retry" ? (decision.at.getTime() - NOW.getTime()) / SECOND : null;
  };
  assert.equal(at(429, "120"), 120);
  assert.equal(at(503, "Sun, 01 Mar 2026 12:10:00 GMT"), 600);
  assert.equal(at(500, "120"), 5);
  // Retry-After is a minimum: it does not shorten the schedule.
  assert.equal(at(429, "1"), 5);
});

test("waits at most a day for a Retry-After, and ignores a malformed one", () => {
  const waitSeconds = (retryAfter: string) => {
    const decision = decideAfterAttempt(answered(429, retryAfter), 1, NOW, 0);
    return decision.kind === "retry" ? (decision.at.getTime() - NOW.getTime()) / SECOND : null;
  };
  assert.equal(waitSeconds("999999999"), (24 * HOUR) / SECOND);
  for (const text of ["", "soon", "-5", "Sun, 01 Mar 2020 12:00:00 GMT", "9999999999999"]) {
    assert.equal(waitSeconds(text), waitSeconds("1"), text);
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
  for (const [status, outcome] of [
    [200, "delivered"],
    [204, "delivered"],
    [301, "redirected"],
    [404, "client_error"],
    [410, "client_error"],
    [503, "server_error"],
    [101, "other_status"],
    [999, "other_status"],
  ] as const) {
    assert.equal(categorizeOutcome(answered(status)), outcome, String(status));
  }
  for (const [error, outcome] of [
    ["timeout", "timeout"],
    ["ETIMEDOUT", "timeout"],
    ["ETIMEOUT", "timeout"],
    ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
    ["address_not_allowed", "refused"],
    ["url_port_closed", "refused"],
    ["ENOTFOUND", "name"],
    ["EAI_AGAIN", "name"],
    ["ECONNREFUSED", "connection"],
    ["ECONNRESET", "connection"],
    ["UND_ERR_SOCKET", "connection"],
    ["CERT_HAS_EXPIRED", "tls"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "tls"],
    ["request failed", "other"],
    ["anything at all", "other"],
  ] as const) {
    assert.equal(categorizeOutcome({ kind: "unreachable", error }), outcome, error);
  }
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
