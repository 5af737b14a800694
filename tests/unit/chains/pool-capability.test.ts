import assert from "node:assert/strict";
import { test } from "node:test";
import { NodeError } from "#lib/chains/node-error.ts";
import { poolCapability } from "#lib/chains/pool-capability.ts";

interface Doubling {
  double(number: number): Promise<number>;
  name(): Promise<string>;
}
const node = (own: string): { readonly doubling: Doubling } => ({
  doubling: {
    double: async (number) => (own === "a" ? Promise.reject(new NodeError("unreachable", own)) : number * 2),
    name: async () => own,
  },
});
const [a, b] = [node("a"), node("b")];

/** Asks the first node, and the second one when it fails. */
const use = <T>(work: (asked: typeof a) => Promise<T>) => work(a).catch(() => work(b));

test("each member of a capability asks the next node when one fails, with what it was given", async () => {
  const pooled = poolCapability(use, (asked) => asked.doubling, a);
  assert.deepEqual(Object.keys(pooled), ["double", "name"]);
  assert.equal(await pooled.double(21), 42);
  assert.equal(await pooled.name(), "a");
});

test("a pool has a capability only if its nodes have it", async () => {
  const lacking: { readonly doubling: Doubling | null } = { doubling: null };
  const ask = <T>(work: (asked: typeof lacking) => Promise<T>) => work(lacking);
  assert.equal(
    poolCapability(ask, (asked) => asked.doubling, lacking),
    null,
  );
});
