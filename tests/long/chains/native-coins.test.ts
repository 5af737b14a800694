/**
 * Native coins of EVM networks: what is reported and what is not, twin addresses, links that ask for a
 * token. Real nodes (anvil).
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { displayPosition, NO_POSITION, TRACE_POSITION } from "#lib/chains/transfers.ts";
import { watchCursors } from "#lib/domain/deposits/tables.ts";
import { FAUCET, mine, openTestChain, rpc, sendEvmUsdt, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import { forwardCoin } from "#tests/support/evm-payments.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import { until } from "#tests/support/until.ts";
import { ACCOUNT_KEY, evmNetwork, log, openWatchedChain } from "#tests/support/watched-chain.ts";
import { openWatchedNetwork, polledOften } from "#tests/support/watched-network.ts";

const ETHER = 10n ** 18n;
const OURS = "0x00000000000000000000000000000000000000aa";

type Evm = "bep20" | "erc20" | "base";

async function sendCoin(url: string, to: string | null, wei: bigint, more: object = {}): Promise<string> {
  const payment = { from: FAUCET.address, value: `0x${wei.toString(16)}`, ...(to && { to }), ...more };
  return String(await rpc(url, "eth_sendTransaction", [payment]));
}

async function node(t: TestContext, network: Evm) {
  const { url } = await openTestChain(t, network);
  return url;
}

const height = async (url: string) => Number(await rpc(url, "eth_blockNumber"));

test("reports what transactions themselves move to us, and what contracts pay on only with traces", async (t) => {
  const url = await node(t, "erc20");
  const adapter = evmNetwork("erc20", [url], { usdt: USDT_ADDRESS }).find("test", "erc20")!;
  const paid = await sendCoin(url, OURS, ETHER);
  const forwarded = await forwardCoin(url, OURS, ETHER);
  // SELFDESTRUCT to the address, from a contract's creation: value that arrives without a call.
  const destroyed = await sendCoin(url, null, ETHER, { data: `0x73${OURS.slice(2)}ff`, gas: "0x186a0" });
  const token = await sendEvmUsdt(url, OURS, 5_000_000n);
  await mine(url);
  const at = await height(url);
  const { transfers } = await adapter.blocks.scan({ from: at, to: at }, owning(OURS));
  assert.deepEqual(
    transfers.map(({ txHash, token: code, position, amount }) => [txHash, code, position, amount]),
    [
      [paid, "eth", NO_POSITION, ETHER],
      [token, "usdt", 0, 5n * ETHER],
    ],
  );
  assert.equal(
    BigInt(String(await rpc(url, "eth_getBalance", [OURS, "latest"]))),
    3n * ETHER,
    "and it is there",
  );
  // From the node's traces everything is reported, in the same order by every node.
  const tracing = evmNetwork("erc20", [url], { usdt: USDT_ADDRESS }, { traces: true }).find("test", "erc20")!;
  const traced = await tracing.blocks.scan({ from: at, to: at }, owning(OURS));
  const coins = traced.transfers.filter(({ token: code }) => code === "eth");
  assert.deepEqual(
    coins.map(({ txHash, position, amount }) => [txHash, position, amount]),
    [
      [paid, NO_POSITION, ETHER],
      [forwarded, TRACE_POSITION, ETHER],
      [destroyed, TRACE_POSITION, ETHER],
    ],
  );
  assert.deepEqual([NO_POSITION, TRACE_POSITION, 0].map(displayPosition), [null, null, 0]);
});

test("reads no block whole when the coin is not received; its fee and withdrawals in it still work", async (t) => {
  const url = await node(t, "erc20");
  const fake = await openFakeNode(t, url);
  const open = (tokens: readonly ("eth" | "usdt")[]) =>
    evmNetwork("erc20", [fake.url], { usdt: USDT_ADDRESS }, { tokens }).find("test", "erc20")!;
  const coin = await sendCoin(url, OURS, ETHER);
  const token = await sendEvmUsdt(url, OURS, 5_000_000n);
  await mine(url);
  const at = await height(url);
  const scan = async (tokens: readonly ("eth" | "usdt")[]) =>
    (await open(tokens).blocks.scan({ from: at, to: at }, owning(OURS))).transfers.map(
      ({ txHash }) => txHash,
    );
  assert.deepEqual(await scan(["usdt"]), [token]);
  assert.deepEqual(await open(["usdt"]).unlistedTokens!.scan({ from: at, to: at }, [OURS]), []);
  assert.equal(fake.calls.filter(({ params }) => params[1] === true).length, 0, "no whole block");
  assert.deepEqual(await scan(["eth"]), [coin]);
  assert.deepEqual(await open(["eth"]).unlistedTokens!.scan({ from: at, to: at }, [OURS]), []);
  const without = open(["usdt"]);
  assert.equal((await without.feeRates!.fetch()).coin, "eth");
  assert.deepEqual((await without.transactions!.fetchPayments(coin))?.payments, [
    { position: NO_POSITION, token: "eth", address: OURS, amount: ETHER },
  ]);
});

test("reports the value of a transaction as its payment to the contract that it creates", async (t) => {
  const url = await node(t, "erc20");
  const adapter = evmNetwork("erc20", [url], { usdt: USDT_ADDRESS }).find("test", "erc20")!;
  const contract = await sendCoin(url, null, 7n, { data: "0x00", gas: "0x186a0" });
  await mine(url);
  const { contractAddress } = (await rpc(url, "eth_getTransactionReceipt", [contract])) as Record<
    string,
    string
  >;
  assert.deepEqual((await adapter.transactions!.fetchPayments(contract))?.payments, [
    { position: NO_POSITION, token: "eth", address: contractAddress, amount: 7n },
  ]);
});

/** bep20 watched together with its twins, each on its own node. One account key serves all. */
async function openTwins(t: TestContext) {
  const chain = await openWatchedChain(t);
  const urls = { bep20: chain.url, erc20: await node(t, "erc20"), base: await node(t, "base") };
  const networks: NetworkRegistry = openNetworks(
    (["bep20", "erc20", "base"] as const).map((network) => ({
      env: "test",
      network,
      rpcUrls: [urls[network]],
      accountKey: ACCOUNT_KEY,
      zmqUrl: null,
      chainId: null,
      contracts: { usdt: USDT_ADDRESS },
    })),
    { log },
  );
  for (const url of Object.values(urls)) await mine(url, 4);
  chain.watch(networks);
  return { chain, urls };
}

test("holds what the twin of an address receives on another network, coin or token, as unassigned", async (t) => {
  const { chain, urls } = await openTwins(t);
  await chain.caughtUp();
  const { address } = await chain.address();
  const link = await chain.link(10);
  await until("the twins to be watched", async () => (await chain.db.$count(watchCursors)) === 3);
  const sent = [
    await sendCoin(urls.erc20, address, ETHER),
    await sendEvmUsdt(urls.erc20, link.address, 10_000_000n),
    await sendCoin(urls.base, link.address, 2n * ETHER),
    await sendEvmUsdt(urls.base, address, 7_000_000n),
  ];
  await mine(urls.erc20, 12);
  await mine(urls.base, 20);
  await chain.depositsAre(["held", "held", "held", "held"]);
  const rows = await chain.deposits();
  const facts = rows.map((row) => [row.txHash, row.network, row.token, row.amount, row.unmatchedReason]);
  assert.deepEqual(
    facts.toSorted((a, b) => sent.indexOf(String(a[0])) - sent.indexOf(String(b[0]))),
    [
      [sent[0], "erc20", "eth", ETHER, "other_network"],
      [sent[1], "erc20", "usdt", 10n * ETHER, "other_network"],
      [sent[2], "base", "eth", 2n * ETHER, "other_network"],
      [sent[3], "base", "usdt", 7n * ETHER, "other_network"],
    ],
  );
  assert.equal(await chain.linkState(link.refid), "awaiting");
  assert.deepEqual(await chain.events(), []);
  assert.deepEqual((await chain.ledger()).problems, []);
});

test("holds BNB sent to a link that asks for USDT, and completes the link with the USDT", async (t) => {
  const { chain, urls } = await openTwins(t);
  await chain.caughtUp();
  const link = await chain.link(10);
  await sendCoin(urls.bep20, link.address, ETHER);
  await chain.mine(3);
  const [held] = await chain.depositsAre(["held"]);
  assert.deepEqual([held!.token, held!.unmatchedReason, held!.position], ["bnb", "other_token", NO_POSITION]);
  assert.equal(await chain.linkState(link.refid), "awaiting");
  await sendEvmUsdt(urls.bep20, link.address, link.due);
  await chain.mine(3);
  await chain.depositsAre(["held", "credited"]);
  await until("the link to be complete", async () => (await chain.linkState(link.refid)) === "completed");
  assert.deepEqual((await chain.ledger()).problems, []);
});

test("completes a link with coins that a contract sends, where the node's traces are read", async (t) => {
  const url = await node(t, "erc20");
  const networks = evmNetwork("erc20", [url], { usdt: USDT_ADDRESS }, { traces: true });
  const watched = await openWatchedNetwork(
    polledOften(networks),
    { network: "erc20", token: "eth" },
    "eth/usd=2000",
  );
  t.after(watched.close);
  await mine(url, 12);
  watched.watch();
  const link = await watched.link(20);
  await until("the cursor to be there", async () => (await watched.cursor()) !== null);
  await forwardCoin(url, link.address, link.due);
  await mine(url, 12);
  await until("the link to be complete", async () => (await watched.linkState(link.refid)) === "completed");
  assert.deepEqual((await watched.ledger()).problems, []);
});
