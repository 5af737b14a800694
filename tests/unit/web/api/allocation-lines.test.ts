import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as endOfTurn } from "node:timers/promises";
import type { ApiCaller } from "#lib/domain/merchants/types.ts";
import { createAllocationLines } from "#lib/web/api/allocation-lines.ts";

const caller = (id: number, env: "live" | "test" = "test") => ({ merchant: { id }, env }) as ApiCaller;

/** Work that runs until `end`. `started` has its names in the order in which they started. */
function work() {
  const lines = createAllocationLines();
  const started: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  return {
    started,
    add(name: string, by: ApiCaller): Promise<string> {
      const end = Promise.withResolvers<string>();
      ends.set(name, end);
      return lines.run(by, () => {
        started.push(name);
        return end.promise;
      });
    },
    async end(name: string, error?: Error) {
      if (error === undefined) ends.get(name)?.resolve(name);
      else ends.get(name)?.reject(error);
      await endOfTurn();
    },
  };
}

test("runs three of a merchant at once, the others in order, and does not let other merchants or environments wait", async () => {
  const { started, add, end } = work();
  const results = ["a1", "a2", "a3", "a4", "a5"].map((name) => add(name, caller(1)));
  results.push(add("b1", caller(2)), add("a-live", caller(1, "live")));
  await endOfTurn();
  assert.deepEqual(started, ["a1", "a2", "a3", "b1", "a-live"]);
  await end("a2");
  // It arrives when a place has just been taken over.
  results.push(add("a6", caller(1)));
  await end("a1");
  assert.deepEqual(started.slice(5), ["a4", "a5"]);
  await end("a3");
  assert.equal(started.at(-1), "a6");
  for (const name of started) await end(name);
  assert.deepEqual(await Promise.all(results), ["a1", "a2", "a3", "a4", "a5", "b1", "a-live", "a6"]);
});

test("work that fails gives its place to the next, and its caller the error", async () => {
  const { started, add, end } = work();
  const failing = add("a1", caller(1));
  const others = ["a2", "a3", "a4"].map((name) => add(name, caller(1)));
  const failed = assert.rejects(failing, /no address left/);
  await end("a1", new Error("no address left"));
  await failed;
  assert.deepEqual(started, ["a1", "a2", "a3", "a4"]);
  for (const name of started) await end(name);
  assert.deepEqual(await Promise.all(others), ["a2", "a3", "a4"]);
});
