import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestCli } from "#tests/support/run-cli.ts";

const cli = openTestCli(() => ({}));

test("rates says which tokens have no price, and what that stops", async (t) => {
  t.mock.method(globalThis, "fetch", async () => new Response("", { status: 503 }));
  const { status, stderr } = await cli.run("rates");
  assert.equal(status, 0, stderr);
  assert.match(stderr, /^no price of [a-z, ]*\bbtc\b[a-z, ]*: payment links show no amount in them/m);
  assert.match(stderr, /^without a price of usdt, prices in USDT \(binance, okx\) do not count/m);
});
