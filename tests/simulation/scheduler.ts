import { setImmediate as endOfTurn } from "node:timers/promises";
import type { Random } from "./random.ts";

/** Statements of a process that waits for a lock are noticed after this time. */
const LOCK_WAIT_MS = 3;
/** On a loaded machine a statement may take long without waiting for a lock. */
const LONGEST_WAIT_MS = 12;
/** Turns of the event loop without a step after which a work counts as stuck. */
const STUCK_TURNS = 2_000;

/**
 * crash: the process ends before the step. crash_after: it ends when the step is done. lose: the step is not done and fails.
 * lose_answer: the step is done and fails.
 */
export type FaultKind = "crash" | "crash_after" | "lose" | "lose_answer";

export interface Fault {
  readonly kind: FaultKind;
  /** It meets this step of the work, counted from 1. */
  readonly at: number;
}

/** One statement or one question to a node. */
export interface Step<T> {
  /** For the trace. */
  readonly label: string;
  /** The server process that runs it. null: it cannot wait for a lock now. */
  pid(): number | null;
  run(): Promise<T>;
  /** False: it has ended no lock that another step can wait for. Absent: false. */
  mayFree?(): boolean;
  /** Breaks the connection and returns the error that its user gets. */
  lose(): Promise<Error>;
}

/** A running instance of the program. A dead one never gets another answer, so none of its code continues. */
export class Process {
  readonly name: string;
  fault: Fault | null = null;
  isDead = false;
  /** Steps of the current work. */
  steps = 0;
  /** Ends what the process has open outside of it: its transactions are rolled back. */
  readonly atDeath: (() => Promise<void>)[] = [];

  constructor(name: string) {
    this.name = name;
  }

  async kill(): Promise<void> {
    this.isDead = true;
    for (const end of this.atDeath) await end();
  }
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

interface Parked {
  readonly process: Process;
  readonly step: Step<unknown>;
  readonly settle: (outcome: Outcome) => void;
}

/** A step that waits for a lock of another connection. */
interface Held extends Parked {
  readonly outcome: Promise<Outcome>;
  readonly fault: FaultKind | null;
}

export type WorkResult =
  | { readonly kind: "done" }
  | { readonly kind: "crashed" }
  | { readonly kind: "failed"; readonly error: unknown };

/**
 * Decides which step comes next. All code runs until it waits for a step. Then exactly one step is done, chosen by the
 * random numbers, and its code continues. So the order of everything follows from the seed.
 */
export class Scheduler {
  readonly trace: string[] = [];
  /** True when transactions have waited for each other in a circle. */
  hasDeadlocked = false;
  readonly #random: Random;
  readonly #isBlocked: (pid: number) => Promise<boolean>;
  #parked: Parked[] = [];
  #held: Held[] = [];
  /** A step that waited is done. It may have ended locks. */
  #isFreed = false;

  constructor(random: Random, isBlocked: (pid: number) => Promise<boolean>) {
    this.#random = random;
    this.#isBlocked = isBlocked;
  }

  /** Waits for the step's turn and does it. */
  step<T>(process: Process, step: Step<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (process.isDead) return;
      const settle = (outcome: Outcome) =>
        "error" in outcome ? reject(outcome.error) : resolve(outcome.value as T);
      this.#parked.push({ process, step, settle });
    });
  }

  /** Runs works until each has ended or its process is dead, and nothing waits for a step any more. */
  async run(works: readonly { readonly process: Process; start(): Promise<void> }[]): Promise<WorkResult[]> {
    const results = works.map((): WorkResult | null => null);
    for (const [i, { start }] of works.entries()) {
      const end = (result: WorkResult) => {
        results[i] = result;
      };
      start().then(
        () => end({ kind: "done" }),
        (error: unknown) => end({ kind: "failed", error }),
      );
    }
    let idle = 0;
    for (;;) {
      await endOfTurn();
      await endOfTurn();
      this.#parked = this.#parked.filter(({ process }) => !process.isDead);
      if (this.#parked.length > 0) {
        idle = 0;
        const next = this.#parked.splice(this.#random.between(0, this.#parked.length - 1), 1)[0] as Parked;
        await this.#perform(next);
      } else if (this.#held.length > 0) await this.#breakDeadlock();
      else if (works.every(({ process }, i) => process.isDead || results[i] !== null))
        return results.map((result) => result ?? { kind: "crashed" });
      else if (idle++ > STUCK_TURNS) throw new Error("a work waits for something that is not a step");
    }
  }

  async #perform(parked: Parked): Promise<void> {
    const { process, step } = parked;
    process.steps += 1;
    const fault = process.fault?.at === process.steps ? process.fault.kind : null;
    let mayFree = fault !== null;
    this.trace.push(`${process.name} ${step.label}${fault === null ? "" : ` [${fault}]`}`);
    if (fault === "crash") await this.#kill(process);
    else if (fault === "lose") parked.settle({ error: await step.lose() });
    else {
      const outcome = step.run().then(
        (value): Outcome => ({ value }),
        (error: unknown): Outcome => ({ error }),
      );
      const settled = await this.#settlesOrWaits(outcome, step.pid());
      if (settled === null) {
        this.trace.push(`${process.name} waits for a lock`);
        this.#held.push({ ...parked, outcome, fault });
      } else {
        mayFree ||= "error" in settled || (step.mayFree?.() ?? false);
        await this.#deliver(parked, settled, fault);
      }
    }
    if (mayFree || this.#isFreed) await this.#checkHeld();
  }

  async #deliver({ process, step, settle }: Parked, outcome: Outcome, fault: FaultKind | null) {
    if (fault === "crash_after") await this.#kill(process);
    else settle(fault === "lose_answer" ? { error: await step.lose() } : outcome);
  }

  /** Delivers the steps that no longer wait for a lock. */
  async #checkHeld(): Promise<void> {
    this.#isFreed = false;
    for (const held of [...this.#held]) {
      if (held.process.isDead) continue;
      const settled = await this.#settlesOrWaits(held.outcome, held.step.pid());
      if (settled === null) continue;
      this.#held = this.#held.filter((one) => one !== held);
      this.#isFreed = true;
      await this.#deliver(held, settled, held.fault);
    }
    this.#held = this.#held.filter(({ process }) => !process.isDead);
  }

  /** Every work waits for a lock of another: PostgreSQL ends one of the statements. */
  async #breakDeadlock(): Promise<void> {
    this.hasDeadlocked = true;
    this.trace.push("deadlock");
    await Promise.race(this.#held.map(({ outcome }) => outcome));
    await this.#checkHeld();
  }

  /** Returns null once the statement waits for a lock. */
  async #settlesOrWaits(outcome: Promise<Outcome>, pid: number | null): Promise<Outcome | null> {
    if (pid === null) return outcome;
    for (let ms = LOCK_WAIT_MS; ; ms = Math.min(2 * ms, LONGEST_WAIT_MS)) {
      const first = await atMost(ms, outcome);
      if (first !== null) return first;
      if (await this.#isBlocked(pid)) return null;
    }
  }

  async #kill(process: Process): Promise<void> {
    await process.kill();
    this.#held = this.#held.filter((held) => held.process !== process);
  }
}

/** Returns null if it takes longer. */
function atMost<T>(ms: number, promise: Promise<T>): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, null);
    void promise.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}
