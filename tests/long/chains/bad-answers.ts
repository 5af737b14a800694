import assert from "node:assert/strict";
import type { PaymentPair } from "#lib/chains/networks.ts";
import type { ContractDriver, Payment } from "#tests/chains/contract/drivers/driver.ts";
import { Random } from "#tests/simulation/random.ts";
import { auditPayments, type PaidTransfer } from "#tests/support/audit-payments.ts";
import {
  BAD_ANSWERS,
  type BadAnswer,
  type BadAnswersOptions,
  openBadAnswers,
} from "#tests/support/bad-answers.ts";
import { startFakeNode } from "#tests/support/fake-node.ts";
import { LONG } from "#tests/support/fault-random.ts";
import { turnAll } from "#tests/support/stepped-clock.ts";
import { until } from "#tests/support/until.ts";
import { openWatchedNetwork } from "#tests/support/watched-network.ts";

/** FAULT_SEED repeats a run, though not the order in which parallel calls arrive. */
export const SEED = Number(process.env.FAULT_SEED ?? 1);
const FAULTS = BAD_ANSWERS.filter((fault) => (process.env.FAULT_KINDS ?? fault).split(",").includes(fault));

export interface BadRun extends Pick<BadAnswersOptions, "spoils" | "leavesUnanswered"> {
  readonly reader: string;
  readonly payments?: number;
  readonly addresses?: number;
  readonly blocks?: number;
  readonly chance?: number;
  /** Passes while payments wait for their block. */
  readonly passesBefore?: number;
  readonly faults?: readonly BadAnswer[];
  /** Passes after the nodes are right again, and blocks before each. */
  readonly after?: { readonly passes: number; readonly blocks: number };
}

/** More of them are the same again: the short form has 250. */
export const PAYMENTS = LONG ? 1_000 : 250;
/** How long after the last block payments may still be found. */
const LATE_MS = 30_000;
/** Passes after each block while answers are bad. */
const PASSES = 3;

/**
 * Pays on one chain that is watched through nodes whose answers are wrong by chance, one node and one database for each fault. Then the nodes
 * are right again. Fails unless every payment is credited once by each watcher.
 */
export async function surviveBadAnswers(driver: ContractDriver, run: BadRun): Promise<void> {
  const { payments = PAYMENTS, blocks = 20, faults = FAULTS, passesBefore = 0 } = run;
  const { after = { passes: 10, blocks: 1 } } = run;
  const random = new Random(SEED);
  const watched = [];
  for (const fault of faults) watched.push(await openSpoiled(driver, { ...run, fault }));
  try {
    const addresses = await sameAddresses(watched.map(({ addresses: list }) => list));
    for (const one of watched) one.watch();
    const { height } = await driver.tip();
    for (const one of watched) await until(`${one.fault}: the start`, () => one.isAt(height));
    for (const one of watched) one.spoil();
    const paid: PaidTransfer[] = [];
    for (let block = 0; block < blocks; block++) {
      const count = Math.floor((payments * (block + 1)) / blocks) - paid.length;
      const group = makePayments(driver, addresses, { count, random, first: paid.length });
      paid.push(...(await pay(driver, group)));
      for (let i = 0; i < passesBefore; i++) await turnAll();
      await driver.mine();
      for (let i = 0; i < PASSES; i++) await turnAll();
    }
    for (const one of watched) one.heal();
    await driver.mine(driver.blocksToCredit);
    for (let i = 0; i < after.passes; i++) {
      await driver.mine(after.blocks);
      await turnAll();
    }
    const rows = [];
    for (const one of watched) {
      // On a busy machine the newest block is old by the time that the last watcher is asked.
      await driver.mine(1);
      const end = await driver.tip();
      const isStopped = await until("its cursor", () => one.isAt(end.height), { withinMs: 90_000 }).then(
        () => false,
        () => true,
      );
      const areAllCredited = async () => (await one.credited()) >= paid.length;
      await until("its credits", areAllCredited, { withinMs: LATE_MS }).catch(() => {});
      const audit = await auditPayments(one, paid);
      const { lost, doubled: twice, problems } = audit;
      rows.push({
        fault: one.fault,
        spoiled: one.spoiled(),
        payments: paid.length,
        lost,
        twice,
        stopped: isStopped,
        problems,
      });
      console.log(
        `| ${run.reader} | ${one.fault} | ${one.spoiled()} | ${paid.length} | ${lost} | ${twice} | ${isStopped ? 1 : 0} | ${isStopped ? (await one.cursor())?.error : ""} ${problems.join()}`,
      );
    }
    const wrong = rows.filter((row) => row.lost + row.twice + row.problems.length > 0 || row.stopped);
    assert.deepEqual(wrong, []);
    assert.ok(
      rows.every(({ spoiled }) => spoiled > 0),
      "each fault has spoiled answers",
    );
  } finally {
    for (const one of watched) await one.close();
  }
}

async function openSpoiled(driver: ContractDriver, run: BadRun & { readonly fault: BadAnswer }) {
  const { fault, chance = 0.1, addresses: count = 40 } = run;
  const { network, token } = driver;
  const fake = await (driver.startFake ?? startFakeNode)(driver.rpcUrl);
  const watched = await openWatchedNetwork(
    driver.open(fake.url),
    { network, token } as PaymentPair,
    driver.rates,
  );
  await driver.prepare?.(watched.db);
  const addresses: string[] = [];
  for (let i = 0; i < count; i++) addresses.push((await watched.address()).address);
  let isBad = false;
  const bad = openBadAnswers({
    ...run,
    chance,
    random: new Random(SEED + BAD_ANSWERS.indexOf(fault)),
    async stale(back) {
      const height = (await driver.tip()).height - back;
      return { height, twist: await driver.stale(height) };
    },
  });
  // From the beginning: a new twist ends the connections to an Electrum server, and a watcher that waits for the next one asks nothing.
  fake.twist = async (call, pass) => (isBad ? bad.twist(call, pass) : undefined);
  return {
    ...watched,
    fault,
    addresses: addresses.map((address) => watched.adapter.addresses.display(address)),
    spoiled: bad.spoiled,
    spoil: () => {
      isBad = true;
    },
    heal: () => {
      isBad = false;
    },
    isAt: async (height: number) => {
      const at = await watched.cursor();
      return at !== null && at.height >= height && at.error === null;
    },
    credited: async () => (await watched.deposits()).filter(({ status }) => status === "credited").length,
    close: async () => {
      await watched.close();
      await fake.close();
    },
  };
}

/** The addresses, which are the same in every database. */
async function sameAddresses(lists: readonly (readonly string[])[]): Promise<readonly string[]> {
  const [first = []] = lists;
  for (const list of lists) assert.deepEqual(list, first);
  return first;
}

/** Payments in a transaction, where one transaction pays several addresses. */
const AT_ONCE = 50;

/** Payments of different amounts: where payers have no number, two equal payments would be one transaction. */
export function makePayments(
  { smallest }: ContractDriver,
  addresses: readonly string[],
  { count, random, first = 0 }: { readonly count: number; readonly random: Random; readonly first?: number },
): readonly Payment[] {
  return Array.from({ length: count }, (_, i) => [random.pick(addresses), smallest * BigInt(first + i + 2)]);
}

export async function pay(
  driver: ContractDriver,
  group: readonly Payment[],
): Promise<readonly PaidTransfer[]> {
  const paid: PaidTransfer[] = [];
  const atOnce = driver.positioned && driver.network !== "solana" ? AT_ONCE : 1;
  for (let i = 0; i < group.length; i += atOnce) {
    const part = group.slice(i, i + atOnce);
    const [one] = part;
    const txHash = atOnce > 1 || !one ? await driver.sendMany(part) : await driver.send(...one);
    for (const [to, amount] of part) paid.push([to, amount, txHash]);
  }
  return paid;
}
