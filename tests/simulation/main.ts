/** Searches histories for a broken rule: `npm run test:simulation -- --seed 1 --histories 1000`. */
import { parseArgs } from "node:util";
import { describeFailure, KINDS, simulate } from "./simulation.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    /** Absent: 1 with a seed, else 1,000. */
    histories: { type: "string" },
    /** One of KINDS. */
    only: { type: "string" },
    /** Prints every statement and question of a failing history. */
    steps: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const histories = Number(values.histories ?? (values.seed === undefined ? 1_000 : 1));
const only = KINDS.find((kind) => kind === values.only);
if (values.only !== undefined && only === undefined) throw new Error(`--only is one of ${KINDS.join(", ")}`);
const result = await simulate({ seed, histories, only });
const { failure, perMinute, steps } = result;
console.log(`${result.histories} histories from seed ${seed}, ${perMinute} a minute, ${steps} steps`);
const reached = [...result.reached].toSorted(([a], [b]) => a.localeCompare(b));
console.log(reached.map(([what, count]) => `${what}: ${count}`).join(", "));
if (failure !== null) {
  if (values.steps) console.log(failure.steps.join("\n"));
  console.log(describeFailure(failure, only));
  process.exitCode = 1;
}
