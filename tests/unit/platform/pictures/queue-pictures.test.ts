import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { queuePictures } from "#lib/platform/pictures/open-pictures.ts";
import type { LinkCard } from "#lib/platform/pictures/types.ts";

/** A card made from a key. */
const card = (merchant: string) => ({ merchant }) as LinkCard;

/** Drawings that the test finishes by hand, with a record of the calls. */
function studio(limits = { cacheSize: 3, maxQueued: 4 }) {
  const drawn: string[] = [];
  const loaded: string[] = [];
  const problems: unknown[] = [];
  let finish: (() => void) | null = null;
  let fail: ((error: Error) => void) | null = null;
  let most = 0;
  let now = 0;
  const draw = async ({ merchant }: LinkCard) => {
    drawn.push(merchant);
    most = Math.max(most, ++now);
    await new Promise<void>((resolve, reject) => {
      finish = resolve;
      fail = reject;
    }).finally(() => now--);
    return new TextEncoder().encode(merchant);
  };
  const pictures = queuePictures(draw, { error: (problem: unknown) => problems.push(problem) }, limits);
  const ask = (key: string) =>
    pictures.getPicture(key, async () => {
      loaded.push(key);
      return card(key);
    });
  const next = async (end: (() => void) | null = null) => {
    while (finish === null) await new Promise((resolve) => setImmediate(resolve));
    const done = finish;
    finish = null;
    (end ?? done)();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ask, next, drawn, loaded, problems, most: () => most, fail: (error: Error) => fail?.(error) };
}

describe("pictures of links", () => {
  test("are drawn one at a time in order, and load a card only when its turn comes", async () => {
    const { ask, next, drawn, loaded, most } = studio();
    const asked = ["a", "b", "c"].map(ask);
    await next();
    assert.deepEqual(
      [drawn, loaded],
      [
        ["a", "b"],
        ["a", "b"],
      ],
    );
    await next();
    await next();
    const answers = await Promise.all(asked);
    assert.deepEqual(
      answers.map((answer) => answer.ok && new TextDecoder().decode(answer.png)),
      ["a", "b", "c"],
    );
    assert.equal(most(), 1);
  });

  test("are drawn once for concurrent requests, and cached for later ones", async () => {
    const { ask, next, drawn } = studio();
    const asked = [ask("a"), ask("a"), ask("a")];
    await next();
    await Promise.all(asked);
    assert.ok((await ask("a")).ok);
    assert.deepEqual(drawn, ["a"]);
  });

  test("are refused at once when the queue is full, and accepted again when it has room", async () => {
    const { ask, next, drawn } = studio({ cacheSize: 3, maxQueued: 2 });
    const asked = ["a", "b", "c"].map(ask);
    assert.deepEqual(await ask("d"), { ok: false, reason: "busy" });
    const same = ask("c");
    await next();
    await asked[0];
    const later = ask("d");
    for (let i = 0; i < 3; i++) await next();
    const answers = await Promise.all([...asked, same, later]);
    assert.ok(answers.every(({ ok }) => ok));
    assert.deepEqual(drawn, ["a", "b", "c", "d"]);
  });

  test("are cached up to a limit, and the oldest is removed first", async () => {
    const { ask, next, drawn } = studio({ cacheSize: 2, maxQueued: 4 });
    for (const key of ["a", "b", "c"]) {
      const asked = ask(key);
      await next();
      await asked;
    }
    await ask("b");
    await ask("c");
    assert.deepEqual(drawn, ["a", "b", "c"]);
    const again = ask("a");
    await next();
    await again;
    assert.deepEqual(drawn, ["a", "b", "c", "a"]);
  });

  test("report and log a failure, do not cache it, and do not block others", async () => {
    const { ask, next, drawn, problems, fail } = studio();
    const [first, second] = [ask("a"), ask("b")];
    await next(() => fail(new Error("no ink")));
    assert.deepEqual(await first, { ok: false, reason: "failed" });
    assert.equal(problems.length, 1);
    await next();
    assert.ok((await second).ok);
    const again = ask("a");
    await next();
    assert.ok((await again).ok);
    assert.deepEqual(drawn, ["a", "b", "a"]);
  });
});
