/** A network of a family that shows blocks and derives addresses, and has no further capability: what needs one is refused. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { startTestChain } from "#tests/support/anvil.ts";
import { startTestChainApi } from "#tests/support/chain-api.ts";
import { refused, successOf } from "#tests/support/says.ts";
import { bep20 } from "#tests/support/watched-chain.ts";

const anvil = await startTestChain();
after(() => anvil.kill());
const whole = bep20(anvil.url);
const adapter: NetworkAdapter = {
  ...whole.find("test", "bep20")!,
  transactions: null,
  fees: null,
  feeRates: null,
  custody: null,
  unlistedTokens: null,
  sending: null,
};
const networks: NetworkRegistry = {
  find: (env, network) => (whole.find(env, network) === null ? null : adapter),
  list: (env) => (env === "test" ? [adapter] : []),
  all: () => [adapter],
};
const api = await startTestChainApi(networks);
const merchant = await api.merchant();
const tx_hash = `0x${"ab".repeat(32)}`;
const post = (path: string, json: Record<string, string>, idempotencyKey = "once") =>
  api.send({ path, json, key: merchant.test, headers: { "idempotency-key": idempotencyKey } });

test("refuses each lookup of a transaction and of the fee", async () => {
  const text = "network not supported";
  refused(await post("/transaction/search-blockchain-txhash", { tx_hash, network: "bep20" }), 400, text);
  refused(await post("/transaction/requery/bep20", { tx_hash }), 400, text);
  refused(await post("/transaction/network-fee", { network: "bep20" }), 400, text);
});

test("refuses a withdrawal before anything is reserved", async () => {
  const to = "0x976EA74026E726554dB657fA54763abd0C3a0aa9";
  const asked = { network: "bep20", token: "usdt", amount: "12.5", to };
  refused(await post("/withdrawals", asked), 422, "withdrawals not enabled for network");
  assert.equal((await api.database.db.select().from(withdrawals)).length, 0);
});

test("derives addresses", async () => {
  const client = api.client(merchant.test);
  const wallet = await client.POST("/wallets/generate-merchant-wallet", { body: { network: "bep20" } });
  assert.match(successOf(wallet).data.address, /^0x/);
});
