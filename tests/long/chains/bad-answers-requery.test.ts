/** A merchant asks for transactions that no watcher has read, of nodes whose answers are wrong by chance. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PaymentPair } from "#lib/chains/networks.ts";
import { insertCursor, insertReadBlocks } from "#lib/domain/deposits/record/cursor-store.ts";
import { requeryTransaction } from "#lib/domain/deposits/requery/requery-transaction.ts";
import { createWatchContext } from "#lib/domain/deposits/watch/watch-network.ts";
import type { ContractDriver } from "#tests/chains/contract/drivers/driver.ts";
import { DRIVERS } from "#tests/chains/contract/drivers/drivers.ts";
import { Random } from "#tests/simulation/random.ts";
import { programActAt } from "#tests/support/acts.ts";
import { auditPayments } from "#tests/support/audit-payments.ts";
import { BAD_ANSWERS, openBadAnswers } from "#tests/support/bad-answers.ts";
import { startFakeNode } from "#tests/support/fake-node.ts";
import { log, openWatchedNetwork } from "#tests/support/watched-network.ts";
import { makePayments, PAYMENTS, pay, SEED } from "./bad-answers.ts";

const CHANCE = 0.15;
/** How often each transaction is asked for while answers are wrong. */
const ASKED = 2;
const ADDRESSES = 20;
const BLOCKS = 10;

/** Payments by network: fewer where each has a transaction of its own. */
const READERS: readonly (readonly [name: string, payments: number])[] = [
  ["bep20", PAYMENTS],
  ["bep20 (bnb)", 200],
  ["trc20", PAYMENTS],
  ["bitcoin", PAYMENTS],
  ["solana", 200],
  ["xrp", 200],
];

for (const [name, payments] of READERS) {
  test(`${name}: every payment that is asked for is credited once`, async (t) => {
    const driver = await DRIVERS[name]!();
    t.after(driver.close);
    const world = await openUnread(driver, payments);
    t.after(world.close);
    const refused: string[] = [];
    world.spoil();
    for (const txHash of world.txHashes) {
      for (let i = 0; i < ASKED; i++) {
        const answer = await world.requery(txHash);
        if ("reason" in answer && answer.reason === "transaction_failed") refused.push(txHash);
      }
    }
    world.heal();
    const answers = new Set<string>();
    for (const txHash of world.txHashes) {
      const answer = await world.requery(txHash);
      answers.add(answer.ok ? "credited" : JSON.stringify(answer));
    }
    const { lost, doubled, problems } = await auditPayments(world, world.paid);
    console.log(`| ${name}, requery | all | ${world.spoiled()} | ${payments} | ${lost} | ${doubled} | 0 |`);
    assert.deepEqual(
      { lost, doubled, problems, refused },
      { lost: 0, doubled: 0, problems: [], refused: [] },
    );
    assert.deepEqual([...answers], ["credited"]);
  });
}

/** Payments in blocks below the cursor of a database that has none of them. */
async function openUnread(driver: ContractDriver, count: number) {
  const random = new Random(SEED);
  const fake = await (driver.startFake ?? startFakeNode)(driver.rpcUrl);
  const { network, token } = driver;
  const watched = await openWatchedNetwork(
    driver.open(fake.url),
    { network, token } as PaymentPair,
    driver.rates,
  );
  await driver.prepare?.(watched.db);
  const addresses: string[] = [];
  for (let i = 0; i < ADDRESSES; i++) {
    const { address } = await watched.address();
    addresses.push(watched.adapter.addresses.display(address));
  }
  const payments = makePayments(driver, addresses, { count, random });
  const paid = [];
  for (let i = 0; i < BLOCKS; i++) {
    paid.push(...(await pay(driver, payments.slice((i * count) / BLOCKS, ((i + 1) * count) / BLOCKS))));
    await driver.mine();
  }
  await driver.mine(30);
  const { height, hash } = await driver.tip();
  const scope = { env: "test", network } as const;
  await watched.db.transaction(async (tx) => {
    await insertCursor(tx, scope, { height, hash, gap: null }, new Date());
    await insertReadBlocks(tx, scope, [{ height, hash }], 0);
  });
  const stale = async (back: number) => ({ height: height - back, twist: await driver.stale(height - back) });
  const bad = BAD_ANSWERS.map((fault) => openBadAnswers({ fault, chance: CHANCE, random, stale }));
  const { database } = watched.database;
  const { paymentLinks } = watched;
  const context = createWatchContext({ database, paymentLinks, log }, watched.adapter);
  const act = programActAt(watched.db, watched.merchantId);
  return {
    ...watched,
    paid,
    txHashes: [...new Set(paid.map(([, , txHash]) => txHash))],
    requery: (txHash: string) => requeryTransaction(act, { watch: context, text: txHash }),
    spoiled: () => bad.reduce((sum, one) => sum + one.spoiled(), 0),
    spoil: () => {
      fake.twist = (call, pass) => random.pick(bad).twist(call, pass);
    },
    heal: () => {
      fake.twist = null;
    },
    close: async () => {
      await watched.close();
      await fake.close();
    },
  };
}
