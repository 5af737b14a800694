import { AsyncLocalStorage } from "node:async_hooks";
import { listCauses } from "#lib/platform/error-causes.ts";

/** The fields of every line in a context: `requestId`, `refid`, `merchantId` and others. */
export type LogContext = Readonly<Record<string, unknown>>;

interface Shared {
  readonly running: AsyncLocalStorage<Record<string, unknown>>;
  readonly ofErrors: WeakMap<object, LogContext>;
}

/** One instance per process: Next bundles its own copy of lib (see lib/web/services.ts). */
const KEY = Symbol.for("paylink.log");
const holder = globalThis as typeof globalThis & { [KEY]?: Shared };
holder[KEY] ??= { running: new AsyncLocalStorage(), ofErrors: new WeakMap() };
const { running, ofErrors } = holder[KEY];

/**
 * Runs `work` in a log context. Every line that it logs, also asynchronously, has these fields and those of
 * the outer context. The line of an error that it throws has them too, wherever it is logged.
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

/** Adds fields to the innermost context, for example the merchant of a request once it is authenticated. */
export function addToLogContext(fields: LogContext): void {
  Object.assign(running.getStore() ?? {}, fields);
}

/** The fields of the current context, including fields that are added later. */
export function getLogContext(): LogContext {
  return running.getStore() ?? {};
}

/** The fields of the current context and of the context in which the error was thrown. */
export function getErrorLogContext(error: unknown): Record<string, unknown> {
  return { ...running.getStore(), ...markOf(error) };
}

function markOf(error: unknown): LogContext | undefined {
  for (const e of listCauses(error)) {
    const mark = ofErrors.get(e);
    if (mark !== undefined) return mark;
  }
  return undefined;
}

/** Limit of items that one line lists. */
const MOST_NAMED = 20;

/** The first items of a list, for a line about all of them. */
export function limitForLog<T>(all: readonly T[]): readonly T[] {
  return all.slice(0, MOST_NAMED);
}
