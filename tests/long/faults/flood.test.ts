/**
 * Strangers send dust over three chains as fast as the worker records it, to one link of each chain and to many.
 * Honest customers pay their links meanwhile. FLOOD sets the number of dust payments.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NETWORKS } from "#lib/chains/networks.ts";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { payUsdt } from "#tests/support/anvil.ts";
import type { FaultChain } from "#tests/support/fault-chain.ts";
import { openEvmChain } from "#tests/support/fault-evm.ts";
import { LONG } from "#tests/support/fault-random.ts";
import { type FaultLink, openFaultStack, type PaidChain } from "#tests/support/fault-stack.ts";
import { until } from "#tests/support/until.ts";
import { openBitcoinChain } from "./fault-bitcoin.ts";
import { openTronChain } from "./fault-tron.ts";

const DUST = Number(process.env.FLOOD ?? (LONG ? 100_000 : 1_800));
const HONEST = LONG ? 50 : 6;
/** Dust payments of one chain in one block. */
const IN_A_BLOCK = Math.min(500, DUST / 6);
/** A short run shares its processors with other tests, whose turns count too. */
const WITHIN_SECONDS = LONG ? 5 : 30;
/** Milliseconds. */
const LONGEST_DELAY = 50;
/** Half of the dust goes to one link of each chain, half to this many others. */
const OTHERS = 20;
const IN_A_TRANSACTION = 100;

interface Payment {
  readonly address: string;
  readonly amount: bigint;
}

/** A chain, and how strangers flood it. */
interface Flooded extends PaidChain, Pick<FaultChain, "mine" | "height"> {
  /** Ledger units: as little as the network carries. */
  readonly dust: bigint;
  /** Blocks after which a payment is final. */
  readonly settleBlocks: number;
  payAtOnce(payments: readonly Payment[]): Promise<unknown>;
}

test(`${HONEST} honest links complete within ${WITHIN_SECONDS} s during ${DUST} dust payments over three chains`, async (t) => {
  const evm = await openEvmChain();
  const bitcoin = await openBitcoinChain();
  const tron = await openTronChain();
  t.after(() => Promise.all([bitcoin.close(), tron.close()]));
  const chains: readonly Flooded[] = [
    {
      ...evm,
      dust: 1n,
      payAtOnce: (payments) =>
        payUsdt(
          evm.nodeUrl,
          payments.map(({ address, amount }) => ({ to: address, amount })),
        ),
    },
    { ...bitcoin, dust: 600n, payAtOnce: (payments) => bitcoin.payMany(payments) },
    { ...tron, dust: 10n ** 12n, payAtOnce: (payments) => tron.payMany(payments) },
  ];
  const stack = await openFaultStack(evm, undefined, [bitcoin, tron]);
  t.after(stack.close);
  const operationsPort = await choosePort(0);
  await stack.startWorker({ OPERATIONS_PORT: String(operationsPort) });
  const followed = (chain: Flooded) =>
    until(
      `${chain.network} to be followed`,
      async () => (await stack.cursor(chain.network))?.height === (await chain.height()),
    );
  const eventLoopDelay = async () => {
    const answer = await fetch(`http://127.0.0.1:${operationsPort}/metrics`);
    return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(await answer.text())?.[1]) * 1_000;
  };

  const victims = new Map<Flooded, FaultLink[]>();
  const honest: { chain: Flooded; link: FaultLink; finalAt: number }[] = [];
  for (const chain of chains) {
    const links = [];
    for (let i = 0; i <= OTHERS; i++) links.push(await stack.link(100, chain));
    victims.set(chain, links);
  }
  for (let i = 0; i < HONEST; i++) {
    const chain = chains[i % chains.length]!;
    honest.push({ chain, link: await stack.link(10 + i, chain), finalAt: 0 });
  }
  for (const chain of chains) await followed(chain);
  await eventLoopDelay();

  const startedAt = Date.now();
  const rounds = Math.ceil(DUST / (IN_A_BLOCK * chains.length));
  let [sent, paid] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    for (const chain of chains) {
      const [crowded, ...others] = victims.get(chain)!;
      for (let i = 0; i < IN_A_BLOCK; i += IN_A_TRANSACTION) {
        const dust = Array.from({ length: Math.min(IN_A_TRANSACTION, IN_A_BLOCK - i) }, (_, n) => ({
          address: (n % 2 === 0 ? crowded : others[n % OTHERS])!.address,
          amount: chain.dust,
        }));
        await chain.payAtOnce(dust);
        sent += dust.length;
      }
      // The honest payments are spread over the rounds.
      const due = Math.ceil(((round + 1) * HONEST) / rounds);
      const now = honest.slice(0, due).filter((one) => one.chain === chain && one.finalAt === 0);
      for (const { link } of now) await chain.payAtOnce([link]);
      await chain.mine();
      await chain.mine(chain.settleBlocks);
      for (const one of now) one.finalAt = Date.now();
      paid += now.length;
    }
    for (const chain of chains) await followed(chain);
  }
  const flooded = Date.now() - startedAt;
  const credited = async () => {
    const { rows } = await stack.pool.query("select count(*)::int as n from deposits where status = 1");
    return rows[0].n === sent + paid;
  };
  await until("every payment to be credited", credited, { withinMs: 600_000, everyMs: 500 });
  const all = Date.now() - startedAt;
  const delay = await eventLoopDelay();
  const { rows } = await stack.pool.query<{ refid: string; state: string; at: Date | null }>(
    "select refid, state, completed_at as at from payment_links where refid = any($1)",
    [honest.map(({ link }) => link.refid)],
  );
  const waits = rows
    .map(({ refid, at }) => {
      const { chain, finalAt } = honest.find(({ link }) => link.refid === refid)!;
      // TRON is asked rarely, because of what the plans of its providers hold.
      const pause = Math.max(0, NETWORKS[chain.network].pollMs - 1_000);
      return (at?.getTime() ?? Number.POSITIVE_INFINITY) - finalAt - pause;
    })
    .sort((a, b) => a - b);
  const checkedAt = Date.now();
  const check = await stack.cli("ledger", "check");
  const checked = Date.now() - checkedAt;
  const figures = {
    sent,
    paid,
    flooded,
    all,
    checked,
    median: waits[waits.length >> 1],
    last: waits.at(-1),
    delay,
  };
  console.log(`flood: ${JSON.stringify(figures)}`);
  assert.equal(check.status, 0, check.stdout);
  assert.ok(checked < 30_000, "the ledger's check grows no faster than the ledger");
  assert.deepEqual([...new Set(rows.map(({ state }) => state))], ["completed"]);
  assert.equal(paid, HONEST);
  assert.ok(waits.at(-1)! <= WITHIN_SECONDS * 1_000, JSON.stringify(figures));
  assert.ok(delay > 0, "the event loop was measured");
  if (LONG) assert.ok(delay < LONGEST_DELAY, JSON.stringify(figures));
});
