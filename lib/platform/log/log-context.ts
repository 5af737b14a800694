import { AsyncLocalStorage } from "node:async_hooks";

/** What a line of the log is about: `requestId`, `refid`, `merchantId` and the like. */
export type LogContext = Readonly<Record<string, unknown>>;

interface Shared {
  readonly running: AsyncLocalStorage<Record<string, unknown>>;
  readonly ofErrors: WeakMap<object, LogContext>;
}

/** One for the process: Next bundles its own copy of lib (see lib/web/services.ts). */
const KEY = Symbol.for("paylink.log");
const holder = globalThis as typeof globalThis & { [KEY]?: Shared };
holder[KEY] ??= { running: new AsyncLocalStorage(), ofErrors: new WeakMap() };
const { running, ofErrors } = holder[KEY];

/**
 * Runs `work`. Every line that it logs, however deep below and however much later, has these fields beside those of the
 * work around it; so has the line of an error that it threw, wherever that is logged.
 */
export function withLogContext<T>(fields: LogContext, work: () => T): T {
  const whole = { ...running.getStore(), ...fields };
  const mark = (error: unknown): never => {
    if (typeof error === "object" && error !== null && !ofErrors.has(error)) ofErrors.set(error, whole);
    throw error;
  };
  return running.run(whole, () => {
    try {
      const result = work();
      return result instanceof Promise ? (result.catch(mark) as T) : result;
    } catch (error) {
      return mark(error);
    }
  });
}

/** Adds what has turned out since the innermost about() began: who calls, which link was made. */
export function addToLogContext(fields: LogContext): void {
  Object.assign(running.getStore() ?? {}, fields);
}

/** What the work under way is about, with all that will be noted. */
export function getLogContext(): LogContext {
  return running.getStore() ?? {};
}

/** What the work under way is about, and where an error is told of, what its work was about. */
export function getErrorLogContext(error: unknown): Record<string, unknown> {
  return { ...running.getStore(), ...markOf(error) };
}

function markOf(error: unknown): LogContext | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    const mark = ofErrors.get(e);
    if (mark !== undefined) return mark;
  }
  return undefined;
}

/** How many a line names of what it counts. */
const MOST_NAMED = 20;

/** The first of many, for a line that tells of all. */
export function limitForLog<T>(all: readonly T[]): readonly T[] {
  return all.slice(0, MOST_NAMED);
}
