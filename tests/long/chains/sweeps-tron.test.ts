/** Sweeps on TRON: energy of the hot account's stake, or TRX to burn; killed at every step; never more than the policy allows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import { isTronSending, type TronSending } from "#lib/chains/tron/sending.ts";
import { readSigned } from "#lib/signer/tron/transaction.ts";
import { aDeposit } from "#tests/support/deposits.ts";
import { newAccount, payTrx, USDT, wallet } from "#tests/support/tron.ts";
import { TRX, tronPolicy } from "#tests/support/tron-signer-world.ts";
import { sweepPolicy as policy, SWEEPS, tronSweepWorld } from "#tests/support/tron-sweep-world.ts";

test("without a stake it sends an address exactly the TRX that its transfer burns, and no merchant is credited with it", async (t) => {
  const w = await tronSweepWorld(t);
  const address = await w.paid(100n * USDT);
  const small = await w.paid(5n * USDT);
  const before = await w.balance(w.hot);
  assert.deepEqual(await w.run(), ["TransferContract", "TriggerSmartContract"]);
  assert.deepEqual(
    [await w.balance(w.hot), await w.balance(address), await w.balance(small)],
    [before + 100n * USDT, 0n, 5n * USDT],
  );
  // The emulator's EVM gives gas back for a balance that becomes zero, which TRON does not.
  assert.ok((await w.trx(address)) < TRX, `${await w.trx(address)} sun are left behind`);
  const [fund, sweep] = w.journal();
  assert.deepEqual(
    [fund?.moves.map(({ to }) => to), sweep?.moves.map(({ from, to }) => [from, to])],
    [[address], [[address, w.hot]]],
  );
  const info = await wallet(w.emulator).trx.getUnconfirmedTransactionInfo(String(fund?.hash));
  const range = { from: info.blockNumber, to: info.blockNumber };
  const { transfers } = await w.adapter.blocks.scan(range, async (all) => new Set(all));
  assert.deepEqual(transfers, []);
  t.diagnostic(`burned ${await w.costs()} sun`);
});

test("with a stake it lends an address the energy, costs no TRX for energy, and gets all of it back", async (t) => {
  const w = await tronSweepWorld(t);
  await payTrx(w.emulator, w.hot, Number(40_000n * TRX));
  await w.emulator.mine();
  await w.stake(Number(30_000n * TRX));
  const addresses = [await w.paid(100n * USDT), await w.paid(60n * USDT)];
  const before = await w.balance(w.hot);
  const types = await w.run(policy(), 12);
  const one = [
    "AccountCreateContract",
    "DelegateResourceContract",
    "TriggerSmartContract",
    "UnDelegateResourceContract",
  ];
  assert.deepEqual(types.toSorted(), [...one, ...one].toSorted());
  assert.equal(await w.balance(w.hot), before + 160n * USDT);
  for (const address of addresses) {
    assert.deepEqual([await w.balance(address), await w.trx(address)], [0n, 0n]);
  }
  for (const { raw, hash } of w.journal())
    if (readSigned(raw).type === "TriggerSmartContract") {
      const info = await wallet(w.emulator).trx.getUnconfirmedTransactionInfo(hash);
      assert.equal(info.fee, undefined, "the sweep itself is free");
    }
  t.diagnostic(`burned ${await w.costs()} sun for 2 addresses`);
});

test("killed after each of its transactions it continues, and moves everything once", async (t) => {
  const w = await tronSweepWorld(t);
  await payTrx(w.emulator, w.hot, Number(40_000n * TRX));
  await w.emulator.mine();
  await w.stake(Number(30_000n * TRX));
  const address = await w.paid(100n * USDT);
  const before = await w.balance(w.hot);
  const dying = () => ({ journal: w.dyingJournal() });
  const types = await w.run(policy(), 14, dying);
  assert.deepEqual(types, [
    "AccountCreateContract",
    "DelegateResourceContract",
    "TriggerSmartContract",
    "UnDelegateResourceContract",
  ]);
  assert.deepEqual([await w.balance(w.hot), await w.balance(address)], [before + 100n * USDT, 0n]);
});

test("one address whose sweep would fail or costs too much does not stop the others", async (t) => {
  const w = await tronSweepWorld(t);
  const [frozen, dear, good] = [
    await w.paid(300n * USDT),
    await w.paid(200n * USDT),
    await w.paid(100n * USDT),
  ];
  // Its sweep needs no new account.
  await payTrx(w.emulator, good, Number(20n * TRX));
  await w.emulator.mine();
  const before = await w.balance(w.hot);
  const networks = failingFor(w.networks, frozen);
  assert.deepEqual(await w.run(policy({ max_sweep_fee: "2" }), 3, () => ({ networks })), [
    "TriggerSmartContract",
  ]);
  assert.equal(await w.balance(w.hot), before + 100n * USDT);
  const signer = w.start(policy({ max_sweep_fee: "2" }), { networks });
  await w.step(signer);
  assert.equal(signer.sweepWaits.get("usdt"), "above_max_sweep_fee");
  // The address can send again. It is looked at after an hour.
  await w.run(policy());
  assert.deepEqual([await w.balance(frozen), await w.balance(dear)], [300n * USDT, 0n]);
  w.pass(3_600_000);
  await w.run(policy());
  assert.equal(await w.balance(frozen), 0n);
});

/** The networks, with nodes that say that the token refuses transfers of an address. */
function failingFor(networks: NetworkRegistry, address: string): NetworkRegistry {
  const refuse = (adapter: NetworkAdapter): NetworkAdapter => {
    if (!isTronSending(adapter.sending)) return adapter;
    const { fetchState } = adapter.sending;
    const sending: TronSending = {
      ...adapter.sending,
      async fetchState(transfer, check) {
        const state = await fetchState(transfer, check);
        return transfer.from === address ? { ...state, energy: null } : state;
      },
    };
    return { ...adapter, sending };
  };
  return { ...networks, all: () => networks.all().map(refuse) };
}

test("a sweep that costs more than the policy allows waits, TRX pays its own way, and excess goes to the cold address", async (t) => {
  const w = await tronSweepWorld(t);
  const address = await w.paid(11n * USDT);
  // Energy and a new account cost about 4.5 TRX, which are 1.3 USDT.
  assert.deepEqual(await w.run(policy({ max_sweep_fee_percent: "2" }), 2), []);
  assert.deepEqual(await w.run(policy({ max_sweep_fee: "1" }), 2), []);
  assert.deepEqual(await w.run(policy({ sweep_fee_per_day: "1" }), 2), []);
  assert.equal(await w.balance(address), 11n * USDT);
  // The network itself asks for more than the policy's cap of a transaction.
  assert.deepEqual(await w.run(tronPolicy({ sweep_above: "10" }, { maxFee: "0.4", network: SWEEPS }), 2), []);
  // Rows that somebody wrote into the database move nothing: the key does not derive the one, the other holds nothing.
  await w.db.execute("update unswept_amounts set amount = amount * 1000");
  await w.db.execute("update addresses set index = index + 7");
  assert.deepEqual(await w.run(policy(), 2), []);
  await w.db.execute("update addresses set index = index - 7");
  await w.db.execute("update unswept_amounts set retry_at = null");
  const cold = newAccount().address;
  const above = policy({ cold }, { sweep_above: undefined, hot_target: "100", hot_maximum: "400" });
  assert.deepEqual(await w.run(above, 2), ["TriggerSmartContract"]);
  assert.deepEqual([await w.balance(cold), await w.balance(w.hot)], [400n * USDT, 100n * USDT]);
  const before = await w.trx(w.hot);
  const txHash = await payTrx(w.emulator, address, Number(20n * TRX));
  await w.emulator.mine();
  const { rows } = await w.db.execute<{ id: number }>("select id from addresses order by id desc limit 1");
  await aDeposit(w.db, Number(rows[0]?.id), { txHash, position: -1, amount: 20n * TRX, token: "trx" });
  const text = JSON.parse(policy({}, { sweep_above: undefined }));
  text.networks["test.trc20"].tokens.trx.sweep_above = "10";
  assert.deepEqual(await w.run(JSON.stringify(text), 3), ["TriggerSmartContract", "TransferContract"]);
  assert.deepEqual([await w.trx(w.hot), await w.trx(address)], [before + 20n * TRX, 0n]);
});
