/** Sweeps of deposit addresses on a real EVM node: by delegation, to the hot account and nowhere else. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "drizzle-orm";
import { parseTransaction } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { delegationCode, sweeperAddress } from "#lib/signer/evm/sweeper/sweeper.ts";
import { FAUCET, mine, rpc, setTransferFee, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import { forwardCoin } from "#tests/support/evm-payments.ts";
import { runCli } from "#tests/support/run-cli.ts";
import { prepareHost } from "#tests/support/signer-process.ts";
import { ACCOUNT_KEY, toProcessWorld } from "#tests/support/signer-world.ts";
import { gasOf, send, sweep, usualGas } from "#tests/support/sweep-gas.ts";
import {
  COIN,
  ODD_TOKEN,
  type SweeperWorld,
  sweeperWorld,
  sweepPolicy,
} from "#tests/support/sweeper-world.ts";
import { until } from "#tests/support/until.ts";
import { evmNetwork } from "#tests/support/watched-chain.ts";
import { USDT } from "#tests/support/withdrawals.ts";

const THREE_MINUTES = 180_000;
const HALF_AN_HOUR = 1_800_000;
const SIX_HOURS = 21_600_000;
type Authorization = Awaited<ReturnType<PrivateKeyAccount["signAuthorization"]>>;

const transfer = (w: SweeperWorld, to: string, gas: number) =>
  send(w, { to, value: "0x38d7ea4c68000", gas: `0x${gas.toString(16)}` });

test("sweeps fifty addresses in one transaction, leaves no gas behind, and restores permanent addresses", async (t) => {
  const w = await sweeperWorld(t);
  const sweeper = sweeperAddress(w.hot);
  const links = await Promise.all(Array.from({ length: 48 }, () => w.allocate()));
  const permanent = [await w.allocate("merchant"), await w.allocate("merchant")] as const;
  const all = [...links, ...permanent];
  await w.pay(all, USDT);
  const before = await w.balance(w.hot);
  const [swept, cleared, ...others] = await sweep(w);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [swept?.kind, swept?.moves.length, cleared?.kind, cleared?.moves.length],
    ["sweep", 50, "sweep", 0],
  );
  assert.equal((await w.balance(w.hot)) - before, 50n * USDT);
  for (const { address } of all) assert.equal(await w.coins(address), 0n);
  const { rows } = await w.database.database.pool.query(
    "select count(*)::int as n from outgoing_transactions",
  );
  assert.equal(rows[0].n, 3, "with the deployment");
  const [first, last] = [links[0]!.address, permanent[0].address];
  assert.deepEqual([await w.code(first), await w.code(last)], [delegationCode(sweeper), "0x"]);
  w.pass(SIX_HOURS);
  assert.deepEqual(await sweep(w), []);
  assert.equal(await w.left(), 0, "nothing is left to look at");

  await w.pay(links, USDT);
  const [again] = await sweep(w);
  assert.equal(parseTransaction(again?.raw as "0x02").type, "eip1559", "without authorizations");
  await w.pay([permanent[0], links[0]!], USDT);
  const usual = await usualGas(w, permanent[0]);
  const per = { first: (await gasOf(w, swept?.hash)) / 50, again: (await gasOf(w, again?.hash)) / 48, usual };
  t.diagnostic(
    `gas an address: ${JSON.stringify(per)}, ${(per.first / usual).toFixed(2)} and ${(per.again / usual).toFixed(2)} of the usual way`,
  );
  assert.ok(per.first < usual * 0.65 && per.again < usual * 0.3);
});

test("coins are swept, and a delegated address still receives them, from contracts and with little gas", async (t) => {
  const w = await sweeperWorld(t);
  const [one, other] = [await w.allocate(), await w.allocate("merchant")];
  for (const { address } of [one, other]) await transfer(w, address, 21_000);
  for (const paid of [one, other]) {
    await send(w, { to: paid.address, value: "0xb1a2bc2ec50000" });
    await w.credit(paid, 51n * (COIN / 1000n), "bnb");
  }
  const before = await w.coins(w.hot);
  const signer = w.start();
  await w.step(signer);
  await mine(w.url);
  const [entry] = w.journal().slice(-1);
  assert.deepEqual(
    entry?.moves.map(({ token, amount }) => [token, amount]),
    [
      ["bnb", 51n * (COIN / 1000n)],
      ["bnb", 51n * (COIN / 1000n)],
    ],
  );
  assert.ok((await w.coins(w.hot)) - before > 100n * (COIN / 1000n), "less its fee");
  // Delegated: Solidity's transfer has 2,300 gas for the receiver. The watcher reads it from traces.
  await forwardCoin(w.url, one.address, COIN);
  await mine(w.url);
  assert.equal(await w.coins(one.address), COIN);
  const tracing = evmNetwork(
    "bep20",
    [w.url],
    { usdt: USDT_ADDRESS },
    { accountKey: ACCOUNT_KEY, traces: true },
  );
  const at = Number(await rpc(w.url, "eth_blockNumber"));
  const { transfers } = await tracing
    .find("test", "bep20")!
    .blocks.scan({ from: at - 1, to: at }, owning(one.address));
  assert.deepEqual(
    transfers.map(({ token, amount }) => [token, amount]),
    [["bnb", COIN]],
  );
  assert.equal(
    (await send(w, { to: other.address, value: "0x1", data: "0x1234567890" })).status,
    "0x1",
    "as an account accepts any data",
  );
  // With 21,000 gas nothing is left for code. So a permanent address is an account without code again, soon.
  assert.equal((await transfer(w, other.address, 21_000)).status, "0x0");
  w.pass(THREE_MINUTES);
  await sweep(w);
  assert.equal(await w.code(other.address), "0x");
  assert.equal((await transfer(w, other.address, 21_000)).status, "0x1");
});

test("a token that is paused, lies or refuses one address keeps nothing else from being swept", async (t) => {
  const w = await sweeperWorld(t);
  const all = [await w.allocate(), await w.allocate(), await w.allocate()] as const;
  for (const paid of all) {
    await w.odd.mint(paid.address, 2n * USDT);
    await w.credit(paid, 2n * USDT, "usdc");
  }
  const held = async () => Promise.all(all.map(({ address }) => w.tokenBalance(ODD_TOKEN, address)));
  for (const mode of [1, 2]) {
    await w.odd.set(mode);
    assert.deepEqual(await sweep(w), [], "nothing is signed for a token that is paused or answers false");
    w.pass(3_600_000);
  }
  await w.odd.set(0);
  await w.odd.refuse(all[1].address, true);
  const [entry] = await sweep(w);
  assert.equal(entry?.moves.length, 2);
  assert.deepEqual(await held(), [0n, 2n * USDT, 0n]);
  // A token that calls back, and a stranger: both only make the hot account richer.
  await w.odd.refuse(all[1].address, false);
  await w.odd.set(3);
  await w.pay([all[1], all[0]], 7n * USDT);
  w.pass(3_600_000);
  const before = await w.balance(w.hot);
  await sweep(w);
  await w.odd.attack(all[0].address);
  assert.equal((await w.balance(w.hot)) - before, 14n * USDT);
  assert.deepEqual([await w.balance(ODD_TOKEN), await w.coins(ODD_TOKEN)], [0n, 0n]);
  assert.deepEqual(await held(), [0n, 0n, 0n]);
  // A token with a fee, whose receiver gets less than was sent.
  await setTransferFee(w.url, 100);
  await mine(w.url);
  await w.pay([all[0], all[2]], 10n * USDT);
  w.pass(HALF_AN_HOUR);
  await sweep(w);
  assert.deepEqual([await w.balance(all[0].address), await w.balance(all[2].address)], [0n, 0n]);
});

test("an address that others have delegated, and an authorization that others have used, are swept all the same", async (t) => {
  const w = await sweeperWorld(t);
  const [elsewhere, ahead] = [await w.allocate(), await w.allocate()];
  await w.pay([elsewhere, ahead], 20n * USDT);
  const stranger = await w
    .keyOf(elsewhere.index)
    .signAuthorization({ chainId: 97, address: ODD_TOKEN, nonce: 0 });
  const submit = async (authorization: Authorization, tip: bigint) => {
    const nonce = Number(await rpc(w.url, "eth_getTransactionCount", [FAUCET.address, "latest"]));
    const raw = await privateKeyToAccount(FAUCET.privateKey).signTransaction({
      ...{ chainId: 97, nonce, to: FAUCET.address, gas: 100_000n },
      ...{ maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: tip, authorizationList: [authorization] },
    });
    await rpc(w.url, "eth_sendRawTransaction", [raw]);
  };
  await submit(stranger, 10n ** 9n);
  await mine(w.url);
  assert.equal(await w.code(elsewhere.address), delegationCode(ODD_TOKEN));
  await w.step(w.start());
  const sent = parseTransaction(w.journal().at(-1)?.raw as "0x04");
  const authorizationList =
    (sent as { authorizationList?: readonly Authorization[] }).authorizationList ?? [];
  assert.deepEqual(
    authorizationList.map(({ chainId, address }) => [chainId, address.toLowerCase()]),
    [97, 97].map((id) => [id, sweeperAddress(w.hot)]),
    "for this network alone",
  );
  assert.deepEqual(authorizationList.map(({ nonce }) => nonce).sort(), [0, 1]);
  // Somebody reads the authorization in the mempool and submits it with a higher fee: the nonce is then used, the delegation is the same.
  const first = authorizationList.find(({ nonce }) => nonce === 0);
  assert.ok(first);
  await submit(first, 10n ** 11n);
  await mine(w.url);
  assert.deepEqual([await w.balance(elsewhere.address), await w.balance(ahead.address)], [0n, 0n]);
});

test("a sweep survives a kill after the journal, a full mempool and a rising fee, and moves everything once", async (t) => {
  const w = await sweeperWorld(t);
  const all = [await w.allocate(), await w.allocate()];
  await w.pay(all, 20n * USDT);
  await assert.rejects(w.step(w.start(sweepPolicy(), { journal: w.dyingJournal() })), /killed/);
  const [, entry] = w.journal();
  assert.equal(await rpc(w.url, "eth_getTransactionByHash", [entry?.hash]), null);
  const signer = w.start();
  await w.step(signer);
  await rpc(w.url, "anvil_dropAllTransactions");
  await w.step(signer);
  assert.equal(w.journal().length, 2, "no second sweep while one waits");
  await rpc(w.url, "anvil_setNextBlockBaseFeePerGas", ["0x2540be400"]);
  await mine(w.url);
  assert.equal(await w.balance(all[0]!.address), 20n * USDT, "its fee is too low now");
  w.pass(200_000);
  for (const limits of [{ max_sweep_fee: "0.002" }, { sweep_fee_per_day: "0.002" }]) {
    await w.step(w.start(sweepPolicy(limits)));
    assert.equal(w.journal().length, 2, "the raised fee would be above what sweeps may cost");
  }
  await w.step(w.start());
  await mine(w.url, 4);
  const [, , raised] = w.journal();
  assert.deepEqual(
    [w.journal().length, raised?.kind, raised?.spends, raised?.moves.length],
    [3, "sweep", entry?.spends, 2],
  );
  assert.deepEqual(await Promise.all(all.map(({ address }) => w.balance(address))), [0n, 0n]);
  assert.equal(await w.balance(w.hot), 540n * USDT);
});

test("what the policy lacks is not swept, and caps of the fee hold whatever the prices say", async (t) => {
  const w = await sweeperWorld(t, { deploy: false });
  const paid = await w.allocate();
  await w.pay([paid], 20n * USDT);
  assert.deepEqual(await sweep(w), [], "the sweeper is not deployed");
  assert.deepEqual(await w.deployIt(sweepPolicy({ max_fee_per_gas_gwei: "0.000001" })), {
    ok: false,
    reason: "network_fee_too_high",
  });
  const deployed = await w.deployIt();
  assert.ok(deployed.ok && deployed.hash !== null);
  assert.deepEqual(await w.deployIt(), deployed, "the transaction that waits is not signed again");
  await mine(w.url, 3);
  assert.deepEqual(await w.deployIt(), { ...deployed, hash: null });
  assert.equal(w.journal().length, 1);
  const waits = async (more: object, token: object = {}) => {
    w.pass(600_000);
    assert.deepEqual(await sweep(w, sweepPolicy(more, token)), []);
  };
  await waits({ max_sweep_fee_percent: undefined, sweep_fee_per_day: undefined, tokens: {} });
  await waits({}, { sweep_above: undefined });
  await waits({}, { sweep_above: "20.01" });
  await waits({ max_sweep_fee_percent: "0.01" });
  await waits({ max_sweep_fee: "0.0000001" });
  await waits({ sweep_fee_per_day: "0.0000001" });
  await waits({ max_fee_per_gas_gwei: "0.000001" });
  await w.db.execute(sql`update token_prices set at = now() - interval '3 days'`);
  await waits({});
  await w.db.execute(sql`update token_prices set at = now() + interval '1 day'`);
  w.pass(600_000);
  assert.equal((await sweep(w)).length, 1);
});

test("somebody with the whole database gets nothing but sweeps to the hot account, within the day's fee", async (t) => {
  const w = await sweeperWorld(t);
  const ours = await Promise.all(Array.from({ length: 12 }, () => w.allocate()));
  await w.pay(ours, USDT / 10n);
  const foreign = w.keyOf(5_000).address.toLowerCase();
  // Addresses of a stranger, ours with a wrong number, amounts and prices that make every sweep look worth it.
  await w.db.execute(sql`
    insert into addresses (env, network, address, account_key_id, index, path, merchant_id, purpose)
    select 'test', 'bep20', '0x' || lpad(to_hex(n), 40, '0'), account_key_id, 900 + n, 'm', merchant_id, 'payment_link'
    from (select account_key_id, merchant_id from addresses where purpose = 'payment_link' limit 1) a, generate_series(1, 60) n`);
  await w.db.execute(sql`
    insert into addresses (env, network, address, account_key_id, index, path, merchant_id, purpose)
    select 'test', 'bep20', ${foreign}, account_key_id, 4000, 'm', merchant_id, 'payment_link'
    from (select account_key_id, merchant_id from addresses where purpose = 'payment_link' limit 1) a`);
  await w.db.execute(sql`insert into unswept_amounts select id, 'usdt', 'test', 'bep20', 1e30 from addresses
    on conflict (address_id, token, network) do update set amount = 1e30`);
  await w.db.execute(sql`update token_prices set price = case token when 'bnb' then '0.000001' else '1000000' end,
    at = now() + interval '1 year'`);
  const before = await w.coins(w.hot);
  const policy = sweepPolicy({ sweep_fee_per_day: "0.004" }, { sweep_above: "0" });
  const again = sql`update unswept_amounts set amount = 1e30, retry_at = null`;
  for (let round = 0; round < 6; round++) {
    await sweep(w, policy);
    // The attacker pays dust to the address, so that there is always something to sweep.
    await w.pay(ours.slice(0, 3), 1n);
    await w.db.execute(again);
    w.pass(THREE_MINUTES);
  }
  const signed = w.journal().filter(({ kind }) => kind === "sweep");
  const moves = signed.flatMap((entry) => entry.moves);
  const known = new Set(ours.map(({ address }) => address));
  assert.ok(moves.length > 0 && moves.every(({ from, to }) => known.has(from) && to === w.hot));
  const paid = before - (await w.coins(w.hot));
  assert.ok(paid > 0n && paid <= 4n * (COIN / 1000n), `${paid} wei for ${signed.length} sweeps`);
  const waiting = signed.length;
  await sweep(w, policy);
  assert.equal(
    w.journal().filter(({ kind }) => kind === "sweep").length,
    waiting,
    "the day's fee is used up",
  );
});

test("the command deploys the sweeper once, and a signer with its own database role sweeps with it", async (t) => {
  const w = await sweeperWorld(t, { deploy: false });
  const env = await prepareHost({ ...toProcessWorld(w), policy: sweepPolicy() });
  const deploy = ["signer", "deploy-sweeper", "--dir", w.folder, "--network", "test.bep20"];
  const phrase = ["--passphrase-file", join(w.folder, "passphrase")];
  const running = runCli(env, ...deploy, ...phrase);
  await until("the deployment to be broadcast", async () => w.journal().length > 0);
  await until("the command to end", async () => {
    await mine(w.url);
    return (await w.code(sweeperAddress(w.hot))) !== "0x";
  });
  const done = await running;
  assert.equal(done.status, 0, done.stderr);
  const { hash } = w.journal()[0]!;
  const answer = { network: "test.bep20", sweeper: sweeperAddress(w.hot), pays_only: w.hot };
  assert.deepEqual(done.json(), { ...answer, transaction: hash });
  const again = await runCli(env, ...deploy, ...phrase);
  assert.deepEqual(again.json(), { ...answer, transaction: null });

  const own = openDatabase(env.DATABASE_URL ?? "", { max: 2 });
  t.after(() => own.close());
  const paid = await w.allocate("merchant");
  await w.pay([paid], 30n * USDT);
  const signed = await sweep(w, sweepPolicy(), { db: own.db });
  assert.deepEqual(
    signed.map(({ kind, moves }) => [kind, moves.length]),
    [
      ["sweep", 1],
      ["sweep", 0],
    ],
  );
  for (const statement of [
    "insert into unswept_amounts select id, 'usdt', env, network, 1 from addresses",
    "update unswept_amounts set address_id = 1",
    "update addresses set address = '0x0'",
    "update token_prices set price = '1'",
  ])
    await assert.rejects(own.pool.query(statement), /permission denied/, statement);
  // The excess above the maximum goes to the cold address, down to the target, once.
  const cold = w.keyOf(9).address.toLowerCase();
  const limits = { hot_maximum: "400", hot_target: "100.5" };
  assert.deepEqual(await sweep(w, sweepPolicy({ cold }, { ...limits, hot_maximum: "530" })), []);
  const [moved, ...others] = await sweep(w, sweepPolicy({ cold }, limits));
  assert.deepEqual(
    [moved?.kind, moved?.moves, others],
    ["cold", [{ token: "usdt", amount: 4295n * (USDT / 10n), from: w.hot, to: cold }], []],
  );
  assert.deepEqual(
    [await w.balance(w.hot), await w.balance(cold)],
    [1005n * (USDT / 10n), 4295n * (USDT / 10n)],
  );
});
