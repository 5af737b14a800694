/**
 * Searches histories for a broken rule: `npm run test:simulation -- --seed 1 --histories 1000`. With `--rounds 100` it
 * searches new histories of every kind, again and again, and continues after a failure.
 */
import { parseArgs } from "node:util";
import { describeFailure, KINDS, type Kind, simulate } from "./simulation.ts";

/** The kinds of a round. Histories of all networks contain those of single networks. */
const ROUND: readonly (Kind | undefined)[] = [undefined, "setbacks", "branches", "electrum"];
const HISTORIES = 1_000;

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    /** Absent: 1 with a seed, else HISTORIES. */
    histories: { type: "string" },
    /** One of KINDS. */
    only: { type: "string" },
    /** How many times to search. Each time has new seeds. */
    rounds: { type: "string" },
    /** Prints every statement and question of a failing history. */
    steps: { type: "boolean", default: false },
  },
});
const only = KINDS.find((kind) => kind === values.only);
if (values.only !== undefined && only === undefined) throw new Error(`--only is one of ${KINDS.join(", ")}`);

const newSeed = () => Math.floor(Math.random() * 2 ** 31);

async function searchOnce(): Promise<void> {
  const seed = Number(values.seed ?? newSeed());
  const histories = Number(values.histories ?? (values.seed === undefined ? HISTORIES : 1));
  const result = await simulate({ seed, histories, only });
  const { failure, perMinute, steps } = result;
  console.log(`${result.histories} histories from seed ${seed}, ${perMinute} a minute, ${steps} steps`);
  const reached = [...result.reached].toSorted(([a], [b]) => a.localeCompare(b));
  console.log(reached.map(([what, count]) => `${what}: ${count}`).join(", "));
  if (failure === null) return;
  if (values.steps) console.log(failure.steps.join("\n"));
  console.log(describeFailure(failure, only));
  process.exitCode = 1;
}

/** Prints one line for each kind of each round, and every failure. */
async function searchRounds(rounds: number): Promise<void> {
  const histories = Number(values.histories ?? HISTORIES);
  const sums = new Map<Kind | undefined, { histories: number; failures: number }>();
  for (let round = 1; round <= rounds; round++) {
    for (const kind of only === undefined ? ROUND : [only]) {
      const seed = Number(values.seed ?? newSeed()) + (round - 1) * histories;
      const result = await simulate({ seed, histories, only: kind, atMostFailures: Infinity });
      const sum = sums.get(kind) ?? { histories: 0, failures: 0 };
      sum.histories += result.histories;
      sum.failures += result.failures.length;
      sums.set(kind, sum);
      for (const failure of result.failures) console.log(`FAILED\n${describeFailure(failure, kind)}`);
      console.log(
        `${new Date().toISOString()} ${kind ?? "all networks"}: ${result.histories} histories from seed ${seed}, ` +
          `${result.perMinute} a minute; so far ${sum.histories}, ${sum.failures} failed`,
      );
      if (sum.failures > 0) process.exitCode = 1;
    }
  }
}

await (values.rounds === undefined ? searchOnce() : searchRounds(Number(values.rounds)));
