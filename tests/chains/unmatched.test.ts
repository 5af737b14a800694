/** Known tokens on another network or at an address without a purpose: held until the operator resolves them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { allocateAddress } from "#lib/domain/wallets/allocate-address.ts";
import {
  openTestChain,
  rawTransaction,
  reorg,
  rpc,
  sendEvmUsdt,
  USDT_ADDRESS,
} from "#tests/support/anvil.ts";
import {
  findLedgerProblems,
  listUnmatched,
  openChain,
  readBalances,
  resolve,
} from "#tests/support/unmatched-chain.ts";
import { until } from "#tests/support/until.ts";
import { ACCOUNT_KEY, log, ROOT, USDT, type WatchedChain } from "#tests/support/watched-chain.ts";
import { startStepped } from "#tests/support/watched-network.ts";

/** A second EVM network with bep20's account key and addresses. */
const ERC20 = "erc20";

function registry(...adapters: NetworkAdapter[]): NetworkRegistry {
  return {
    find: (env, network) => adapters.find((a) => a.env === env && a.network === network) ?? null,
    list: (env) => adapters.filter((adapter) => adapter.env === env),
    all: () => adapters,
  };
}

function erc20(url: string, accountKey: string): NetworkAdapter {
  const config = { env: "test", network: ERC20, rpcUrls: [url], accountKey } as const;
  const contracts = { usdt: USDT_ADDRESS };
  return openNetworks([{ ...config, zmqUrl: null, chainId: null, contracts }], { log }).find("test", ERC20)!;
}

test("holds money on another network than its address was allocated for, and resolves it once", async (t) => {
  const chain = await openChain(t);
  const other = await openTestChain(t, "erc20");
  await rpc(other.url, "anvil_mine", ["0x6"]);
  const networks = registry(chain.adapter, erc20(other.url, ACCOUNT_KEY));
  const owner = { merchantId: chain.merchantId, purpose: "merchant", customerId: null } as const;
  const adapter = networks.find("test", ERC20)!;
  const { id: addressId, address } = await chain.db.transaction((tx) => allocateAddress(tx, adapter, owner));
  const watchers = startStepped({
    database: chain.database.database,
    networks,
    paymentLinks: { ...chain.paymentLinks, networks },
    log,
  });
  t.after(() => watchers.stop());
  await chain.caughtUp();

  const hash = await sendEvmUsdt(chain.url, address, 7n * USDT);
  await chain.mine();
  const [seen] = await chain.depositsAre(["seen"]);
  assert.deepEqual(
    [seen!.network, seen!.addressId, seen!.unmatchedReason],
    ["bep20", addressId, "other_network"],
  );
  assert.deepEqual(await resolve(chain, seen!.id), { ok: false, reason: "deposit_not_confirmed" });
  assert.deepEqual(await findLedgerProblems(chain), []);
  await chain.mine(3);
  const [held] = await chain.depositsAre(["held"]);
  assert.deepEqual(await readBalances(chain), { "custody:bep20": -7n * USDT, "unmatched:bep20": 7n * USDT });
  assert.deepEqual(await findLedgerProblems(chain), []);
  const [row] = await listUnmatched(chain);
  assert.deepEqual(
    [row!.id, row!.network, row!.addressNetwork, row!.txHash],
    [held!.id, "bep20", ERC20, hash],
  );
  assert.deepEqual(await chain.events(), []);

  const resolved = await resolve(chain, held!.id);
  assert.deepEqual(resolved.ok && resolved.credited, { token: "usdt", amount: 7n * USDT });
  assert.deepEqual(await resolve(chain, held!.id), { ok: false, reason: "already_resolved" });
  assert.deepEqual(await listUnmatched(chain), []);
  assert.equal(await chain.balance(), 7n * USDT);
  assert.deepEqual(
    (await chain.events()).map(({ type, data }) => [type, data.ref, data.value]),
    [["deposit_credited", String(held!.id), "7"]],
  );
  assert.deepEqual(await findLedgerProblems(chain), []);

  // The same address on the network that it was allocated for is as good as any.
  await sendEvmUsdt(other.url, address, 1_000_000n);
  await rpc(other.url, "anvil_mine", ["0xc"]);
  await chain.depositsAre(["credited", "credited"]);
  assert.equal(await chain.balance(), 8n * USDT);
  assert.deepEqual(await findLedgerProblems(chain), []);
});

test("holds what comes to an address of the family that another account key made", async (t) => {
  const chain = await openChain(t);
  const foreignKey = ROOT.derive("m/44'/60'/7'").publicExtendedKey;
  const networks = registry(chain.adapter, erc20("http://127.0.0.1:9", foreignKey));
  const owner = { merchantId: chain.merchantId, purpose: "merchant", customerId: null } as const;
  const adapter = networks.find("test", ERC20)!;
  const { address } = await chain.db.transaction((tx) => allocateAddress(tx, adapter, owner));
  const paymentLinks = { ...chain.paymentLinks, networks };
  const database = chain.database.database;
  const watchers = startStepped({ database, networks: chain.networks, paymentLinks, log });
  t.after(() => watchers.stop());
  await chain.caughtUp();
  await sendEvmUsdt(chain.url, address, USDT);
  await chain.mine(4);
  const [held] = await chain.depositsAre(["held"]);
  assert.deepEqual([held!.merchantId, held!.unmatchedReason], [chain.merchantId, "other_network"]);
  assert.deepEqual(await findLedgerProblems(chain), []);
});

/** An address that was allocated for a payment link that does not exist. */
const purposeless = (chain: WatchedChain) =>
  chain.db.transaction((tx) =>
    allocateAddress(tx, chain.adapter, {
      merchantId: chain.merchantId,
      purpose: "payment_link",
      customerId: null,
    }),
  );

test("unassigned coins leave the ledger when a reorg removes them, and are held again when they return", async (t) => {
  const chain = await openChain(t);
  const { address } = await purposeless(chain);
  chain.watch();
  await chain.caughtUp();
  const hash = await sendEvmUsdt(chain.url, address, 3n * USDT);
  await chain.mine(4);
  const [held] = await chain.depositsAre(["held"]);
  assert.equal(held!.unmatchedReason, "no_purpose");
  assert.deepEqual(await findLedgerProblems(chain), []);
  const raw = await rawTransaction(chain.url, hash);
  await reorg(chain.url, 5);
  const [dropped] = await chain.depositsAre(["dropped"]);
  assert.deepEqual(await resolve(chain, dropped!.id), { ok: false, reason: "deposit_dropped" });
  assert.deepEqual(await listUnmatched(chain), []);
  assert.deepEqual(await readBalances(chain), { "custody:bep20": 0n, "unmatched:bep20": 0n });
  assert.deepEqual(await findLedgerProblems(chain), []);
  await rpc(chain.url, "eth_sendRawTransaction", [raw]);
  await chain.mine(4);
  const [again] = await chain.depositsAre(["held"]);
  assert.deepEqual([again!.id, again!.creditRound], [held!.id, 2]);
  assert.deepEqual(await chain.events(), []);
  assert.deepEqual(await findLedgerProblems(chain), []);
});

test("a resolution stays in another block, and is reversed for the merchant when a reorg removes the deposit", async (t) => {
  const chain = await openChain(t);
  const { address } = await purposeless(chain);
  chain.watch();
  await chain.caughtUp();
  const hash = await sendEvmUsdt(chain.url, address, 3n * USDT);
  await chain.mine(4);
  const [held] = await chain.depositsAre(["held"]);
  assert.equal((await resolve(chain, held!.id)).ok, true);
  assert.equal(await chain.balance(), 3n * USDT);
  const raw = await rawTransaction(chain.url, hash);

  await reorg(chain.url, 5, [[raw, 2]]);
  const moved = await until("the deposit to stand in the other block", async () => {
    const [row] = await chain.deposits();
    return row!.blockHash === held!.blockHash ? null : row!;
  });
  assert.deepEqual([moved.status, moved.unmatchedReason, moved.creditRound], ["credited", "no_purpose", 1]);
  assert.equal(await chain.balance(), 3n * USDT);
  assert.deepEqual(await findLedgerProblems(chain), []);

  await reorg(chain.url, 5);
  await chain.depositsAre(["dropped"]);
  assert.equal(await chain.balance(), 0n);
  assert.deepEqual(
    (await chain.events()).map(({ type }) => type),
    ["deposit_credited", "deposit_reversed"],
  );
  assert.deepEqual(await findLedgerProblems(chain), []);

  await rpc(chain.url, "eth_sendRawTransaction", [raw]);
  await chain.mine(4);
  await chain.depositsAre(["held"]);
  const [row] = await listUnmatched(chain);
  assert.equal(row!.id, held!.id);
  assert.equal((await resolve(chain, held!.id)).ok, true);
  assert.equal(await chain.balance(), 3n * USDT);
  assert.deepEqual(await findLedgerProblems(chain), []);
});
