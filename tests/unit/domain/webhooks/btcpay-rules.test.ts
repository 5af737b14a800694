import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, test } from "node:test";
import { boundOrigin, mayReach, readOwnSecret } from "#lib/domain/webhooks/bound-rules.ts";
import {
  composeInvoiceBody,
  composeStoredInvoiceEvent,
  decideAfterInvoiceAttempt,
} from "#lib/domain/webhooks/btcpay-rules.ts";
import { composeAttempt } from "#lib/domain/webhooks/formats.ts";
import { extractRefid } from "#lib/domain/webhooks/rules.ts";
import { JsonText } from "#lib/platform/json-text.ts";
import { OPERATOR, programOf } from "#tests/support/acts.ts";

const NOW = new Date("2026-03-01T12:00:00.250Z");
const answered = (status: number) =>
  ({ kind: "answered", status, retryAfter: "3600", answer: Buffer.alloc(0) }) as const;
const unreachable = { kind: "unreachable", error: "timeout" } as const;
const first = { attempt: 1, automaticRedelivery: true };

describe("a failed delivery", () => {
  test("is tried again after 10 seconds, a minute and six times ten minutes", () => {
    const pauses = Array.from({ length: 10 }, (_, n) => {
      const decision = decideAfterInvoiceAttempt(answered(500), { ...first, attempt: n + 1 }, NOW);
      return decision.kind === "retry" ? (decision.at.getTime() - NOW.getTime()) / 1_000 : decision.kind;
    });
    assert.deepEqual(pauses, [10, 60, 600, 600, 600, 600, 600, 600, "failed", "failed"]);
  });

  test("is tried again after no answer, 5xx, 408 and 429, and after nothing else", () => {
    const kinds = [408, 429, 500, 502, 503, 599].map(answered).concat();
    for (const outcome of [unreachable, ...kinds])
      assert.equal(decideAfterInvoiceAttempt(outcome, first, NOW).kind, "retry");
    for (const status of [301, 400, 401, 404, 410, 422])
      assert.deepEqual(decideAfterInvoiceAttempt(answered(status), first, NOW), {
        ...{ kind: "failed", status, error: `answered ${status}`, disableEndpoint: false },
      });
    assert.equal(decideAfterInvoiceAttempt(answered(204), first, NOW).kind, "delivered");
  });

  test("is not tried again by itself if the shop did not want that", () => {
    const decision = decideAfterInvoiceAttempt(answered(500), { ...first, automaticRedelivery: false }, NOW);
    assert.equal(decision.kind, "failed");
  });
});

describe("the body of an event", () => {
  const stored = composeStoredInvoiceEvent(
    {
      ...{ merchantId: 1, env: "test", type: "InvoiceSettled", invoiceId: "4fRk9ZqWm2TgYx7LbNc3Vd" },
      ...{ storeId: "shop1", data: { manuallyMarked: false, overPaid: true }, txHashes: [] },
      metadata: new JsonText('{"orderId":"7","refid":"other","n": 1.50}'),
    },
    NOW,
  );
  const delivery = { deliveryId: 12, originalId: null, endpointId: 3, eventId: 9, attempt: 1 };

  test("has the ids of its delivery before its fields, and the metadata unchanged", () => {
    assert.equal(extractRefid(stored), "4fRk9ZqWm2TgYx7LbNc3Vd");
    assert.equal(
      composeInvoiceBody(stored, delivery),
      '{"deliveryId":"12","webhookId":"3","originalDeliveryId":"12","isRedelivery":false,"type":"InvoiceSettled",' +
        '"timestamp":1772366400,"storeId":"shop1","invoiceId":"4fRk9ZqWm2TgYx7LbNc3Vd","manuallyMarked":false,' +
        '"overPaid":true,"metadata":{"orderId":"7","refid":"other","n": 1.50}}',
    );
  });

  test("names the first delivery when it is sent again, by itself or by a person", () => {
    const idsOf = (changes: { attempt?: number; deliveryId?: number; originalId?: number }) => {
      const { deliveryId, originalDeliveryId, isRedelivery } = JSON.parse(
        composeInvoiceBody(stored, { ...delivery, ...changes }),
      );
      return [deliveryId, originalDeliveryId, isRedelivery];
    };
    assert.deepEqual(idsOf({ attempt: 2 }), ["12-2", "12", true]);
    assert.deepEqual(idsOf({ deliveryId: 20, originalId: 12 }), ["20", "12", true]);
  });

  test("is signed as a whole with the text of the secret", () => {
    const { body, headers } = composeAttempt("btcpay", ["geheim ü", "old"], { stored, delivery }, NOW);
    const expected = createHmac("sha256", Buffer.from("geheim ü", "utf8")).update(body).digest("hex");
    assert.deepEqual(headers, { "BTCPay-Sig": `sha256=${expected}` });
  });
});

describe("a key that is bound to the origin of a shop", () => {
  const grant = { permissions: [], origin: "https://shop.example.com" };
  const bound = boundOrigin(programOf(1, { scope: "greenfield", grant }));
  const reaches = (url: string | null, format: "btcpay" | "standard" = "btcpay") =>
    mayReach(bound, { url, format });

  test("reaches every path there, in the shop's format", () => {
    assert.equal(reaches("https://shop.example.com/?wc-api=btcpaygf_default"), true);
    assert.equal(reaches("https://SHOP.example.com:443/x"), true);
    assert.equal(reaches("https://shop.example.com/hook", "standard"), false);
  });

  test("reaches no other origin, however it is written", () => {
    const others = [
      "http://shop.example.com/",
      "https://shop.example.com:8443/",
      "https://shop.example.com.evil.example/",
      "https://shop.example.com@evil.example/",
      "https://evil.example/?https://shop.example.com",
      "https://sub.shop.example.com/",
      "not a url",
      null,
    ];
    assert.deepEqual(
      others.map((url) => reaches(url)),
      others.map(() => false),
    );
  });

  test("is the only actor who is bound", () => {
    for (const actor of [OPERATOR, programOf(1)])
      assert.equal(mayReach(boundOrigin(actor), { url: "https://any.example/", format: "standard" }), true);
  });
});

test("accepts printable secrets of up to 256 characters", () => {
  assert.deepEqual(readOwnSecret("a B-9_~"), { text: "a B-9_~" });
  for (const text of ["", "a\nb", "ü", "x".repeat(257)]) assert.equal(readOwnSecret(text), null);
});
