import { AsyncLocalStorage } from "node:async_hooks";

/** One instance per process: Next bundles its own copy of lib (see lib/web/services.ts). */
const KEY = Symbol.for("paylink.client-address");
const holder = globalThis as typeof globalThis & { [KEY]?: AsyncLocalStorage<string> };
holder[KEY] ??= new AsyncLocalStorage();
const running = holder[KEY];

/** Runs the work of a request. All that it causes, also asynchronously, is known to come from this address. */
export function withClientAddress<T>(address: string, work: () => T): T {
  return running.run(address, work);
}

/** The client address of the request that is being answered. null outside of requests: in commands and in the worker. */
export function getClientAddress(): string | null {
  return running.getStore() ?? null;
}
