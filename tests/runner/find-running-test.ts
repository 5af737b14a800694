/**
 * Node's test runner follows every promise and handle of a process (async_hooks), to know in which test or suite code runs. Tests that wait for
 * promises much are slower for it. Here the same question is answered by an AsyncLocalStorage, which costs next to nothing. Preloaded: the
 * runner takes both functions when it is loaded.
 */
import hooks, { AsyncLocalStorage, AsyncResource, type HookCallbacks } from "node:async_hooks";

const { createHook, executionAsyncId } = hooks;
const { runInAsyncScope } = AsyncResource.prototype;
/** The id of the test, suite or hook that runs. */
const running = new AsyncLocalStorage<number>();
let runner: HookCallbacks | null = null;

// The first hook of a worker is the runner's. It is called for tests alone.
hooks.createHook = (callbacks) => {
  hooks.createHook = createHook;
  runner = callbacks;
  return createHook({});
};
hooks.executionAsyncId = () => running.getStore() ?? executionAsyncId();

/** Tests, suites and their hooks are resources that run their functions so. */
AsyncResource.prototype.runInAsyncScope = function (this: AsyncResource, work, self, ...given) {
  const id = this.asyncId();
  runner?.init?.(id, "Test", 0, this);
  const inTest: () => ReturnType<typeof work> = () => running.run(id, () => Reflect.apply(work, self, given));
  return runInAsyncScope.call(this, inTest) as ReturnType<typeof work>;
};
