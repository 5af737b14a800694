/** The cost of a transaction against the change of its sender's balance, on each family's development chain. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Address, generateKeyPairSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
} from "@solana-program/token";
import { type Hex, parseGwei } from "viem";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { RecordedTransaction, TransactionCost } from "#lib/chains/transactions.ts";
import { sendInstructions } from "#lib/dev-chains/solana-node/pay.ts";
import { startSolanaNode } from "#lib/dev-chains/solana-node/start-solana-node.ts";
import { parseAmount } from "#lib/platform/money/amount.ts";
import { FAUCET, mine, openTestChain, rpc, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { bitcoinAdapter } from "#tests/support/bitcoin-adapter.ts";
import { NOBODY, openBitcoin, startBitcoind } from "#tests/support/bitcoind.ts";
import { newPayer, solana, tokenAccountOf, USDT_MINT } from "#tests/support/solana.ts";
import { newAccount, openTestTron, payTrx, trc20Adapter } from "#tests/support/tron.ts";
import { evmNetwork } from "#tests/support/watched-chain.ts";
import { startXrpWorld } from "#tests/support/xrp.ts";

const NOTHING_RECORDED: RecordedTransaction = { block: null, spent: new Map() };

const costOf = (adapter: NetworkAdapter, hash: string, recorded = NOTHING_RECORDED) =>
  adapter.nodes.withOne(
    { lastBlock: null },
    (node): Promise<TransactionCost | null> => node.transactions!.fetchCost(hash, recorded),
  );

test("an EVM transaction costs its gas, also when it fails, and nothing before it is in a block", async (t) => {
  const node = await openTestChain(t, "bep20");
  const adapter = evmNetwork("bep20", [node.url], { usdt: USDT_ADDRESS }).find("test", "bep20")!;
  const balance = async () =>
    BigInt((await rpc(node.url, "eth_getBalance", [FAUCET.address, "latest"])) as Hex);
  const before = await balance();
  // The second fails: no one may move coins of the zero address.
  const data = `0x23b872dd${"0".repeat(64)}${"0".repeat(63)}1${"0".repeat(63)}1`;
  const gas = { from: FAUCET.address, gas: "0x186a0", gasPrice: `0x${parseGwei("7").toString(16)}` };
  const sent = (await rpc(node.url, "eth_sendTransaction", [
    { ...gas, to: `0x${"1".repeat(40)}`, value: "0x5" },
  ])) as Hex;
  const failed = (await rpc(node.url, "eth_sendTransaction", [{ ...gas, to: USDT_ADDRESS, data }])) as Hex;
  const waits = await costOf(adapter, sent);
  assert.deepEqual([waits?.block, waits?.fee], [null, null]);
  assert.match(waits!.spends.join(), new RegExp(`^${FAUCET.address.toLowerCase()}:[0-9]+$`));
  await mine(node.url);
  const costs = [await costOf(adapter, sent), await costOf(adapter, failed)];
  assert.equal(costs[0]?.fee, 21_000n * parseGwei("7"));
  assert.equal(costs[0].fee + (costs[1]?.fee ?? 0n) + 5n, before - (await balance()));
  assert.equal(await costOf(adapter, `0x${"ab".repeat(32)}`), null);
});

test("a bitcoin transaction costs its inputs less its outputs, of the node or of what is recorded", async (t) => {
  const node = await startBitcoind({ txindex: true });
  t.after(() => node.stop());
  const bitcoin = openBitcoin(node.url);
  const adapter = bitcoinAdapter(node.url);
  const hash = await bitcoin.sendTo(NOBODY, "0.5");
  const { fee } = await bitcoin.call<{ fee: number }>("gettransaction", hash);
  const waits = await costOf(adapter, hash);
  assert.deepEqual([waits?.block, waits?.fee], [null, null]);
  const [block] = await bitcoin.mine();
  const cost = await costOf(adapter, hash);
  assert.equal(cost?.block?.hash, block);
  assert.deepEqual(parseAmount((-fee).toFixed(8), 8), { ok: true, units: cost?.fee });
  const [outpoint = ""] = cost!.spends;
  const [txid, position] = outpoint.split(":");
  const { hex } = await bitcoin.call<{ hex: string }>("gettransaction", txid);
  const { amount } = adapter.addresses.outputs!.read(hex)[Number(position)]!;
  // A wrong record shows that the node is not asked.
  const recorded = { block: null, spent: new Map([[outpoint, amount + 1n]]) };
  assert.equal((await costOf(adapter, hash, recorded))?.fee, (cost?.fee ?? 0n) + 1n);
});

test("a TRON transaction costs what it burned", async (t) => {
  const emulator = await openTestTron(t);
  const adapter = trc20Adapter(emulator);
  const hash = await payTrx(emulator, newAccount().address, 5_000_000);
  assert.equal((await costOf(adapter, hash))?.fee, null);
  await emulator.mine(1);
  const cost = await costOf(adapter, hash);
  assert.ok(cost?.block);
  assert.equal(typeof cost.fee, "bigint");
});

test("a Solana transaction costs its fee and the rent of new token accounts, and gets back the rent of closed ones", async (t) => {
  const node = await startSolanaNode({ finalizedLag: 2 });
  t.after(() => node.stop());
  const adapter = solana(node.url).find("test", "solana")!;
  const payer = await newPayer(node.url);
  node.chain.mine();
  const lamports = async () =>
    BigInt(((await rpc(node.url, "getBalance", [payer.address])) as { value: number }).value);
  const [before, friend] = [await lamports(), (await generateKeyPairSigner()).address];
  const ata = await tokenAccountOf(payer.address, USDT_MINT);
  const open = await sendInstructions(node.url, payer, [
    getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner: payer.address, mint: USDT_MINT }),
    getTransferSolInstruction({ source: payer, destination: friend as Address, amount: 1_000_000n }),
  ]);
  node.chain.mine();
  assert.equal((await costOf(adapter, open))?.fee, null, "it is not final");
  node.chain.mine(2);
  const opened = await costOf(adapter, open);
  assert.equal((opened?.fee ?? 0n) + 1_000_000n, before - (await lamports()));
  const between = await lamports();
  const close = await sendInstructions(node.url, payer, [
    getCloseAccountInstruction({ account: ata, destination: payer.address, owner: payer }),
  ]);
  node.chain.mine(3);
  const closed = await costOf(adapter, close);
  assert.equal(closed?.fee, between - (await lamports()));
  assert.ok((closed?.fee ?? 0n) < 0n);
});

test("an XRP transaction costs its fee, also when it fails in a ledger", async (t) => {
  const world = await startXrpWorld();
  t.after(() => world.stop());
  const adapter = world.adapter();
  const paid = await world.pay(world.payer, world.issuer.classicAddress, 5n);
  const failed = await world.pay(world.pauper, world.issuer.classicAddress, 100_000_000n);
  assert.equal((await costOf(adapter, paid))?.fee, null);
  world.mine();
  const fees = [await costOf(adapter, paid), await costOf(adapter, failed)].map((cost) => cost?.fee);
  assert.deepEqual(fees, [fees[0], fees[0]]);
  assert.ok((fees[0] ?? 0n) >= 10n);
});
