import { Dispatcher } from "undici";
import type { Random } from "./random.ts";
import type { Process, Scheduler } from "./scheduler.ts";

/** The merchant's server. Every request that reaches it is kept. */
export interface Receiver {
  readonly received: { readonly id: string; readonly body: string; readonly status: number }[];
  readonly random: Random;
  /** How often it refuses or does not answer, from 0 to 1. */
  failing: number;
}

/** An exchange here has no connection to pause or to close. */
const CONTROLLER: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  pause() {},
  resume() {},
  abort() {},
};

/** Delivers the requests of one process to the receiver. Each is a step. */
export function openReceiver(receiver: Receiver, scheduler: Scheduler, process: Process): Dispatcher {
  return new SteppedDispatcher(receiver, scheduler, process);
}

class SteppedDispatcher extends Dispatcher {
  readonly #receiver: Receiver;
  readonly #scheduler: Scheduler;
  readonly #process: Process;

  constructor(receiver: Receiver, scheduler: Scheduler, process: Process) {
    super();
    this.#receiver = receiver;
    this.#scheduler = scheduler;
    this.#process = process;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const headers = options.headers as Record<string, string>;
    const id = headers["webhook-id"] ?? "";
    const body = String(options.body);
    const { received, random, failing } = this.#receiver;
    const lost = Object.assign(new Error("the connection broke"), { code: "ECONNRESET" });
    const answer = this.#scheduler.step(this.#process, {
      label: `deliver ${id}`,
      pid: () => null,
      run: async () => {
        const status = random.chance(failing) ? 500 : 200;
        received.push({ id, body, status });
        if (random.chance(failing)) throw lost;
        return status;
      },
      lose: async () => lost,
    });
    // A request of a dead process fails at once, so that its timer ends. No code after it reaches anything.
    const { promise: death, reject } = Promise.withResolvers<never>();
    this.#process.atDeath.push(async () => reject(lost));
    handler.onRequestStart?.(CONTROLLER, {});
    Promise.race([answer, death]).then(
      (status) => {
        handler.onResponseStart?.(CONTROLLER, status, {});
        handler.onResponseEnd?.(CONTROLLER, {});
      },
      (error: Error) => handler.onResponseError?.(CONTROLLER, error),
    );
    return true;
  }
}
