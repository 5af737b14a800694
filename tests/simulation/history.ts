import type { Merchant } from "#lib/domain/merchants/types.ts";
import { sweepPaymentLinks } from "#lib/domain/payment-links/settle/sweep-payment-links.ts";
import { LINK_SETTINGS } from "#tests/support/watched-network.ts";
import { checkInvariants } from "./invariants.ts";
import type { Lane } from "./lane.ts";
import { headOf } from "./model-chain.ts";
import type { Move } from "./move.ts";
import { createLink, deliverDue, MOVES, renew } from "./moves.ts";
import { pay } from "./moves-payers.ts";
import { follow, refund, send, submitOrCorrect } from "./moves-withdrawals.ts";
import type { SimulatedNetwork } from "./networks.ts";
import type { Random } from "./random.ts";
import { beginWithPayment } from "./setbacks.ts";
import { hashOn } from "./side.ts";
import { WATCH } from "./watch-all.ts";
import { type Work, World } from "./world.ts";

/** More than the confirmations that any payment needs. */
const SETTLING_BLOCKS = 8;
/** Longer than the longest pause between two attempts of a webhook in a history. */
const SETTLING_MS = 26 * 3_600_000;
const SETTLING_ROUNDS = 12;
/** A price has just ended. */
const QUOTE_MS = LINK_SETTINGS.quoteMinutes * 60_000 + 1_000;

export interface HistoryResult {
  readonly seed: number;
  readonly moves: readonly string[];
  /** One sentence for each broken rule. Empty: none. */
  readonly problems: readonly string[];
  readonly steps: readonly string[];
  /** How often each event, state and kind of fault was reached. */
  readonly reached: ReadonlyMap<string, number>;
  /** Identifies everything that happened. */
  readonly hash: string;
}

export interface HistoryOptions {
  readonly lane: Lane;
  readonly networkSets: readonly (readonly SimulatedNetwork[])[];
  readonly merchant: Merchant;
  /** The moves after one payment. Absent: all moves, after any begin. */
  readonly moves?: readonly Move[] | undefined;
}

/** Runs one history and checks it. Everything in it follows from the seed. */
export async function runHistory(seed: number, options: HistoryOptions): Promise<HistoryResult> {
  await options.lane.clear();
  const world = new World(seed, options);
  const { moves, problems } = world;
  let reached: ReadonlyMap<string, number> = new Map();
  try {
    await (options.moves ? beginWithPayment(world) : begin(world));
    const all = drawMoves(world.random, options.moves ?? Object.values(MOVES));
    const count = world.random.between(8, 40);
    for (let i = 0; i < count && problems.length === 0; i++) await makeMove(world, all);
    if (problems.length === 0) await settle(world);
    if (problems.length === 0) problems.push(...(await checkInvariants(world)));
    reached = await countReached(world);
  } catch (error) {
    problems.push(`the history stopped: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    await world.close();
  }
  const { trace } = world.scheduler;
  return { seed, moves, problems, steps: trace, reached, hash: world.traceHash() };
}

/** Counts the events and what became of links, deposits and withdrawals. */
async function countReached({ lane, scheduler }: World): Promise<ReadonlyMap<string, number>> {
  const { rows } = await lane.admin.query({
    name: "reached",
    text: `select type as what, count(*)::int as count from webhook_events group by type
      union all select 'link ' || state, count(*)::int from payment_links group by state
      union all select 'withdrawal ' || status, count(*)::int from withdrawals group by status
      union all select 'deposit ' || status, count(*)::int from deposits group by status`,
  });
  const reached = new Map(rows.map(({ what, count }): [string, number] => [what, count]));
  for (const step of scheduler.trace) {
    const fault = /\[(\w+)\]$|(waits for a lock)$/.exec(step);
    const what = fault?.[1] ?? fault?.[2];
    if (what !== undefined) reached.set(what, (reached.get(what) ?? 0) + 1);
  }
  return reached;
}

/** Most histories begin with links, half of those with links that are paid, some with a refund: much can only happen after that. */
async function begin(world: World): Promise<void> {
  const { random, sides, moves } = world;
  for (let i = random.between(0, 2); i > 0; i--) await world.work([createLink(world)]);
  await world.learn();
  if (random.chance(0.25)) await stayOnPages(world);
  if (random.chance(0.5)) return;
  await world.work([WATCH]);
  await world.learn();
  const isRefunded = random.chance(0.4);
  for (const _ of world.links) moves.push(pay(world, isRefunded ? 60n : undefined) ?? "nothing can be paid");
  for (let i = random.between(1, 5); i > 0; i--) for (const { chain } of sides) chain.mine(1);
  moves.push("mine some blocks");
  await world.work([WATCH]);
  const refunded = isRefunded ? refund(world) : null;
  if (refunded === null) return;
  await world.work([refunded]);
  await world.learn();
  moves.push(pay(world, random.pick([40n, 60n])) ?? "nothing can be paid");
}

/** Pages stay open while prices change, and get new ones. Their payers may pay what they saw before. */
async function stayOnPages(world: World): Promise<void> {
  const { random, sides, prices, links, moves } = world;
  for (const { network } of sides) prices.tick(network.token, random);
  moves.push("pages stay open while prices change");
  world.pass(QUOTE_MS);
  for (const link of links) await world.work([renew(link)]);
  await world.learn();
  for (const _ of links) moves.push(pay(world) ?? "nothing can be paid");
}

/** Some moves are frequent in a history and others rare, so that histories of few kinds of moves occur too. */
function drawMoves(random: Random, moves: readonly Move[]): readonly Move[] {
  return moves.map((move) => ({ ...move, weight: move.weight * random.pick([0.2, 1, 1, 4]) }));
}

async function makeMove(world: World, all: readonly Move[]): Promise<void> {
  const { random, faults } = world;
  const move = random.weighted(all);
  if ("outside" in move) {
    const happened = await move.outside(world);
    if (happened !== null) world.moves.push(happened);
    world.now += random.between(0, 2_000);
    return;
  }
  const works = [chooseWork(world, move)];
  const others = all.filter((other): other is InsideMove => "inside" in other);
  // Several workers often do the same at the same time.
  if (random.chance(faults.concurrent))
    works.push(chooseWork(world, random.chance(0.5) ? move : random.weighted(others)));
  const chosen = works.flatMap((work) => work ?? []);
  if (chosen.length === 0) return;
  await world.work(chosen);
  if (chosen.some(({ learns }) => learns)) await world.learn();
}

type InsideMove = Extract<Move, { readonly inside: unknown }>;

const chooseWork = (world: World, { inside }: InsideMove): Work | null => inside(world);

/**
 * Ends the faults, mines what waits, lets time pass and lets the program work, until all is delivered. Half of the
 * histories end before the deadlines of their links, so that open links are checked too.
 */
async function settle(world: World): Promise<void> {
  const { sides, random } = world;
  await world.calm();
  const waitsForDeadlines = random.chance(0.5);
  world.moves.push(`the end: all works again${waitsForDeadlines ? ", and all deadlines pass" : ""}`);
  if (waitsForDeadlines) {
    await world.work([WATCH]);
    world.pass(SETTLING_MS);
  }
  await endWithdrawals(world);
  for (let i = 0; i < SETTLING_BLOCKS; i++) for (const { chain } of sides) chain.mine(1);
  for (let round = 0; round < SETTLING_ROUNDS; round++) {
    await world.calm();
    await world.work([WATCH]);
    await world.work([SWEEP]);
    if (world.withdrawals.length > 0) await world.work([FOLLOW]);
    const open = await findOpen(world);
    if (open === null) break;
    world.moves.push(`still open: ${open}`);
    // Units that were set aside are retried later, and blocks continue to come.
    world.pass(waitsForDeadlines ? 3_600_000 : 31_000);
    for (const { chain } of sides) chain.mine(1);
  }
  // Deliveries may be due days later. The rules are checked as of now.
  const { now } = world;
  await deliverAll(world);
  world.now = now;
}

/** The operator submits what was broadcast and not submitted, and broadcasts again what the network has forgotten. */
async function endWithdrawals(world: World): Promise<void> {
  await world.learn();
  for (const withdrawal of world.withdrawals) {
    const { chain } = withdrawal.side;
    const sent = world.sent.get(withdrawal.refid) ?? [];
    for (const transaction of sent) {
      const isWaiting = chain.state.waiting.some(({ spends }) => spends[0] === transaction.spends[0]);
      if (!isWaiting) chain.send(transaction);
    }
    const [first, ...others] = sent;
    const work = withdrawal.status === 0 && first !== undefined ? send(world, withdrawal) : null;
    if (work !== null) await world.work([work]);
    for (const other of others)
      if (!withdrawal.hashes.includes(hashOn(withdrawal.side, other)))
        await world.work([submitOrCorrect(withdrawal, other)]);
  }
  await world.learn();
}

const FOLLOW: Work = { label: "follow the withdrawals", run: follow };

const SWEEP: Work = {
  label: "sweep the due links",
  run: ({ paymentLinks, now }) => sweepPaymentLinks(paymentLinks, now()),
};

/** The work that the program still has to do, for the trace. null: nothing. */
async function findOpen(world: World): Promise<string | null> {
  const { rows } = await world.lane.admin.query({
    name: "open",
    text: `select (select json_object_agg(network, height) from watch_cursors) as heights,
      (select count(*) from deposits where status = 0) as "deposits that are seen",
      (select count(*) from attention) as "rows that are set aside",
      (select count(*) from withdrawals where status = 5) as "withdrawals that were given up",
      (select count(*) from payment_links
        where state in ('open', 'awaiting', 'partial', 'detected') and expires_at < $1) as "links after their end"`,
    values: [new Date(world.now)],
  });
  const [{ heights, ...counts }] = rows as [Record<string, string> & { heights: Record<string, number> }];
  const open = Object.entries(counts).filter(([, count]) => Number(count) > 0);
  for (const { network, chain } of world.sides) {
    const height = heights?.[network.adapter.network];
    if (height !== headOf(chain.state).height) open.push(["the cursor's height", String(height)]);
  }
  return open.length === 0 ? null : open.map(([what, count]) => `${what}: ${count}`).join(", ");
}

/** Delivers what is due, whenever it is due. The receiver's queue of attempts may be days long. */
async function deliverAll(world: World): Promise<void> {
  for (let round = 0; round < SETTLING_ROUNDS; round++) {
    const { rows } = await world.lane.admin.query({
      name: "next_due",
      text: `select greatest(min(next_attempt_at), max(claimed_until)) as next from webhook_deliveries where status = 'due'`,
    });
    if (rows[0].next === null) return;
    world.now = Math.max(world.now, rows[0].next.getTime());
    await world.work([{ label: "deliver all", run: (service) => deliverDue(service, 100) }]);
  }
}
