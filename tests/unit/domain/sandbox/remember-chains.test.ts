import assert from "node:assert/strict";
import { test } from "node:test";
import { rememberChains } from "#lib/domain/sandbox/remember-chains.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";

/** A network whose node answers when the test does. */
function aNetwork() {
  const clock = openManualClock();
  const questions: PromiseWithResolvers<boolean>[] = [];
  const payer = {
    isDevelopmentChain() {
      const question = Promise.withResolvers<boolean>();
      questions.push(question);
      return question.promise;
    },
  };
  const isDevelopmentChain = rememberChains(clock);
  return { clock, questions, ask: () => isDevelopmentChain("bep20", payer) };
}
const FIFTY = Array.from({ length: 50 });

test("fifty pages share one question to the node, and its answer for a minute", async () => {
  const { clock, questions, ask } = aNetwork();
  const pages = FIFTY.map(ask);
  questions[0]?.resolve(true);
  assert.deepEqual(await Promise.all(pages), Array(50).fill(true));
  await clock.advance(59_999);
  assert.equal(await ask(), true);
  assert.equal(questions.length, 1);
  await clock.advance(1);
  assert.equal(await ask(), true, "the former answer, while the node is asked again");
  assert.equal(questions.length, 2);
  questions[1]?.resolve(false);
  await clock.advance(0);
  assert.equal(await ask(), false);
});

test("a silent node keeps no page waiting for more than 300 ms, and later ones not at all", async () => {
  const { clock, questions, ask } = aNetwork();
  const pages = Promise.all(FIFTY.map(ask));
  assert.deepEqual(clock.sleeping(), [300]);
  await clock.advance(300);
  assert.deepEqual(await pages, Array(50).fill(false));
  await clock.advance(120_000);
  assert.deepEqual(await Promise.all(FIFTY.map(ask)), Array(50).fill(false));
  assert.equal(questions.length, 1, "it is still being asked");
  questions[0]?.resolve(true);
  await clock.advance(0);
  assert.equal(await ask(), true);
  assert.deepEqual(clock.sleeping(), []);
});

test("a node that fails counts as no development chain, and is asked again after five seconds", async () => {
  const { clock, questions, ask } = aNetwork();
  const page = ask();
  questions[0]?.reject(new Error("unreachable"));
  assert.equal(await page, false);
  await clock.advance(4_999);
  assert.equal(await ask(), false);
  assert.equal(questions.length, 1);
  await clock.advance(1);
  const again = ask();
  questions[1]?.resolve(true);
  assert.equal(await again, true);
});
