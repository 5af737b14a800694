/** The TRON emulator's bandwidth, energy and stakes, by the rules of TRON's documentation ("Resource Model", "Stake 2.0"). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { TronWeb } from "tronweb";
import {
  broadcast,
  newAccount,
  payTrx,
  payUsdt,
  post,
  signedTransfer,
  signedTrx,
  startTestTron,
  type TronEmulator,
  wallet,
} from "#tests/support/tron.ts";

const TRX = 1_000_000;
const DAY = 86_400;

/** An emulator on which accounts pay, and what its tests ask. */
async function open() {
  const emulator = await startTestTron({ resources: true });
  const ask = (call: string, body: object) =>
    post(`${emulator.url}/wallet/${call}`, { visible: true, ...body }) as Promise<Record<string, number>>;
  return {
    emulator,
    resources: (address: string) => ask("getaccountresource", { address }),
    account: (address: string) => ask("getaccount", { address }) as Promise<Record<string, unknown>>,
    balance: async (address: string) => Number((await ask("getaccount", { address })).balance ?? 0),
    delegable: async (owner_address: string) =>
      (await ask("getcandelegatedmaxsize", { owner_address, type: 1 })).max_size ?? 0,
    delegation: async (fromAddress: string, toAddress: string) =>
      (
        (await ask("getdelegatedresourcev2", { fromAddress, toAddress })) as unknown as {
          delegatedResource?: { frozen_balance_for_energy: number }[];
        }
      ).delegatedResource?.[0]?.frozen_balance_for_energy ?? 0,
    /** Mines, and returns what a transaction paid. */
    async mined(txId: string) {
      await emulator.mine();
      return wallet(emulator).trx.getUnconfirmedTransactionInfo(txId);
    },
  };
}

/** Sends a transaction that tronweb builds. Throws the node's refusal. */
async function send(
  emulator: TronEmulator,
  key: string,
  build: (builder: TronWeb["transactionBuilder"]) => Promise<unknown>,
): Promise<string> {
  const own = wallet(emulator, key);
  const {
    result,
    txid,
    message = "",
  } = await broadcast(emulator, await own.trx.sign((await build(own.transactionBuilder)) as never));
  if (result !== true) throw new Error(Buffer.from(message, "hex").toString());
  return txid;
}

test("a transfer burns TRX for energy and bandwidth that its owner has not", async (t) => {
  const w = await open();
  t.after(() => w.emulator.stop());
  const { emulator, mined, balance } = w;
  const [payer, other] = [newAccount(), newAccount()];
  // The fee of a new account, and that of its bandwidth: the faucet has frozen nothing.
  const created = await mined(await payTrx(emulator, payer.address, 100 * TRX));
  assert.deepEqual([created.fee, created.receipt], [1_100_000, { net_fee: 100_000 }]);
  await mined(await payUsdt(emulator, payer.address, 1_000_000));
  const own = wallet(emulator, payer.privateKey);
  const first = await mined(await payUsdt(emulator, other.address, 1, own));
  const energy = first.receipt.energy_usage_total ?? 0;
  assert.ok(energy > 20_000, `${energy} energy`);
  assert.deepEqual(first.receipt, {
    energy_fee: energy * 100,
    energy_usage_total: energy,
    net_usage: 346,
    result: "SUCCESS",
  });
  assert.equal(first.fee, energy * 100);
  assert.equal(await balance(payer.address), 100 * TRX - energy * 100);
  const second = await mined(await payUsdt(emulator, other.address, 1, own));
  assert.equal(second.receipt.net_fee, 346_000, "the free bandwidth of a day is used");
  assert.ok((second.receipt.energy_usage_total ?? 0) < energy, "a balance that exists is cheaper");
  await emulator.advance(DAY);
  await emulator.mine();
  const third = await mined(await payUsdt(emulator, other.address, 1, own));
  assert.equal(third.receipt.net_usage, 346, "it recovers within a day");
  // A call has no more energy than its owner can pay for.
  await payTrx(emulator, emulator.faucet.address, (await balance(payer.address)) - TRX, own);
  const starved = await mined(await payUsdt(emulator, newAccount().address, 1, own));
  assert.deepEqual([starved.result, starved.receipt.result], ["FAILED", "OUT_OF_ENERGY"]);
  await assert.rejects(
    payUsdt(emulator, other.address, 1, wallet(emulator, newAccount().privateKey)),
    /does not exist/,
    "an account without TRX does not exist",
  );
});

test("frozen TRX gives energy, which can be delegated to another account and returns with its use", async (t) => {
  const w = await open();
  t.after(() => w.emulator.stop());
  const { emulator, mined, balance } = w;
  const [owner, user] = [newAccount(), newAccount()];
  await mined(await payTrx(emulator, owner.address, 30_000 * TRX));
  const stake = 20_000 * TRX;
  const froze = await mined(
    await send(emulator, owner.privateKey, (build) => build.freezeBalanceV2(stake, "ENERGY", owner.address)),
  );
  assert.equal(froze.receipt.net_usage, 254);
  assert.equal(await balance(owner.address), 10_000 * TRX);
  const { EnergyLimit = 0 } = await w.resources(owner.address);
  assert.equal(EnergyLimit, Math.floor((20_000 * 180_000_000_000) / 19_000_020_000));
  const lend = () =>
    send(emulator, owner.privateKey, (build) =>
      build.delegateResource(stake / 2, user.address, "ENERGY", owner.address, false),
    );
  await assert.rejects(lend(), /Account\[41[0-9a-f]{40}\] not exists/);
  const create = await mined(
    await send(emulator, owner.privateKey, (build) => build.createAccount(user.address, owner.address)),
  );
  assert.equal(create.fee, 1_100_000);
  await mined(await payUsdt(emulator, user.address, 5));
  await mined(await lend());
  assert.equal(await w.delegation(owner.address, user.address), stake / 2);
  assert.equal((await w.resources(user.address)).EnergyLimit, Math.floor(EnergyLimit / 2));
  const used = await mined(
    await payUsdt(emulator, emulator.faucet.address, 5, wallet(emulator, user.privateKey)),
  );
  const energy = used.receipt.energy_usage_total ?? 0;
  assert.deepEqual([used.fee, used.receipt.energy_usage], [undefined, energy], "it costs the user no TRX");
  await mined(
    await send(emulator, owner.privateKey, (build) =>
      build.undelegateResource(stake / 2, user.address, "ENERGY", owner.address),
    ),
  );
  assert.equal(await w.delegation(owner.address, user.address), 0);
  const back = await w.resources(owner.address);
  assert.deepEqual(
    [back.EnergyLimit, (await w.resources(user.address)).EnergyLimit],
    [EnergyLimit, undefined],
  );
  assert.ok(Math.abs((back.EnergyUsed ?? 0) - energy) < 10, "the owner has the use of what it lent");
  assert.ok((await w.delegable(owner.address)) < stake);
  await emulator.reorg(1, { keep: true });
  const { EnergyUsed = 0 } = await w.resources(owner.address);
  assert.ok(Math.abs(EnergyUsed - energy) < 10, "a reorganization counts again");
  await emulator.advance(DAY);
  await emulator.mine();
  assert.equal(await w.delegable(owner.address), stake);
  const { account_resource } = (await w.account(owner.address)) as { account_resource: object };
  assert.ok("energy_window_size" in account_resource);
  await assert.rejects(
    send(emulator, owner.privateKey, (build) => build.unfreezeBalanceV2(2 * stake, "ENERGY", owner.address)),
    /unfreeze_balance/,
  );
});

test("what waits expires by the time of blocks, and not by the clock", async (t) => {
  const { emulator } = await open();
  t.after(() => emulator.stop());
  const { address } = newAccount();
  const late = await signedTransfer(emulator, address, 5);
  assert.equal((await broadcast(emulator, late)).result, true);
  await emulator.advance(600);
  await emulator.mine();
  const { trx } = wallet(emulator);
  assert.equal((await trx.getUnconfirmedTransactionInfo(late.txID)).id, late.txID, "no block came meanwhile");
  const dead = await signedTrx(emulator, address, 5);
  assert.equal((await broadcast(emulator, dead)).result, true);
  await emulator.advance(600);
  await emulator.mineEmpty();
  await emulator.mine();
  assert.deepEqual(await trx.getUnconfirmedTransactionInfo(dead.txID), {});
  assert.equal((await broadcast(emulator, dead)).code, "TRANSACTION_EXPIRATION_ERROR");
});
