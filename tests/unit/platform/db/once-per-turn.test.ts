import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { coalescePerTurn } from "#lib/platform/db/once-per-turn.ts";

test("what is asked about one key in one turn is one question, put after everybody asked", async () => {
  const asked: string[] = [];
  const ask = coalescePerTurn(async (key) => asked.push(key));
  const first = ask("a");
  await Promise.resolve();
  const answers = [first, ask("a"), ask("b")];
  assert.deepEqual(asked, []);
  assert.deepEqual(await Promise.all(answers), [1, 1, 2]);
  assert.deepEqual(asked, ["a", "b"]);
});

test("who asks once the question is out gets an answer of its own", async () => {
  const answers: ((text: string) => void)[] = [];
  const ask = coalescePerTurn(() => new Promise<string>((resolve) => answers.push(resolve)));
  const early = ask("a");
  await nextTurn();
  const late = ask("a");
  await nextTurn();
  answers[0]!("before");
  answers[1]!("after");
  assert.deepEqual([await early, await late], ["before", "after"]);
});

test("a failure reaches everybody who asked, and nobody after them", async () => {
  let failing = true;
  const ask = coalescePerTurn(async () => {
    if (failing) throw new Error("planned");
    return "well";
  });
  const both = await Promise.allSettled([ask("a"), ask("a")]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  failing = false;
  assert.equal(await ask("a"), "well");
});
