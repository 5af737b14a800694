/** Sweeps of deposit addresses on Solana and transfers to a cold address, on LiteSVM behind our front. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { getBase58Encoder } from "@solana/kit";
import { sql } from "drizzle-orm";
import { sendSol } from "#lib/dev-chains/solana-node/pay.ts";
import { importAddresses } from "#lib/domain/wallets/import-addresses.ts";
import { hereBy } from "#tests/support/acts.ts";
import { LAMPORTS, SOLANA_HOT } from "#tests/support/signer-solana.ts";
import { solanaAddress, tokenAccountOf, USDT_MINT } from "#tests/support/solana.ts";
import { sweepWorld } from "#tests/support/solana-sweep-world.ts";
import { USDT } from "#tests/support/withdrawals.ts";

const RENT = 2_039_280n;
const HALF_AN_HOUR = 1_800_000;
const SIX_HOURS = 21_600_000;

test("sweeps tokens and SOL of several addresses in a transaction, closes them, and gets their rent back", async (t) => {
  const w = await sweepWorld(t);
  const all = await Promise.all(Array.from({ length: 12 }, () => w.allocate()));
  await w.payUsdt(all);
  await w.paySol(all[0]!, LAMPORTS / 50n);
  const coins = await w.allocate();
  await w.paySol(coins, LAMPORTS / 20n);
  const [tokens, lamports] = [await w.balance(SOLANA_HOT), w.lamports(SOLANA_HOT)];
  const signed = await w.sweep();
  assert.ok(signed.every(({ kind, raw }) => kind === "sweep" && Buffer.from(raw, "base64").length <= 1_232));
  assert.equal((await w.balance(SOLANA_HOT)) - tokens, 120_000_000n);
  const gained = LAMPORTS / 50n + LAMPORTS / 20n + 12n * RENT;
  const fees = lamports + gained - w.lamports(SOLANA_HOT);
  for (const { address } of [...all, coins]) {
    assert.equal(w.lamports(address), 0n);
    assert.equal(w.lamports(await tokenAccountOf(address, USDT_MINT)), 0n);
  }
  w.pass(SIX_HOURS);
  assert.deepEqual(await w.sweep(), []);
  assert.equal(await w.left(), 0, "nothing is left to look at");
  t.diagnostic(`${signed.length} sweeps of 13 addresses, ${fees / 13n} lamports an address`);
  assert.ok(fees < 13n * 8_000n);
  // An address that was swept receives again.
  await w.payUsdt([all[3]!], 7n);
  const [again, ...others] = await w.sweep();
  assert.deepEqual(
    [again?.moves, others],
    [[{ token: "usdt", amount: 7n * USDT, from: all[3]?.address, to: SOLANA_HOT }], []],
  );
  assert.equal((await w.balance(SOLANA_HOT)) - tokens, 127_000_000n);
});

test("an address that a lagging node calls empty is swept when the node knows its deposit", async (t) => {
  const w = await sweepWorld(t);
  const one = await w.allocate();
  await w.credit(one.id, "sol", LAMPORTS);
  assert.deepEqual(await w.sweep(), []);
  await sendSol(w.url, [[one.address, LAMPORTS]]);
  w.chain.mine(3);
  w.pass(HALF_AN_HOUR);
  const [swept] = await w.sweep();
  assert.deepEqual(swept?.moves, [{ token: "sol", amount: LAMPORTS, from: one.address, to: SOLANA_HOT }]);
});

test("addresses that hold less than the database says do not keep another one from its turn", async (t) => {
  const w = await sweepWorld(t);
  // More than a node is asked about at once.
  const stale = await Promise.all(Array.from({ length: 20 }, () => w.allocate()));
  await w.payUsdt(stale, 1n);
  await w.db.execute("update unswept_amounts set amount = amount * 1000");
  const good = await w.allocate();
  await w.payUsdt([good], 30n);
  // A node that lags does not explain what is missing.
  w.pass(SIX_HOURS);
  const [swept] = await w.sweep({ tokens: { usdt: { ...w.usdt, sweep_above: "25" } } });
  assert.deepEqual(swept?.moves[0], {
    ...{ token: "usdt", amount: 30n * USDT },
    ...{ from: good.address, to: SOLANA_HOT },
  });
});

test("an address that holds less than the database says is swept after those that hold more", async (t) => {
  const w = await sweepWorld(t);
  const stale = await Promise.all(Array.from({ length: 10 }, () => w.allocate()));
  await w.payUsdt(stale, 1n);
  await w.db.execute("update unswept_amounts set amount = amount * 1000");
  const good = await w.allocate();
  await w.payUsdt([good], 30n);
  const [swept] = await w.sweep({ tokens: { usdt: { ...w.usdt, sweep_above: "25" } } }, 1);
  assert.equal(swept?.moves[0]?.from, good.address);
});

test("sweeps nothing that the policy does not allow, that costs too much, or that its words do not derive", async (t) => {
  const w = await sweepWorld(t);
  const one = await w.allocate();
  await w.payUsdt([one], 4n);
  assert.deepEqual(await w.sweep(), [], "below sweep_above");
  await w.payUsdt([one], 4n);
  const noSweep = { tokens: { usdt: w.usdt } };
  for (const [changes, why] of [
    [noSweep, "not in the policy"],
    [{ max_sweep_fee: "0.000009" }, "above max_sweep_fee"],
    [{ sweep_fee_per_day: "0.000009" }, "above the day's limit"],
    [{ max_sweep_fee_percent: "0.01" }, "above the part"],
  ] as const)
    assert.deepEqual(await w.sweep(changes, 1), [], why);
  // A row that somebody changed: the path of another address, of the hot account, or none.
  for (const path of ["m/44'/501'/5'/1'", "m/44'/501'/0'/3'", "m/44'/501'/0'/3", "imported"]) {
    await w.db.execute(sql`update addresses set path = ${path} where id = ${one.id}`);
    await w.db.execute("update unswept_amounts set retry_at = null");
    assert.deepEqual(await w.sweep({}, 1), [], path);
  }
  await w.db.execute(sql`update addresses set path = ${one.path} where id = ${one.id}`);
  await w.db.execute("update unswept_amounts set retry_at = null");
  const [swept] = await w.sweep();
  assert.equal(swept?.moves[0]?.amount, 8n * USDT);
});

test("one address whose sweep would fail does not stop the others, and a lost sweep is made again", async (t) => {
  const w = await sweepWorld(t);
  const [good, bad] = [await w.allocate(), await w.allocate()];
  await w.payUsdt([good, bad]);
  // Its owner's token account is frozen.
  const account = (await tokenAccountOf(bad.address, USDT_MINT)) as never;
  const held = w.chain.svm.getAccount(account);
  assert.ok(held.exists);
  const data = Uint8Array.from(held.data);
  data[108] = 2;
  w.chain.svm.setAccount({ ...held, data } as never);
  const signed = await w.sweep();
  assert.deepEqual(
    signed.map(({ moves }) => moves.map(({ from }) => from)),
    [[good.address]],
  );
  await w.payUsdt([good]);
  const signer = w.start(w.policy, { now: () => new Date(Date.now() + 5_000_000) });
  await w.step(signer);
  const lost = w.journal().at(-1);
  w.chain.forget(lost?.hash ?? "");
  w.chain.mine(240);
  const [again] = await w.sweep({}, 60);
  assert.notEqual(again?.hash, lost?.hash);
  assert.equal(await w.balance(good.address), 0n);
});

test("token accounts that a stranger made of an address do not stop its sweep", async (t) => {
  const w = await sweepWorld(t);
  const one = await w.allocate();
  await w.payUsdt([one]);
  const own = (await tokenAccountOf(one.address, USDT_MINT)) as never;
  const held = w.chain.svm.getAccount(own);
  assert.ok(held.exists);
  const stranger = Buffer.from(getBase58Encoder().encode(solanaAddress(977)));
  /** Its owner is the address. The stranger may close it. */
  const setAccount = (address: string, amount: bigint) => {
    const data = Buffer.from(held.data);
    data.writeBigUInt64LE(amount, 64);
    data.writeUInt32LE(1, 129);
    stranger.copy(data, 133);
    w.chain.svm.setAccount({ ...held, address, data: Uint8Array.from(data) } as never);
    // Our front lists the accounts that a transaction has named.
    return sendSol(w.url, [[address, 1n]]);
  };
  for (let n = 0; n < 25; n++) await setAccount(solanaAddress(5_000 + n), 0n);
  for (let n = 0; n < 6; n++) await setAccount(solanaAddress(6_000 + n), 1n);
  w.chain.mine(3);
  const before = await w.balance(SOLANA_HOT);
  const [swept] = await w.sweep();
  assert.equal(swept?.moves[0]?.from, one.address);
  // The fullest accounts of the address. Dust is not worth a signature of its own.
  assert.equal((await w.balance(SOLANA_HOT)) - before, 10_000_003n);
  assert.equal(w.lamports(await tokenAccountOf(one.address, USDT_MINT)), 0n);
  assert.ok(w.lamports(solanaAddress(6_000)) > 0n);
});

test("a frozen token account of an address does not stop its sweep", async (t) => {
  const w = await sweepWorld(t);
  const one = await w.allocate();
  await w.payUsdt([one]);
  const held = w.chain.svm.getAccount((await tokenAccountOf(one.address, USDT_MINT)) as never);
  assert.ok(held.exists);
  const data = Buffer.from(held.data);
  data.writeBigUInt64LE(20_000_000n, 64);
  data[108] = 2;
  const frozen = solanaAddress(7_000);
  w.chain.svm.setAccount({ ...held, address: frozen, data: Uint8Array.from(data) } as never);
  // Our front lists the accounts that a transaction has named.
  await sendSol(w.url, [[frozen, 1n]]);
  w.chain.mine(3);
  const before = await w.balance(SOLANA_HOT);
  const [swept] = await w.sweep();
  assert.equal(swept?.moves[0]?.from, one.address);
  assert.equal((await w.balance(SOLANA_HOT)) - before, 10_000_000n);
  assert.ok(w.lamports(frozen) > 0n);
});

test("what the hot account holds above its maximum goes to the cold address, and pays no withdrawal", async (t) => {
  const w = await sweepWorld(t);
  const cold = solanaAddress(950);
  const tokens = {
    usdt: { ...w.usdt, hot_target: "200", hot_maximum: "400" },
    sol: { ...w.sol, hot_target: "1", hot_maximum: "2" },
  };
  const signed = await w.sweep({ cold, tokens });
  assert.deepEqual(
    signed.map(({ kind }) => kind),
    ["cold", "cold"],
  );
  assert.deepEqual([await w.balance(cold), await w.balance(SOLANA_HOT)], [300_000_000n, 200_000_000n]);
  const hot = w.lamports(SOLANA_HOT);
  assert.ok(hot < LAMPORTS && hot > (LAMPORTS * 99n) / 100n);
  assert.ok(w.lamports(cold) > (LAMPORTS * 399n) / 100n);
});

test("addresses that were imported without their path are left alone", async (t) => {
  const w = await sweepWorld(t);
  const text = Array.from({ length: 3 }, (_, n) => solanaAddress(n)).join("\n");
  await w.db.transaction((tx) => importAddresses(hereBy(tx), { env: "test", network: "solana", text }));
  for (let n = 0; n < 29; n++) await w.allocate();
  const foreign = await w.allocate();
  assert.equal(foreign.path, "imported");
  await w.payUsdt([foreign]);
  assert.deepEqual(await w.sweep(), []);
  assert.equal(await w.balance(foreign.address), 10_000_000n);
});
