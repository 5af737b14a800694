/** Custody in the books against what our addresses hold on a chain, while money is in flight and after a theft. */

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Hex, parseGwei } from "viem";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { sendSolanaUsdt } from "#lib/dev-chains/solana-node/pay.ts";
import { startSolanaNode } from "#lib/dev-chains/solana-node/start-solana-node.ts";
import { recordMovement } from "#lib/domain/ledger/record-movement.ts";
import { checkChain } from "#lib/domain/proof/check-chain.ts";
import { allocateAddress } from "#lib/domain/wallets/allocate-address.ts";
import { storeOutgoing } from "#lib/domain/withdrawals/send/submit-payment.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { hereBy } from "#tests/support/acts.ts";
import { rpc, sendEvmUsdt, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { bitcoinAdapter } from "#tests/support/bitcoin-adapter.ts";
import { openBitcoin, startBitcoind } from "#tests/support/bitcoind.ts";
import { settleAllCosts } from "#tests/support/follow-all.ts";
import { runCli } from "#tests/support/run-cli.ts";
import { solana, solanaAddress } from "#tests/support/solana.ts";
import { newAccount, payTrx, payUsdt, startTestTron, trc20Adapter } from "#tests/support/tron.ts";
import { ACCOUNT_KEY, bep20, evmNetwork, log, openWatchedChain, USDT } from "#tests/support/watched-chain.ts";
import { withdrawalSteps } from "#tests/support/withdrawal-steps.ts";
import { aWithdrawal, DESTINATION } from "#tests/support/withdrawals.ts";
import { startXrpWorld } from "#tests/support/xrp.ts";

const COIN = 10n ** 18n;

/** A watched chain with a hot account that holds 100 USDT and a coin, both in the books. */
async function openBooks(t: TestContext) {
  const w = await openWatchedChain(t);
  const { db, url, networks, adapter } = w;
  const hot = adapter.sending!.hotAccount()!;
  await rpc(url, "anvil_impersonateAccount", [hot]);
  await rpc(url, "anvil_setBalance", [hot, `0x${COIN.toString(16)}`]);
  await sendEvmUsdt(url, hot, 100n * USDT);
  for (const [token, amount] of [
    ["usdt", 100n * USDT],
    ["bnb", COIN],
  ] as const) {
    const movement = { kind: "brought_in", network: "bep20" } as const;
    const given = { env: "test", token, amount, reference: `first-${token}`, movement } as const;
    await db.transaction((tx) => recordMovement(hereBy(tx), given));
  }
  w.watch();
  const prove = async (also: string[] = []) => {
    await w.caughtUp();
    const [proof] = await checkChain({
      db,
      networks,
      also: () => also,
      waitMs: 10_000,
      onProgress: () => {},
    });
    assert.equal(proof?.error, null);
    const token = (code: TokenCode) => proof!.tokens.find((one) => one.token === code)!;
    return { ...proof!, usdt: token("usdt"), bnb: token("bnb") };
  };
  return { ...w, hot, prove, ...withdrawalSteps({ db, networks }, log) };
}

/** One unit of USDT leaves an address. */
async function steal({ url, mine }: Awaited<ReturnType<typeof openBooks>>, victim: string): Promise<void> {
  await rpc(url, "anvil_impersonateAccount", [victim]);
  await rpc(url, "anvil_setNextBlockBaseFeePerGas", ["0x0"]);
  const data = `0xa9059cbb${"1".repeat(40).padStart(64, "0")}${"1".padStart(64, "0")}`;
  await rpc(url, "eth_sendTransaction", [{ from: victim, to: USDT_ADDRESS, data, gasPrice: "0x0" }]);
  await mine();
}

interface ShownToken {
  readonly token: string;
  readonly difference: string;
  readonly differences: readonly { readonly address: string | null; readonly difference: string }[];
}

const reasons = (proof: { inFlight: readonly { reason: string; amount: bigint }[] }) =>
  proof.inFlight.map(({ reason, amount }) => [reason, amount]);

test("the chain and custody agree while deposits, payouts and fees are in flight; a theft and unrecorded coins are named", async (t) => {
  const w = await openBooks(t);
  const { url, hot, prove } = w;
  const [first, second] = [await w.link(10), await w.link(20)];
  const paid = await sendEvmUsdt(url, first.address, first.due);
  await w.mine(4);
  await w.depositsAre(["credited"]);
  let proof = await prove();
  assert.deepEqual([proof.usdt.difference, proof.bnb.difference], [0n, 0n]);
  assert.equal(proof.usdt.onChain, 110n * USDT);

  await sendEvmUsdt(url, second.address, second.due);
  await w.mine();
  await w.depositsAre(["credited", "seen"]);
  proof = await prove();
  assert.deepEqual(reasons(proof.usdt), [["deposit_not_credited", 20n * USDT]]);
  assert.equal(proof.usdt.difference, 0n);

  const { refid, id } = await aWithdrawal({ db: w.db, networks: w.networks }, "shop@example.com", {
    amount: 5n * USDT,
  });
  const hash = await sendEvmUsdt(url, DESTINATION, 5n * USDT, hot);
  await storeOutgoing(
    w.db,
    { env: "test", network: "bep20", hash, raw: "0x", kind: "payout", spends: [], moves: [] },
    new Date(),
  );
  assert.equal((await w.sent(refid, hash)).ok, true);
  assert.deepEqual((await prove()).usdt.difference, 0n, "it waits");
  await w.mine();
  proof = await prove();
  assert.deepEqual([proof.usdt.difference, proof.bnb.difference], [0n, 0n]);
  assert.ok(
    reasons(proof.usdt).some(
      ([reason, amount]) => reason === "withdrawal_not_completed" && amount === -5n * USDT,
    ),
  );
  assert.deepEqual(
    reasons(proof.bnb).map(([reason]) => reason),
    ["fee_not_booked"],
  );
  await w.mine(4);
  await w.depositsAre(["credited", "credited"]);
  await w.follow();
  await settleAllCosts({ db: w.db, networks: w.networks, log });
  assert.equal((await w.row(id)).status, "completed");
  proof = await prove();
  assert.deepEqual([proof.usdt.difference, proof.bnb.difference], [0n, 0n]);
  assert.deepEqual([...proof.usdt.inFlight, ...proof.bnb.inFlight], []);

  const gas = BigInt((await rpc(url, "eth_getBalance", [hot, "latest"])) as Hex);
  await rpc(url, "anvil_setBalance", [hot, `0x${(gas + parseGwei("1")).toString(16)}`]);
  await w.mine();
  proof = await prove();
  assert.deepEqual(
    proof.bnb.addresses.map(({ address, onChain, expected }) => [address, onChain - expected]),
    [[hot, parseGwei("1")]],
  );
  await rpc(url, "anvil_setBalance", [hot, `0x${gas.toString(16)}`]);

  const victim = w.adapter.addresses.canonicalize(first.address)!;
  await steal(w, victim);
  proof = await prove();
  assert.equal(proof.usdt.difference, -1n);
  assert.deepEqual(proof.usdt.addresses, [
    { address: victim, onChain: 10n * USDT - 1n, expected: 10n * USDT, txHashes: [paid] },
  ]);
  assert.equal(proof.bnb.difference, 0n);
  // An intruder with the database claims that the signer moved it to an address of the operator.
  const thief = `0x${"1".repeat(40)}`;
  const moves = [{ token: "usdt", amount: 1n, from: victim, to: thief }] as const;
  const hidden = { env: "test", network: "bep20", hash: `0x${"f".repeat(64)}`, raw: "0x" } as const;
  await storeOutgoing(w.db, { ...hidden, kind: "cold", spends: [], moves }, new Date());
  proof = await prove();
  assert.deepEqual([proof.usdt.difference, proof.unknown], [-1n, [thief]]);
  proof = await prove([thief]);
  assert.deepEqual([proof.usdt.difference, proof.unknown], [0n, []], "the configuration decides");
  await w.db.execute("delete from outgoing_transactions where kind = 'cold'");

  const environment = {
    DATABASE_URL: w.database.url,
    TEST_BEP20_XPUB: ACCOUNT_KEY,
    TEST_BEP20_RPC_URL: url,
    TEST_BEP20_CHAIN_ID: String(Number(await rpc(url, "eth_chainId", []))),
    TEST_BEP20_USDT_CONTRACT: USDT_ADDRESS,
  };
  const run = await runCli(environment, "ledger", "check", "--chain", "--also", `bep20=${DESTINATION}`);
  assert.equal(run.status, 1, run.stderr);
  assert.match(run.stderr, /test bep20: .* addresses read/);
  const { ok, problems, chain } = run.json() as {
    ok: boolean;
    problems: string[];
    chain: { tokens: ShownToken[] }[];
  };
  assert.deepEqual([ok, problems], [false, []]);
  const { tokens } = chain[0]!;
  // The destination of the withdrawal is said to be ours, so its 5 USDT are too many, and somewhere on our accounts.
  const usdt = tokens.find(({ token }) => token === "usdt")!;
  assert.equal(usdt.difference, "4.999999999999999999");
  assert.deepEqual(
    usdt.differences.map(({ address, difference }) => [address, difference]),
    [
      [w.adapter.addresses.display(victim), "-0.000000000000000001"],
      [null, "5"],
    ],
  );
});

test("money at an address of another EVM network counts on the network that it came on", async (t) => {
  const w = await openBooks(t);
  const twin = evmNetwork("erc20", ["http://127.0.0.1:9"], { usdt: USDT_ADDRESS }).find("test", "erc20")!;
  const owner = { merchantId: w.merchantId, purpose: "merchant", customerId: null } as const;
  const { address } = await w.db.transaction((tx) => allocateAddress(tx, twin, owner));
  await w.caughtUp();
  const paid = await sendEvmUsdt(w.url, address, 7n * USDT);
  await w.mine();
  await w.depositsAre(["seen"]);
  const waiting = await w.prove();
  assert.deepEqual(reasons(waiting.usdt), [["deposit_not_credited", 7n * USDT]]);
  assert.equal(waiting.usdt.difference, 0n);
  await w.mine(4);
  const [held] = await w.depositsAre(["held"]);
  assert.equal(held?.unmatchedReason, "other_network");
  const { usdt } = await w.prove();
  assert.deepEqual([usdt.onChain, usdt.difference], [107n * USDT, 0n]);
  await steal(w, address);
  const robbed = await w.prove();
  assert.deepEqual(robbed.usdt.addresses, [
    { address, onChain: 7n * USDT - 1n, expected: 7n * USDT, txHashes: [paid] },
  ]);
});

test("a watcher that does not catch up is an error, and so are nodes that do not answer", async (t) => {
  const w = await openWatchedChain(t);
  const run = (networks = w.networks) =>
    checkChain({ db: w.db, networks, also: () => [], waitMs: 300, onProgress: () => {} });
  assert.match((await run())[0]?.error ?? "", /^the watcher has read block -1, not yet/);
  const [proof] = await run(bep20("http://127.0.0.1:9"));
  assert.deepEqual([proof?.tokens, proof?.height], [[], null]);
  assert.match(proof?.error ?? "", /does not answer/);
});

const held = async (adapter: NetworkAdapter, addresses: readonly string[]) => {
  const head = await adapter.blocks.fetchHead();
  const answer = await adapter.nodes.withOne({ lastBlock: null }, async (node) => {
    assert.ok(node.custody);
    return node.custody.fetchBalances(addresses, head);
  });
  assert.equal(answer.block.height, head.height);
  return answer.balances.map(({ address, token, amount }) => [address, token, amount]);
};

test("bitcoin nodes search the outputs of any addresses, also of change", async (t) => {
  const node = await startBitcoind();
  t.after(() => node.stop());
  const [bitcoin, adapter] = [openBitcoin(node.url), bitcoinAdapter(node.url)];
  const [address, change] = [adapter.addresses.derive(7).address, adapter.addresses.outputs!.deriveChange(3)];
  await bitcoin.sendTo(address, "0.00000700");
  await bitcoin.sendTo(address, "1.5");
  await bitcoin.sendTo(change, "0.25");
  assert.deepEqual(await held(adapter, [address, change]), [], "they wait");
  await bitcoin.mine();
  const found = await held(adapter, [address, change, adapter.addresses.derive(8).address]);
  assert.deepEqual(
    found.sort(),
    [
      [address, "btc", 150_000_700n],
      [change, "btc", 25_000_000n],
    ].sort(),
  );
});

test("TRON, Solana and XRP nodes tell what addresses hold at their newest block", async (t) => {
  const emulator = await startTestTron({});
  const node = await startSolanaNode({ finalizedLag: 2 });
  const world = await startXrpWorld();
  t.after(() => Promise.all([emulator.stop(), node.stop(), world.stop()]));
  const [rich, poor] = [newAccount().address, newAccount().address];
  await payTrx(emulator, rich, 5_000_000);
  await payUsdt(emulator, rich, 7);
  await emulator.mine(1);
  assert.deepEqual(await held(trc20Adapter(emulator), [poor, rich]), [
    [rich, "trx", 5_000_000n],
    [rich, "usdt", 7n * 10n ** 12n],
  ]);
  const [owner, empty] = [solanaAddress(1), solanaAddress(2)];
  await sendSolanaUsdt(node.url, [[owner, 9n]]);
  node.chain.mine(3);
  assert.deepEqual(await held(solana(node.url).find("test", "solana")!, [empty, owner]), [
    [owner, "usdt", 9n * 10n ** 12n],
  ]);
  const [one, other] = [
    world.adapter().addresses.derive(0).address,
    world.adapter().addresses.derive(1).address,
  ];
  const before = (await held(world.adapter(), [one]))[0]!;
  await world.pay(world.payer, other, 11n);
  world.mine();
  assert.deepEqual(await held(world.adapter(), [one, other]), [
    [world.adapter().addresses.tags?.collecting, "xrp", BigInt(before[2]!) + 11n],
  ]);
});
