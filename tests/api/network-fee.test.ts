/** Endpoint 8, POST /transaction/network-fee, over real nodes. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { formatAmount } from "#lib/platform/money/amount.ts";
import type { RequestBody } from "#packages/client/src/client.ts";
import { mine, rpc, startTestChain, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { bitcoinNetwork } from "#tests/support/bitcoin-adapter.ts";
import { startBitcoind } from "#tests/support/bitcoind.ts";
import { startTestChainApi } from "#tests/support/chain-api.ts";
import { startTestFakeNode } from "#tests/support/fake-node.ts";
import { refused, succeeded } from "#tests/support/says.ts";
import { bep20, evmNetwork } from "#tests/support/watched-chain.ts";

const anvil = await startTestChain("bep20");
const [erc20, base] = [await startTestChain("erc20"), await startTestChain("base")];
const bitcoind = await startBitcoind();
const fake = await startTestFakeNode(bitcoind.url);
const evmNetworks = [
  bep20(anvil.url),
  evmNetwork("erc20", [erc20.url], { usdt: USDT_ADDRESS }),
  evmNetwork("base", [base.url], { usdt: USDT_ADDRESS }),
];
const api = await startTestChainApi(...evmNetworks, bitcoinNetwork(fake.url));
after(() => Promise.all([anvil.kill(), erc20.kill(), base.kill(), bitcoind.kill()]));
const merchant = await api.merchant();

const path = "/transaction/network-fee";
type Asked = RequestBody<"/transaction/network-fee">;
const ask = (network: Asked["network"], by = merchant.test) =>
  api.client(by).POST("/transaction/network-fee", { body: { network } });
const send = (json: unknown) => api.send({ path, json, key: merchant.test });
const quoted = (answer: Awaited<ReturnType<typeof ask>>, data: unknown) =>
  succeeded(answer, "network fee retrieved successfully", data);

test("every rate of a new bitcoin chain is the minimum of the mempool", async () => {
  quoted(await ask("bitcoin"), {
    network: "bitcoin",
    token: "btc",
    fee: "0.00000141",
    virtual_bytes: 141,
    rates: { fastest: "1", half_hour: "1", hour: "1", economy: "1", minimum: "1" },
  });
  const { text } = await send({ network: "bitcoin" });
  assert.ok(text.includes('"fee":0.00000141,'), text);
});

test("the bitcoin fee is the node's fastest rate times the size, and a faster rate is never lower", async () => {
  const estimates: Record<number, number> = { 2: 0.00025001, 3: 0.0001, 6: 0.00012, 144: 0.0000201 };
  fake.twist = ({ method, params }) => {
    if (method === "estimatesmartfee") return { feerate: estimates[Number(params[0])] };
    if (method === "getmempoolinfo") return { loaded: true, mempoolminfee: 0.00002 };
    return undefined;
  };
  quoted(await ask("bitcoin"), {
    network: "bitcoin",
    token: "btc",
    // 26 satoshis for each of 141 bytes.
    fee: "0.00003666",
    virtual_bytes: 141,
    rates: { fastest: "26", half_hour: "12", hour: "12", economy: "3", minimum: "2" },
  });
});

for (const [network, node, token] of [
  ["bep20", anvil, "bnb"],
  ["erc20", erc20, "eth"],
  ["base", base, "eth"],
] as const) {
  test(`the fee on an EVM network (${network}) is the gas of a token transfer at the node's price, in the coin`, async () => {
    await rpc(node.url, "anvil_setNextBlockBaseFeePerGas", ["0x3b9aca01"]);
    await mine(node.url);
    const price = BigInt(String(await rpc(node.url, "eth_gasPrice")));
    assert.ok(price > 0n);
    const fee = formatAmount(price * 65_000n, 18);
    quoted(await ask(network), { network, token, fee, gas: 65_000, gas_price: formatAmount(price, 9) });
    // Compare the digits of the integer, because a float would round them.
    const digits = (price * 65_000n).toString().replace(/0+$/, "");
    const { text } = await send({ network });
    assert.ok(text.includes(digits), `${text} holds ${digits}`);
  });
}

test("refuses a listed network without a configured node as not available", async () => {
  for (const network of ["litecoin", "xrp", "dogecoin", "solana"] as const) {
    refused(await ask(network), 503, "network not available");
  }
  refused(await ask("bep20", merchant.live), 503, "network not available");
});

for (const [what, json, message] of [
  ["nothing", {}, "(network) not found in request body"],
  ["an empty network", { network: "" }, "(network) not found in request body"],
  ["trc20, which has no such fee", { network: "trc20" }, "network not supported"],
  ["another network", { network: "polygon" }, "network not supported"],
  ["a network in capitals", { network: "BITCOIN" }, "network not supported"],
  ["a network that is not a text", { network: 1 }, "(network) must be a string"],
] as const) {
  test(`refuses ${what}`, async () => refused(await send(json), 400, message));
}
