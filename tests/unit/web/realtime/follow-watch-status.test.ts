import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { followWatchStatus } from "#lib/web/realtime/follow-watch-status.ts";
import type { PageWatchStatus } from "#lib/web/realtime/rules.ts";

/** A page of bep20 that says all is well, on a clock of its own; its moment is the middle of the time to spread over. */
function aPage(t: { after(work: () => void): void }) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const random = mock.method(Math, "random", () => 0.5);
  const page = { sight: { networks: ["test:bep20"], unwatched: [] } as PageWatchStatus, drawings: 0 };
  const followed = followWatchStatus({
    sight: () => page.sight,
    renew() {
      page.drawings += 1;
    },
  });
  t.after(() => {
    followed.stop();
    random.mock.restore();
    mock.timers.reset();
  });
  return { page, ...followed };
}

test("a page that says otherwise draws itself anew at its moment within the time, once", (t) => {
  const { page, hear } = aPage(t);
  hear(["test:bep20"], 10_000);
  mock.timers.tick(4_999);
  assert.equal(page.drawings, 0);
  mock.timers.tick(1);
  assert.equal(page.drawings, 1);
  mock.timers.tick(60_000);
  assert.equal(page.drawings, 1);
});

test("what is told again puts nothing off, and what concerns other networks moves nothing", (t) => {
  const { page, hear } = aPage(t);
  hear(["test:bitcoin"], 10_000);
  mock.timers.tick(10_000);
  assert.equal(page.drawings, 0);
  hear(["test:bep20"], 10_000);
  mock.timers.tick(4_000);
  hear(["test:bep20"], 10_000);
  mock.timers.tick(1_000);
  assert.equal(page.drawings, 1);
});

test("it stays as it is where all is well again before its moment, or the connection is gone", (t) => {
  const { page, hear, forget } = aPage(t);
  hear(["test:bep20"], 10_000);
  hear([], 10_000);
  mock.timers.tick(10_000);
  hear(["test:bep20"], 10_000);
  forget();
  mock.timers.tick(10_000);
  assert.equal(page.drawings, 0);
});

test("a drawing that still says otherwise is followed by another, five seconds later at the least", (t) => {
  const { page, hear, drawn } = aPage(t);
  hear(["test:bep20"], 10_000);
  mock.timers.tick(5_000);
  drawn();
  mock.timers.tick(9_999);
  assert.equal(page.drawings, 1);
  mock.timers.tick(1);
  assert.equal(page.drawings, 2);
  page.sight = { networks: ["test:bep20"], unwatched: ["test:bep20"] };
  drawn();
  mock.timers.tick(60_000);
  assert.equal(page.drawings, 2);
});

test("what is no list of names, or no time, is not heard", (t) => {
  const { page, hear } = aPage(t);
  hear("test:bep20", 10_000);
  hear(["test:bep20"], "soon");
  mock.timers.tick(60_000);
  assert.equal(page.drawings, 0);
});
