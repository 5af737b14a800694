import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApi } from "#tests/support/api.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { refused } from "#tests/support/says.ts";

const api = await startTestApi();

test("a second request waits ten seconds for the first one with its idempotency key", async () => {
  const merchant = await api.merchant();
  const holder = await api.database.database.pool.connect();
  try {
    await holder.query("begin");
    await holder.query(
      "insert into idempotency_keys (merchant_id, env, key, request_hash) values ($1, 'test', 'held', '\\x00')",
      [merchant.id],
    );
    const started = performance.now();
    const second = await api.client(merchant.test).POST("/payment-links", {
      params: { header: { "idempotency-key": "held" } },
      body: PAYMENT_LINK,
    });
    refused(second, 409, "request with this idempotency key is still in progress");
    assert.ok(performance.now() - started >= 9_900);
  } finally {
    await holder.query("rollback");
    holder.release();
  }
});
