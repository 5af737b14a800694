import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { createVisitorLines } from "#lib/domain/payment-links/visitor-lines.ts";

/** Work that runs until `end`. `started` has its names in the order in which they started. */
function work() {
  const lines = createVisitorLines();
  const started: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  return {
    started,
    /** The first letter of the name is the visitor. */
    add(name: string, target: string): Promise<string> | null {
      const end = Promise.withResolvers<string>();
      ends.set(name, end);
      return lines.run(Buffer.from(name.slice(0, 1)), target, () => {
        started.push(name);
        return end.promise;
      });
    },
    async end(name: string) {
      ends.get(name)?.resolve(name);
      await endOfTurn();
    },
  };
}

test("runs one request of a visitor at once, and three for a target", async () => {
  const { started, add, end } = work();
  for (const name of ["a1", "a2", "b1", "c1", "d1"]) add(name, "shop");
  add("e1", "other shop");
  await endOfTurn();
  assert.deepEqual(started, ["a1", "b1", "c1", "e1"]);
  await end("b1");
  assert.deepEqual(started.slice(4), ["d1"], "a visitor's second request comes after the first of another");
  await end("a1");
  assert.deepEqual(started.slice(5), ["a2"]);
  for (const name of started) await end(name);
});

test("refuses a visitor of whom thirty requests wait, and nobody else", async () => {
  const { started, add, end } = work();
  const names = Array.from({ length: 31 }, (_, i) => `a${i}`);
  const results = names.map((name) => add(name, "shop"));
  assert.equal(add("a31", "other shop"), null);
  assert.ok(add("b1", "shop"));
  await endOfTurn();
  assert.deepEqual(started, ["a0", "b1"]);
  await end("a0");
  assert.ok(add("a32", "shop"), "a place is free again");
  for (let i = 0; i < started.length; i++) await end(started[i]!);
  assert.deepEqual(await Promise.all(results), names);
});

test("refuses a site of which ten times as many wait", async () => {
  const lines = createVisitorLines();
  const end = Promise.withResolvers<void>();
  const add = (n: number, site = 7) =>
    lines.run(Buffer.from([...Array(16).fill(site), n >> 8, n & 255]), "shop", () => end.promise);
  // Some wait behind their own visitor.
  const runs = Array.from({ length: 301 }, (_, n) => add(n % 20));
  await endOfTurn();
  assert.equal(add(301), null);
  assert.ok(add(1, 8), "another site");
  end.resolve();
  await Promise.all(runs);
});

test("runs one request of a site at once, also of several visitors for several targets", async () => {
  const lines = createVisitorLines();
  const ends: (() => void)[] = [];
  const add = (visitor: number, target: string) =>
    lines.run(Buffer.from([...Array(16).fill(7), visitor]), target, async () => {
      await new Promise<void>((end) => ends.push(end));
    });
  const runs = [1, 2, 3].map((visitor) => add(visitor, `shop ${visitor}`));
  for (let done = 0; done < runs.length; done++) {
    await endOfTurn();
    assert.equal(ends.length, done + 1);
    ends[done]?.();
    await runs[done];
  }
});
