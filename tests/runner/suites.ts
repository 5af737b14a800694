import type { Needs } from "./prepare.ts";

export interface Suite {
  readonly name: string;
  /** Relative to the project's folder. Its files are the `*.test.ts` below them. */
  readonly folders: readonly string[];
  readonly needs: Partial<Needs>;
  /** Milliseconds after which a file is stopped. */
  readonly timeoutMs: number;
  /** The configuration of Playwright that runs it, if it is not Node's runner. */
  readonly browser?: string;
  /** `npm test` runs `quick`, `test:all` also `long`. Others run only by their names. */
  readonly when: "quick" | "long" | "named";
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export const SUITES: readonly Suite[] = [
  quick("project", {}),
  quick("unit", {}),
  quick("api", {}),
  quick("simulation", {}),
  quick("chains", { chains: true }),
  { ...quick("e2e", { chains: true, page: true, browser: true }), browser: "tests/e2e/playwright.config.ts" },
  // Two long files, side by side: one waits for blocks most of the time. They come first, so that no worker is idle at the end.
  {
    ...long("bench", "tests/long/bench", { chains: true, page: true, browser: true }),
    timeoutMs: 30 * MINUTE,
  },
  long("long-unit", "tests/long/unit", {}),
  long("long-api", "tests/long/api", {}),
  // A change of the program's statements changes all histories: each planted fault is then found at another seed, after a longer search.
  { ...long("long-simulation", "tests/long/simulation", {}), timeoutMs: 30 * MINUTE },
  long("long-chains", "tests/long/chains", { chains: true }),
  long("faults", "tests/long/faults", { chains: true, page: true, dumps: true, patroni: true }),
  {
    ...long("long-e2e", "tests/long/e2e", { chains: true, page: true, browser: true }),
    browser: "tests/long/e2e/playwright.config.ts",
  },
  {
    ...named("screens", { chains: true, page: true, browser: true }),
    browser: "tests/screens/playwright.config.ts",
  },
  named("nodes", {}),
  named("providers", { chains: true }),
  named("generators", {}),
  named("integrations", { page: true }),
  named("packages", {}),
];

function quick(name: string, needs: Partial<Needs>): Suite {
  return { name, folders: [`tests/${name}`], needs, timeoutMs: 3 * MINUTE, when: "quick" };
}

function long(name: string, folder: string, needs: Partial<Needs>): Suite {
  const timeoutMs = process.env.FAULTS === "short" || name !== "faults" ? 10 * MINUTE : 3 * HOUR;
  return { name, folders: [folder], needs, timeoutMs, when: "long" };
}

function named(name: string, needs: Partial<Needs>): Suite {
  return { name, folders: [`tests/${name}`], needs, timeoutMs: HOUR, when: "named" };
}

export interface Chosen {
  readonly suites: readonly Suite[];
  /** Only files whose path contains all of these. */
  readonly words: readonly string[];
  /** A whole run: of what. Null for suites or files by their names. */
  readonly whole: "quick" | "all" | "rest" | null;
}

/** Returns the suites that the words after the command choose. Throws for a word that is no suite where no suite is named. */
export function findSuites(given: readonly string[]): Chosen {
  // `npm run test:all -- rest` gives both words.
  const first = given.includes("rest") ? "rest" : (given[0] ?? "quick");
  if (first === "quick" || first === "all" || first === "rest") {
    const whens = { quick: ["quick"], all: ["quick", "long"], rest: ["long"] }[first];
    return { suites: SUITES.filter(({ when }) => whens.includes(when)), words: [], whole: first };
  }
  const suites = SUITES.filter(({ name }) => given.includes(name));
  if (suites.length === 0)
    throw new Error(
      `There is no suite ${given.join(" ")}. Suites: ${SUITES.map(({ name }) => name).join(", ")}.`,
    );
  const words = given.filter((word) => suites.every(({ name }) => name !== word));
  return { suites, words, whole: null };
}
