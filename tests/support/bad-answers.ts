import type { Random } from "#tests/simulation/random.ts";
import { type FakeCall, type Twist, UNANSWERED } from "./fake-node.ts";

/**
 * How one answer of a node is wrong: without its entries; without some of them; without a field, or without an answer in its batch; of an
 * older state; of another question, or with entries twice.
 */
export const BAD_ANSWERS = ["empty", "short", "partial", "late", "repeated"] as const;
export type BadAnswer = (typeof BAD_ANSWERS)[number];

export interface BadAnswersOptions {
  readonly fault: BadAnswer;
  /** The part of the answers that are wrong. Each is wrong by itself: the same question asked again may be answered well. */
  readonly chance: number;
  readonly random: Random;
  /** The node as it was some blocks ago, and the height of that. */
  readonly stale: (blocks: number) => Promise<{ readonly twist: Twist; readonly height: number }>;
  /** Only calls of these methods. Absent: all. */
  readonly spoils?: (call: FakeCall) => boolean;
  /** False: every call is answered. */
  readonly leavesUnanswered?: boolean;
}

export interface BadAnswers {
  readonly twist: Twist;
  /** Answers that were changed. */
  readonly spoiled: () => number;
}

/** Answers that are wrong by chance, in front of a node that is right. */
export function openBadAnswers(options: BadAnswersOptions): BadAnswers {
  const { chance, random, spoils = () => true } = options;
  const change = openChange(options);
  let spoiled = 0;
  return {
    spoiled: () => spoiled,
    async twist(call, pass) {
      const isSpoiled = spoils(call);
      const isBad = isSpoiled && random.chance(chance);
      const result = await pass();
      // The node refuses it.
      if (result === undefined) return undefined;
      // The first answer that can be wrong is: there may be few of them.
      const changed = isBad || (isSpoiled && spoiled === 0) ? await change(call, result) : undefined;
      if (changed !== undefined) spoiled += 1;
      return changed;
    },
  };
}

type Change = (call: FakeCall, result: unknown) => unknown;

/** Returns undefined where the fault changes nothing. */
function openChange({ fault, random, stale, leavesUnanswered = true }: BadAnswersOptions): Change {
  const last = new Map<string, unknown>();
  const changes: Readonly<Record<BadAnswer, Change>> = {
    empty: (_call, result) => toEmpty(result, random),
    short: (_call, result) => toShort(result, random),
    partial: (_call, result) =>
      leavesUnanswered && random.chance(0.3) ? UNANSWERED : withoutField(result, random),
    late: async (call, result) => {
      const { twist, height } = await stale(random.between(1, 3));
      return (await twist(call, async () => result)) ?? asOf(result, height);
    },
    repeated: (call, result) => {
      const before = random.pick([last.get(call.method), last.get("")]);
      last.set(call.method, result).set("", result);
      return random.chance(0.3) ? withEntriesTwice(result, random) : before;
    },
  };
  return changes[fault];
}

function toEmpty(result: unknown, random: Random): unknown {
  if (Array.isArray(result)) return [];
  if (typeof result !== "object" || result === null || random.chance(0.3)) return null;
  const lists = Object.entries(result).filter(([, value]) => Array.isArray(value));
  return lists.length === 0 ? {} : { ...result, ...Object.fromEntries(lists.map(([name]) => [name, []])) };
}

/** Without some entries of one of its lists: without the last ones, or without any. */
function toShort(result: unknown, random: Random): unknown {
  if (typeof result === "string" && result.length > 80)
    return result.slice(0, 2 * random.between(1, result.length / 2 - 1));
  return changeOne(
    result,
    random,
    (value) => Array.isArray(value) && value.length > 0,
    (value) => {
      const list = value as unknown[];
      if (random.chance(0.5)) return list.slice(0, random.between(0, list.length - 1));
      const left = random.between(0, list.length - 1);
      return list.filter((_, i) => i !== left && random.chance(0.7));
    },
  );
}

function withoutField(result: unknown, random: Random): unknown {
  const isObject = (value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
  return changeOne(result, random, isObject, (value) => {
    const { [random.pick(Object.keys(value as object))]: _, ...rest } = value as Record<string, unknown>;
    return rest;
  });
}

function withEntriesTwice(result: unknown, random: Random): unknown {
  return changeOne(
    result,
    random,
    (value) => Array.isArray(value) && value.length > 0,
    (value) => {
      const list = value as unknown[];
      return [...list, ...list];
    },
  );
}

/** Changes one of the values in a result that can be changed. Undefined: none can. */
function changeOne(
  result: unknown,
  random: Random,
  isPossible: (value: unknown) => boolean,
  change: (value: unknown) => unknown,
): unknown {
  const copy = structuredClone({ result });
  const places: [holder: Record<string, unknown>, key: string][] = [];
  const visit = (holder: object) => {
    for (const [key, value] of Object.entries(holder)) {
      if (isPossible(value)) places.push([holder as Record<string, unknown>, key]);
      if (typeof value === "object" && value !== null) visit(value);
    }
  };
  visit(copy);
  if (places.length === 0) return undefined;
  const [holder, key] = random.pick(places);
  holder[key] = change(holder[key]);
  return copy.result;
}

const HEIGHTS = ["blockNumber", "number", "slot", "ledger_index", "height"];

/** A result without what is in blocks above a height. Null: all of it is. */
function asOf(result: unknown, height: number): unknown {
  if (typeof result !== "object" || result === null) return result;
  if (Array.isArray(result)) return result.filter((entry) => asOf(entry, height) !== null);
  const fields = result as Record<string, unknown>;
  return HEIGHTS.some((name) => Number(fields[name] ?? 0) > height) ? null : result;
}
