/** Endpoint 6, POST /transaction/search-blockchain-txhash, over real nodes (TRON: our emulator of one). */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { NETWORK_CODES } from "#lib/chains/networks.ts";
import type { RequestBody } from "#packages/client/src/client.ts";
import { FAUCET, mine, rpc, sendEvmUsdt, startTestChain, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { bitcoinNetwork } from "#tests/support/bitcoin-adapter.ts";
import { NOBODY, openBitcoin, shareBitcoind } from "#tests/support/bitcoind.ts";
import { startTestChainApi } from "#tests/support/chain-api.ts";
import { refused, succeeded } from "#tests/support/says.ts";
import { newAccount, payUsdt, post, startTronEmulator, trc20 } from "#tests/support/tron.ts";
import { bep20, evmNetwork } from "#tests/support/watched-chain.ts";

const anvil = await startTestChain("bep20");
const bitcoind = await shareBitcoind();
const bitcoin = openBitcoin(bitcoind.url);
const tron = await startTronEmulator({ automine: false, solidifiedLag: 2 });
const [erc20, base] = [await startTestChain("erc20"), await startTestChain("base")];
const api = await startTestChainApi(
  evmNetwork("erc20", [erc20.url], { usdt: USDT_ADDRESS }),
  evmNetwork("base", [base.url], { usdt: USDT_ADDRESS }),
  bep20(anvil.url),
  bitcoinNetwork(bitcoind.url),
  trc20(tron),
);
after(() => Promise.all([anvil.kill(), erc20.kill(), base.kill(), tron.stop()]));
const merchant = await api.merchant();

const path = "/transaction/search-blockchain-txhash";
type Asked = RequestBody<"/transaction/search-blockchain-txhash">;
const search = (network: Asked["network"], tx_hash: string, by = merchant.test) =>
  api.client(by).POST("/transaction/search-blockchain-txhash", { body: { tx_hash, network } });
const found = (answer: Parameters<typeof succeeded>[0], data: unknown) =>
  succeeded(answer, "transaction retrieved successfully", data);
const HERE = ["bep20", "erc20", "base", "bitcoin", "trc20"] as const;
const NOBODY_EVM = `0x${"11".repeat(20)}`;

test("on an EVM network the data is a string with the receipt's JSON, once it is in a block", async () => {
  const tx_hash = await sendEvmUsdt(anvil.url, NOBODY_EVM, 5n);
  refused(await search("bep20", tx_hash), 404, "Transaction not found");
  await mine(anvil.url);
  const receipt = await rpc(anvil.url, "eth_getTransactionReceipt", [tx_hash]);
  for (const text of [tx_hash, tx_hash.slice(2), `0x${tx_hash.slice(2).toUpperCase()}`]) {
    found(await search("bep20", text), JSON.stringify(receipt));
  }
  const form = await api.send({ path, form: { tx_hash, network: "bep20" }, key: merchant.test });
  found(form, JSON.stringify(receipt));
});

test("the same holds for coin transfers on Ethereum and Base", async () => {
  for (const [network, { url }] of [
    ["erc20", erc20],
    ["base", base],
  ] as const) {
    const payment = { from: FAUCET.address, to: NOBODY_EVM, value: "0x1" };
    const tx_hash = String(await rpc(url, "eth_sendTransaction", [payment]));
    refused(await search(network, tx_hash), 404, "Transaction not found");
    await mine(url);
    const receipt = await rpc(url, "eth_getTransactionReceipt", [tx_hash]);
    found(await search(network, tx_hash), JSON.stringify(receipt));
  }
});

test("on bitcoin the data is the decoded transaction, in the mempool and in a block", async () => {
  const txid = await bitcoin.sendTo(NOBODY, "0.12345678");
  const waiting = await bitcoin.call("getrawtransaction", txid, true);
  found(await search("bitcoin", txid), waiting);
  const [block] = await bitcoin.mine();
  const mined = await bitcoin.call<{ txid: string }>("getrawtransaction", txid, true, block);
  assert.equal(mined.txid, txid);
  found(await search("bitcoin", txid.toUpperCase()), mined);
});

test("on trc20 the data is the transaction with its result", async () => {
  const txid = await payUsdt(tron, newAccount().address, 2_500_000);
  refused(await search("trc20", txid), 404, "Transaction not found");
  await tron.mine();
  const ask = (call: string) => post(`${tron.url}/wallet/${call}`, { value: txid, visible: true });
  const [transaction, info] = [await ask("gettransactionbyid"), await ask("gettransactioninfobyid")];
  const data = { txid, transaction, info };
  assert.equal((data.transaction as { txID: string }).txID, txid);
  assert.equal((data.info as { id: string }).id, txid);
  for (const tx_hash of [txid, `0x${txid.toUpperCase()}`]) {
    found(await search("trc20", tx_hash), data);
  }
});

test("does not find a transaction that is not on the chain", async () => {
  for (const network of HERE) {
    const hashes = ["ab".repeat(32), `0x${"cd".repeat(32)}`, "nonsense", "0x", "\0", "x".repeat(9_000)];
    for (const hash of hashes) refused(await search(network, hash), 404, "Transaction not found");
  }
});

test("refuses a network without a configured node as not available", async () => {
  const tx_hash = "ab".repeat(32);
  for (const network of NETWORK_CODES) {
    if (HERE.some((here) => here === network)) continue;
    refused(await search(network, tx_hash), 503, "network not available");
  }
  refused(await search("bep20", tx_hash, merchant.live), 503, "network not available");
});

for (const [what, json, message] of [
  ["nothing", {}, "(tx_hash) not found in request body"],
  ["no hash", { network: "bep20" }, "(tx_hash) not found in request body"],
  ["an empty hash", { tx_hash: "", network: "polygon" }, "(tx_hash) not found in request body"],
  ["no network", { tx_hash: "ab" }, "(network) not found in request body"],
  ["another network", { tx_hash: "ab", network: "polygon" }, "network not supported"],
  ["a network in capitals", { tx_hash: "ab", network: "BEP20" }, "network not supported"],
  ["a hash that is no text", { tx_hash: 5, network: "bep20" }, "(tx_hash) must be a string"],
  ["a network that is no text", { tx_hash: "ab", network: ["bep20"] }, "(network) must be a string"],
] as const) {
  test(`refuses ${what}`, async () =>
    refused(await api.send({ path, json, key: merchant.test }), 400, message));
}
