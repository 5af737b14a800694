/**
 * Nodes that answer anything: 300 changed answers for each family of the signer (ANSWERS=10000 for more, SEEDS=1,2 for others). No step
 * crashes, nothing is signed beyond a cap, the journal can be read, and once the node is right again every withdrawal is paid once.
 */

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { WithdrawalStatus } from "#lib/domain/withdrawals/types.ts";
import { openJournal } from "#lib/signer/journal.ts";
import type { SignerNetwork } from "#lib/signer/run-signer.ts";
import { mine, rpc, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { utxoNetwork } from "#tests/support/bitcoin-adapter.ts";
import { solanaSignerWorld } from "#tests/support/signer-solana.ts";
import { ACCOUNT_KEY, policyText, signerWorld } from "#tests/support/signer-world.ts";
import { XRP_ACCOUNT, xrpSignerWorld } from "#tests/support/signer-xrp.ts";
import { solana, solanaAddress } from "#tests/support/solana.ts";
import { newAccount, payTrx, trc20 } from "#tests/support/tron.ts";
import { TRX, tronSignerWorld } from "#tests/support/tron-signer-world.ts";
import { aReceiver, utxoWorld } from "#tests/support/utxo-world.ts";
import { evmNetwork } from "#tests/support/watched-chain.ts";
import { USDT } from "#tests/support/withdrawals.ts";
import { DROPS_PER_XRP, xrpNetwork } from "#tests/support/xrp.ts";
import { changeAnswers, mutate, openRandom } from "./changed-answers.ts";

const ANSWERS = Number(process.env.ANSWERS ?? 300);
const MOST_STEPS = 40_000;
/** Steps after which a withdrawal that is paid is followed by another, so that there is always one to ask nodes about. */
const LOOK_EVERY = 20;
const SETTLE_EVERY = 60;
/** Steps after the attack until every withdrawal must be paid. */
const MOST_HEALING = 400;

/** A signer of one family over a node whose answers can be changed. */
interface Family {
  readonly url: string;
  /** The same network through another URL. */
  readonly networksAt: (url: string) => NetworkRegistry;
  readonly start: (networks: NetworkRegistry) => SignerNetwork;
  readonly step: (signer: SignerNetwork) => Promise<boolean>;
  readonly journalPath: string;
  /** Asks for a withdrawal. Returns its id. */
  readonly ask: () => Promise<number>;
  readonly status: (id: number) => Promise<WithdrawalStatus>;
  /** A block, and what makes it final. */
  readonly settle: () => Promise<void>;
  /** Sets the clock of a node in another process forward. Absent: the node has the clock of this process, or needs none. */
  readonly advance?: (seconds: number) => Promise<unknown>;
  /** The most that one transaction may cost, in the coin's smallest unit. */
  readonly cap: bigint;
  /** The amounts that receivers got, and the amount that one of them was promised. */
  readonly received: () => Promise<bigint>;
  readonly unit: bigint;
}

/** Settles with blocks of the test's time: what has expired, and a payee who waits for a day, wait by the chain's. */
function settleAt({ settle, advance }: Family): () => Promise<void> {
  let ahead = 0;
  return async () => {
    const real = performance.timeOrigin + performance.now();
    const seconds = Math.floor((Date.now() - real) / 1_000) - ahead;
    if (seconds > 0) await advance?.(seconds);
    ahead += Math.max(0, seconds);
    await settle();
  };
}

async function attack(t: TestContext, seed: number, family: Family): Promise<void> {
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const pass = (ms: number) => t.mock.timers.setTime(Date.now() + ms);
  const settle = settleAt(family);
  const front = changeAnswers(t, family.url);
  const random = openRandom(seed);
  let changed = 0;
  const [made, open] = [new Set<number>(), new Set<number>()];
  const signer = family.start(family.networksAt(front.url));
  for (let step = 0; changed < ANSWERS && step < MOST_STEPS; step++) {
    const often = random.pick([0.05, 0.3, 0.8]);
    front.twist = (answer) => {
      if (random.next() >= often) return undefined;
      changed += 1;
      return mutate(answer, random) ?? new Error("no answer");
    };
    if (step % LOOK_EVERY === 0) {
      for (const id of open) if ((await family.status(id)) === "completed") open.delete(id);
      if (open.size === 0) open.add(await family.ask());
      for (const id of open) made.add(id);
    }
    await family.step(signer);
    if (step % SETTLE_EVERY === 0) await settle();
    // As long as a withdrawal waits until nodes are asked about it again.
    pass(31_000);
  }
  assert.ok(changed >= ANSWERS, `${changed} answers were changed`);
  for (const { fee = 0n, hash } of openJournal(family.journalPath).entries)
    assert.ok(fee <= family.cap, `${hash} can cost ${fee}`);
  front.twist = null;
  // A new process, as after the operator has changed nothing but the node.
  const healed = family.start(family.networksAt(family.url));
  const isPaid = async () => {
    for (const id of made) if ((await family.status(id)) !== "completed") return false;
    return true;
  };
  for (let rest = MOST_HEALING; rest > 0; rest--) {
    await family.step(healed);
    await settle();
    // A payee whose payment failed in its block, for want of gas that a node hid, waits for a day.
    pass(rest === MOST_HEALING / 2 ? 25 * 3_600_000 : 31_000);
    if (rest % 5 === 0 && (await isPaid())) rest = Math.min(rest, 5);
  }
  for (const id of made)
    assert.equal(await family.status(id), "completed", `seed ${seed}: ${[...healed.held].join()}`);
  assert.equal(await family.received(), BigInt(made.size) * family.unit, `seed ${seed}: each is paid once`);
  t.diagnostic(
    `${changed} answers, ${made.size} withdrawals, ${openJournal(family.journalPath).entries.length} lines`,
  );
}

async function sumOf(
  addresses: readonly string[],
  received: (address: string) => bigint | Promise<bigint>,
): Promise<bigint> {
  let sum = 0n;
  for (const address of addresses) sum += await received(address);
  return sum;
}

const seeds = (process.env.SEEDS ?? "1").split(",").map(Number);

for (const seed of seeds) {
  test(`evm, seed ${seed}`, { timeout: 3_600_000 }, async (t) => {
    const w = await signerWorld(t);
    const to: string[] = [];
    await attack(t, seed, {
      ...w,
      advance: (seconds) => rpc(w.url, "evm_increaseTime", [seconds]),
      networksAt: (url) => evmNetwork("bep20", [url], { usdt: USDT_ADDRESS }, { accountKey: ACCOUNT_KEY }),
      start: (networks) => w.start(policyText(), { networks }),
      ask: async () => {
        to.push(`0x${(2n ** 100n + BigInt(to.length)).toString(16).padStart(40, "0")}`);
        return (await w.create(USDT, to.at(-1))).id;
      },
      status: async (id) => (await w.row(id)).status,
      cap: 200_000n * 50n * 10n ** 9n,
      received: () => sumOf(to, w.balance),
      unit: USDT,
      settle: async () => {
        await mine(w.url, 4);
        await w.follow();
      },
    });
  });

  test(`bitcoin, seed ${seed}`, { timeout: 3_600_000 }, async (t) => {
    const w = await utxoWorld(t);
    await w.deposit([100, 100, 50, 50]);
    const to: string[] = [];
    await attack(t, seed, {
      ...w,
      url: w.node.url,
      networksAt: (url) => utxoNetwork(w.setup.data, url, { accountKey: w.account.publicExtendedKey }),
      start: (networks) => w.start({ max_fee_per_vbyte: "20" }, { networks }),
      ask: async () => {
        to.push(aReceiver(w.setup.chain));
        return (await w.create(1, to.at(-1))).id;
      },
      // Twelve payments, and what waits before them.
      cap: 20n * 3_000n,
      received: () => sumOf(to, w.balance),
      unit: w.setup.unit,
    });
  });

  test(`solana, seed ${seed}`, { timeout: 3_600_000 }, async (t) => {
    const w = await solanaSignerWorld(t);
    const to: string[] = [];
    await attack(t, seed, {
      ...w,
      networksAt: solana,
      start: (networks) => w.start({}, { networks }),
      ask: async () => {
        to.push(solanaAddress(1_000 + to.length));
        return (await w.pay(to.at(-1) ?? "", 1n)).id;
      },
      cap: 3_000_000n,
      received: async () => (await sumOf(to, w.balance)) * 10n ** 12n,
      unit: USDT,
    });
  });

  test(`tron, seed ${seed}`, { timeout: 3_600_000 }, async (t) => {
    const w = await tronSignerWorld(t);
    await payTrx(w.emulator, w.hot, Number(20_000n * TRX));
    const to: string[] = [];
    await attack(t, seed, {
      ...w,
      url: w.emulator.url,
      advance: w.emulator.advance,
      networksAt: (url) => trc20({ ...w.emulator, url }),
      start: (networks) => w.start(undefined, { networks }),
      ask: async () => {
        to.push(newAccount().address);
        return (await w.create(USDT, to.at(-1))).id;
      },
      status: async (id) => (await w.row(id)).status,
      cap: 50_000_000n,
      received: () => sumOf(to, w.balance),
      unit: USDT,
    });
  });

  test(`xrp, seed ${seed}`, { timeout: 3_600_000 }, async (t) => {
    const w = await xrpSignerWorld(t);
    const to: string[] = [];
    await attack(t, seed, {
      ...w,
      networksAt: (url) => xrpNetwork(XRP_ACCOUNT, url),
      start: (networks) => w.start({}, { networks }),
      ask: async () => {
        to.push((await w.person()).classicAddress);
        return (await w.pay(to.at(-1) ?? "", 2n)).id;
      },
      cap: 1_000n,
      received: () => sumOf(to, (one) => w.balance(one) - 20n * DROPS_PER_XRP),
      unit: 2_000_000n,
    });
  });
}
