import { setTimeout as pause } from "node:timers/promises";
import type { Crowd } from "../support/crowd.ts";
import type { CrowdLink } from "../support/crowd-links.ts";
import type { Stack } from "../support/stack.ts";
import { until } from "../support/until.ts";
import { readServer } from "./crowd-server.ts";
import { percentile, report } from "./report.ts";
import { sized } from "./sized.ts";

/** Payments in one block. */
export const PAID = sized(200, 4);
const PATIENCE = { withinMs: 60_000 };

/** Delays of the pages when a block changes 200 of them, block after block. Milliseconds. */
interface Figures {
  readonly mining: number[];
  readonly commitToNudge: number[];
  readonly blockToNudge: number[];
  readonly nudgeToState: number[];
  readonly blockToState: number[];
  readonly loopDelay: number[];
}

/**
 * Blocks that pay 200 pages each and then become final, which credits and completes them. `changes`: when
 * PostgreSQL announced each, by "<refid>:<version>".
 */
export async function bursts(
  stack: Stack,
  crowd: Crowd,
  pages: readonly CrowdLink[],
  changes: ReadonlyMap<string, number>,
): Promise<void> {
  const seen = noFigures();
  const final = noFigures();
  for (let at = 0; at < pages.length; at += PAID) {
    const paid = pages.slice(at, at + PAID);
    for (const { address, amount } of paid) await stack.pay(address, amount);
    for (const [blocks, figures] of [
      [1, seen],
      [2, final],
    ] as const) {
      // Everything is idle, and not in step with the watcher.
      await pause(2_000 + Math.random() * 500);
      await burst({ stack, crowd, paid, changes, blocks }, figures);
    }
  }
  console.log(`  a block with ${PAID} payments, and two more blocks, after which they are final`);
  tell("seen", seen, true);
  tell("final", final, false);
}

const noFigures = (): Figures => ({
  mining: [],
  commitToNudge: [],
  blockToNudge: [],
  nudgeToState: [],
  blockToState: [],
  loopDelay: [],
});

async function burst(
  about: {
    stack: Stack;
    crowd: Crowd;
    paid: readonly CrowdLink[];
    changes: ReadonlyMap<string, number>;
    blocks: number;
  },
  figures: Figures,
): Promise<void> {
  const { stack, crowd, paid, changes, blocks } = about;
  await readServer(stack);
  crowd.forget();
  const next = new Map(paid.map(({ refid }) => [refid, (crowd.shown.get(refid) ?? 0) + 1]));
  const newer = (refid: string) => next.get(refid) ?? 0;
  const startedAt = Date.now();
  await stack.mine(blocks);
  const minedAt = Date.now();
  const all = (what: "nudge" | "shown") => () => {
    const times = crowd.first(what, newer);
    return paid.every(({ refid }) => times.has(refid)) ? times : null;
  };
  const nudges = await until("every paid page to be nudged", all("nudge"), PATIENCE);
  const states = await until("every paid page to show its state", all("shown"), PATIENCE);
  figures.loopDelay.push((await readServer(stack)).loopDelayMaxMs);
  figures.mining.push(minedAt - startedAt);
  for (const { refid } of paid) {
    const nudged = nudges.get(refid) ?? Number.NaN;
    const shown = states.get(refid) ?? Number.NaN;
    figures.commitToNudge.push(nudged - (changes.get(`${refid}:${newer(refid)}`) ?? Number.NaN));
    figures.blockToNudge.push(nudged - minedAt);
    figures.nudgeToState.push(shown - nudged);
    figures.blockToState.push(shown - minedAt);
  }
  const others = [...crowd.first("nudge").keys()].filter((refid) => !next.has(refid));
  if (others.length > 0) throw new Error(`${others.length} pages were nudged that were not paid`);
}

function tell(stage: string, figures: Figures, goal: boolean): void {
  const line = (name: string, times: readonly number[], held = false) => {
    const [p50, p95, most] = [percentile(times, 0.5), percentile(times, 0.95), Math.max(...times)];
    const goalText = { text: "p95 < 1 s", met: p95 < 1_000 };
    const figure = `${p50.toFixed(0)} / ${p95.toFixed(0)} / ${most.toFixed(0)} ms`;
    report(`  ${stage}: ${name}, p50 / p95 / max`, figure, held ? goalText : undefined);
  };
  line("the node's mining", figures.mining);
  line("commit to nudge", figures.commitToNudge, goal);
  line("block mined to nudge", figures.blockToNudge, goal);
  line("nudge to the new state", figures.nudgeToState);
  line("block mined to the new state", figures.blockToState);
  line("longest delay of the event loop", figures.loopDelay);
}
