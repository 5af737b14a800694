import { updateMerchant } from "#lib/domain/merchants/update-merchant.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { actOf } from "#tests/support/acts.ts";
import { testDatabase } from "#tests/support/database.ts";
import { newMerchant } from "#tests/support/new-merchant.ts";
import { BRANCH_MOVES } from "./branches.ts";
import { runElectrumHistory } from "./electrum/electrum-history.ts";
import { type HistoryOptions, type HistoryResult, runHistory } from "./history.ts";
import { type Lane, openLane } from "./lane.ts";
import { BEP20, BITCOIN, NETWORK_SETS } from "./networks.ts";
import { SETBACK_MOVES } from "./setbacks.ts";

/** Histories at the same time: one computes while PostgreSQL works for another. */
const LANES = 2;

/**
 * Histories with this network, those of payments that meet setbacks, of nodes on branches of the same length, or those of the
 * reader of Electrum servers.
 */
export const KINDS = ["bep20", "bitcoin", "xrp", "setbacks", "branches", "electrum"] as const;
export type Kind = (typeof KINDS)[number];

/** Histories with some moves only. */
const STORIES: { readonly [kind in Kind]?: Pick<HistoryOptions, "networkSets" | "moves"> } = {
  setbacks: { networkSets: [[BITCOIN]], moves: SETBACK_MOVES },
  branches: { networkSets: [[BEP20], [BITCOIN]], moves: BRANCH_MOVES },
};

export interface SimulationOptions {
  /** The first history's. The others count up from it. */
  readonly seed: number;
  readonly histories: number;
  /** Only histories of this kind. Absent: those of all networks. */
  readonly only?: Kind | undefined;
  /** Milliseconds after which no other history begins. */
  readonly atMostMs?: number;
  /** Failures after which no other history begins. */
  readonly atMostFailures?: number;
}

export interface SimulationResult {
  readonly histories: number;
  readonly perMinute: number;
  /** Statements, questions and requests. */
  readonly steps: number;
  /** How often each event, state and kind of fault was reached, by its name. */
  readonly reached: ReadonlyMap<string, number>;
  /** The first one that broke a rule. null: none did. */
  readonly failure: HistoryResult | null;
  readonly failures: readonly HistoryResult[];
}

/** Runs histories until one breaks a rule, or until as many have as the options say. */
export async function simulate({
  seed,
  histories,
  only,
  atMostMs = Infinity,
  atMostFailures = 1,
}: SimulationOptions): Promise<SimulationResult> {
  const lanes = await Promise.all(Array.from({ length: Math.min(LANES, histories) }, openReadyLane));
  const began = performance.now();
  let next = 0;
  let steps = 0;
  let done = 0;
  const reached = new Map<string, number>();
  const failures: HistoryResult[] = [];
  const story = only === undefined ? undefined : STORIES[only];
  const networkSets =
    story?.networkSets ??
    NETWORK_SETS.filter((set) => only === undefined || set.some(({ adapter }) => adapter.network === only));
  const run = (number: number, { lane, merchant, database }: ReadyLane) =>
    only === "electrum"
      ? runElectrumHistory(number, { lane, database, merchantId: merchant.id })
      : runHistory(number, { lane, merchant, networkSets, moves: story?.moves });
  const work = async (ready: ReadyLane) => {
    const mayContinue = () => failures.length < atMostFailures && performance.now() - began < atMostMs;
    while (mayContinue() && next < histories) {
      const result = await run(seed + next++, ready);
      done += 1;
      steps += result.steps.length;
      for (const [what, count] of result.reached) reached.set(what, (reached.get(what) ?? 0) + count);
      if (result.problems.length > 0) failures.push(result);
    }
  };
  try {
    await Promise.all(lanes.map(work));
    const minutes = (performance.now() - began) / 60_000;
    const perMinute = Math.round(done / minutes);
    return { histories: done, perMinute, steps, reached, failure: failures[0] ?? null, failures };
  } finally {
    await Promise.all(lanes.map(({ close }) => close()));
  }
}

/** Runs one history twice and returns both. */
export async function repeatHistory(seed: number): Promise<readonly [HistoryResult, HistoryResult]> {
  const { lane, merchant, close } = await openReadyLane();
  const options = { lane, merchant, networkSets: NETWORK_SETS };
  try {
    return [await runHistory(seed, options), await runHistory(seed, options)];
  } finally {
    await close();
  }
}

type ReadyLane = Awaited<ReturnType<typeof openReadyLane>>;

async function openReadyLane() {
  const database = await testDatabase();
  const lane: Lane = await openLane(database);
  const merchant = await addMerchant(database.db);
  await lane.markBaseline();
  const close = async () => {
    await lane.close();
    await database.close();
  };
  return { lane, merchant, database: database.database, close };
}

async function addMerchant(db: Db) {
  const sealer = { seal: (text: string) => Buffer.from(text) };
  const input = {
    sealer,
    email: "shop@example.com",
    name: "Shop",
    webhookUrl: "https://shop.example.com/events",
  };
  const now = new Date("2029-01-01T00:00:00Z");
  const made = await newMerchant(db, input, now);
  const updated = await db.transaction((tx) =>
    updateMerchant(actOf(tx, made.merchant.id, { now }), {
      paymentPairs: ["bep20/usdt", "bitcoin/btc", "xrp/xrp"],
    }),
  );
  if (!updated.ok) throw new Error(JSON.stringify(updated));
  return updated.merchant;
}

/** Describes a failing history, with the command that repeats it. */
export function describeFailure({ seed, moves, problems }: HistoryResult, only?: Kind): string {
  return [
    ...moves,
    "",
    ...problems.slice(0, 20),
    "",
    `Repeat it: npm run test:simulation -- --seed ${seed}${only === undefined ? "" : ` --only ${only}`}`,
  ].join("\n");
}
