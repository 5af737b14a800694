/**
 * Nodes that answer anything: 300 changed answers for each family of the signer (ANSWERS=10000 for more, SEEDS=1,2 for others). No step
 * crashes, nothing is signed beyond a cap, the journal can be read, and once the node is right again every withdrawal is paid once.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { openJournal } from "#lib/signer/journal.ts";
import type { SignerNetwork } from "#lib/signer/run-signer.ts";
import { mine, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { utxoNetwork } from "#tests/support/bitcoin-adapter.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import { solanaSignerWorld } from "#tests/support/signer-solana.ts";
import { ACCOUNT_KEY, policyText, signerWorld } from "#tests/support/signer-world.ts";
import { XRP_ACCOUNT, xrpSignerWorld } from "#tests/support/signer-xrp.ts";
import { solana, solanaAddress } from "#tests/support/solana.ts";
import { newAccount, trc20 } from "#tests/support/tron.ts";
import { tronSignerWorld } from "#tests/support/tron-signer-world.ts";
import { aReceiver, utxoWorld } from "#tests/support/utxo-world.ts";
import { evmNetwork } from "#tests/support/watched-chain.ts";
import { USDT } from "#tests/support/withdrawals.ts";
import { xrpNetwork } from "#tests/support/xrp.ts";

const ANSWERS = Number(process.env.ANSWERS ?? 300);
const MOST_STEPS = 20_000;
/** Withdrawals, one after the other, so that there is always one to ask nodes about. */
const MOST_MADE = 100;

/** A signer of one family over a node whose answers can be changed. */
interface Family {
  readonly url: string;
  /** The same network through another URL. */
  readonly networksAt: (url: string) => NetworkRegistry;
  readonly start: (networks: NetworkRegistry, now: () => Date) => SignerNetwork;
  readonly step: (signer: SignerNetwork) => Promise<boolean>;
  readonly journalPath: string;
  /** Asks for a withdrawal. Returns its id. */
  readonly ask: () => Promise<number>;
  readonly status: (id: number) => Promise<number>;
  /** A block, and what makes it final. */
  readonly settle: () => Promise<void>;
  /** The most that one transaction may cost, in the coin's smallest unit. */
  readonly cap: bigint;
  /** What was sent to the receivers, and what one of them was promised. */
  readonly received: () => Promise<bigint>;
  readonly unit: bigint;
}

/** Numbers of one seed, so that a failure comes again. */
function openRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return { next, pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T };
}
type Random = ReturnType<typeof openRandom>;

const WRONG: readonly unknown[] = [
  ...[null, undefined, "", "many", true, [], {}, -1, 0, 1, 1.5, 2 ** 31, 2 ** 53 - 1, 1e300],
  ...["0x", "0x0", "0x1", `0x${"f".repeat(16)}`, `0x${"f".repeat(64)}`, "-1", "99999999999999999999"],
  ...[4_102_444_800, 4_102_444_800_000, "2100-01-01T00:00:00Z", "tesSUCCESS", "finalized", "FAILED"],
];

/** The value with one of its parts changed. */
function mutate(value: unknown, random: Random): unknown {
  const isDeep = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  if (!isDeep || random.next() < 0.1) return change(value, random);
  const key = random.pick(Object.keys(value));
  const part = mutate((value as Record<string, unknown>)[key], random);
  if (Array.isArray(value)) return value.with(Number(key), part);
  const { [key]: _former, ...rest } = value as Record<string, unknown>;
  return part === undefined ? rest : { ...value, [key]: part };
}

/** Numbers and quantities also become a little or much larger or smaller. */
function change(value: unknown, random: Random): unknown {
  const factor = random.pick([0.5, 0.99, 1.01, 2, 1_000, 1e9]);
  if (random.next() < 0.5 && typeof value === "number") return Math.floor(value * factor);
  if (random.next() < 0.5 && typeof value === "string" && /^0x[0-9a-f]{1,30}$/.test(value))
    return `0x${((BigInt(value) * BigInt(Math.floor(factor * 100))) / 100n).toString(16)}`;
  return random.pick(WRONG);
}

async function attack(t: TestContext, seed: number, family: Family): Promise<void> {
  const front = await openFakeNode(t, family.url);
  const random = openRandom(seed);
  let [changed, now] = [0, Date.now()];
  const clock = () => new Date(now);
  const made: number[] = [];
  const signer = family.start(family.networksAt(front.url), clock);
  for (let step = 0; changed < ANSWERS && step < MOST_STEPS; step++) {
    const often = random.pick([0.05, 0.3, 0.8]);
    front.twist = async (_call, pass) => {
      if (random.next() >= often) return undefined;
      changed += 1;
      const wrong = mutate(await pass(), random);
      if (wrong === undefined) throw new Error("no answer");
      return wrong;
    };
    if (step % 40 === 0 && made.length < MOST_MADE) made.push(await family.ask());
    await family.step(signer);
    if (step % 50 === 0) await family.settle();
    // As long as a withdrawal waits until nodes are asked about it again.
    now += 31_000;
  }
  assert.ok(changed >= ANSWERS, `${changed} answers were changed`);
  for (const { fee = 0n, hash } of openJournal(family.journalPath).entries)
    assert.ok(fee <= family.cap, `${hash} can cost ${fee}`);
  front.twist = null;
  // A new process, as after the operator has changed nothing but the node.
  const healed = family.start(family.networksAt(family.url), clock);
  // A step pays an address at most once.
  for (let step = 0; step < 150 + 2 * made.length; step++) {
    await family.step(healed);
    await family.settle();
    // A payee whose payment failed in its block, for want of gas that a node hid, waits for a day.
    now += step === 75 ? 25 * 3_600_000 : 31_000;
  }
  for (const id of made) assert.equal(await family.status(id), 3, `seed ${seed}: ${[...healed.held].join()}`);
  assert.equal(await family.received(), BigInt(made.length) * family.unit, `seed ${seed}: each is paid once`);
  t.diagnostic(
    `${changed} answers, ${made.length} withdrawals, ${openJournal(family.journalPath).entries.length} lines`,
  );
}

const seeds = (process.env.SEEDS ?? "1").split(",").map(Number);

for (const seed of seeds) {
  test(`evm, seed ${seed}`, { timeout: 900_000 }, async (t) => {
    const w = await signerWorld(t);
    const to = "0x00000000000000000000000000000000c0ffee02";
    await attack(t, seed, {
      ...w,
      networksAt: (url) => evmNetwork("bep20", [url], { usdt: USDT_ADDRESS }, { accountKey: ACCOUNT_KEY }),
      start: (networks, now) => w.start(policyText(), { networks, now }),
      ask: async () => (await w.create(USDT, to)).id,
      status: async (id) => (await w.row(id)).status,
      cap: 200_000n * 50n * 10n ** 9n,
      received: () => w.balance(to),
      unit: USDT,
      settle: async () => {
        await mine(w.url, 4);
        await w.follow();
      },
    });
  });

  test(`bitcoin, seed ${seed}`, { timeout: 900_000 }, async (t) => {
    const w = await utxoWorld(t);
    await w.deposit([100, 100, 50, 50]);
    const to: string[] = [];
    await attack(t, seed, {
      ...w,
      url: w.node.url,
      networksAt: (url) => utxoNetwork(w.setup.data, url, { accountKey: w.account.publicExtendedKey }),
      start: (networks, now) => w.start({ max_fee_per_vbyte: "20" }, { networks, now }),
      ask: async () => {
        to.push(aReceiver(w.setup.chain));
        return (await w.create(1, to.at(-1))).id;
      },
      // Twelve payments, and what waits before them.
      cap: 20n * 3_000n,
      received: async () => {
        let sum = 0n;
        for (const address of to) sum += await w.balance(address);
        return sum;
      },
      unit: w.setup.unit,
    });
  });

  test(`solana, seed ${seed}`, { timeout: 900_000 }, async (t) => {
    const w = await solanaSignerWorld(t);
    const to = solanaAddress(902);
    await attack(t, seed, {
      ...w,
      networksAt: solana,
      start: (networks, now) => w.start({}, { networks, now }),
      ask: async () => (await w.pay(to, 1n)).id,
      cap: 3_000_000n,
      received: async () => (await w.balance(to)) * 10n ** 12n,
      unit: USDT,
    });
  });

  test(`tron, seed ${seed}`, { timeout: 900_000 }, async (t) => {
    const w = await tronSignerWorld(t);
    const to = newAccount().address;
    await attack(t, seed, {
      ...w,
      url: w.emulator.url,
      networksAt: (url) => trc20({ ...w.emulator, url }),
      start: (networks, now) => w.start(undefined, { networks, now }),
      ask: async () => (await w.create(USDT, to)).id,
      status: async (id) => (await w.row(id)).status,
      cap: 50_000_000n,
      received: () => w.balance(to),
      unit: USDT,
    });
  });

  test(`xrp, seed ${seed}`, { timeout: 900_000 }, async (t) => {
    const w = await xrpSignerWorld(t);
    const person = await w.person();
    const before = w.balance(person.classicAddress);
    await attack(t, seed, {
      ...w,
      networksAt: (url) => xrpNetwork(XRP_ACCOUNT, url),
      start: (networks, now) => w.start({}, { networks, now }),
      ask: async () => (await w.pay(person.classicAddress, 2n)).id,
      cap: 1_000n,
      received: async () => w.balance(person.classicAddress) - before,
      unit: 2_000_000n,
    });
  });
}
