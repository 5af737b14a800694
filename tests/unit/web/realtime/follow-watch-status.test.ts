import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { followWatchStatus } from "#lib/web/realtime/follow-watch-status.ts";
import type { PageWatchStatus } from "#lib/web/realtime/rules.ts";

/** A page of bep20 that says all is well, on a clock of its own; its moment is the middle of the time to spread over. */
function aPage(t: { after(work: () => void): void }) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const random = mock.method(Math, "random", () => 0.5);
  const page = { watchStatus: { networks: ["test:bep20"], unwatched: [] } as PageWatchStatus, refreshes: 0 };
  const followed = followWatchStatus({
    watchStatus: () => page.watchStatus,
    refresh() {
      page.refreshes += 1;
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
  const { page, receive } = aPage(t);
  receive(["test:bep20"], 10_000);
  mock.timers.tick(4_999);
  assert.equal(page.refreshes, 0);
  mock.timers.tick(1);
  assert.equal(page.refreshes, 1);
  mock.timers.tick(60_000);
  assert.equal(page.refreshes, 1);
});

test("what is told again puts nothing off, and what concerns other networks moves nothing", (t) => {
  const { page, receive } = aPage(t);
  receive(["test:bitcoin"], 10_000);
  mock.timers.tick(10_000);
  assert.equal(page.refreshes, 0);
  receive(["test:bep20"], 10_000);
  mock.timers.tick(4_000);
  receive(["test:bep20"], 10_000);
  mock.timers.tick(1_000);
  assert.equal(page.refreshes, 1);
});

test("it stays as it is where all is well again before its moment, or the connection is gone", (t) => {
  const { page, receive, reset } = aPage(t);
  receive(["test:bep20"], 10_000);
  receive([], 10_000);
  mock.timers.tick(10_000);
  receive(["test:bep20"], 10_000);
  reset();
  mock.timers.tick(10_000);
  assert.equal(page.refreshes, 0);
});

test("a drawing that still says otherwise is followed by another, five seconds later at the least", (t) => {
  const { page, receive, rendered } = aPage(t);
  receive(["test:bep20"], 10_000);
  mock.timers.tick(5_000);
  rendered();
  mock.timers.tick(9_999);
  assert.equal(page.refreshes, 1);
  mock.timers.tick(1);
  assert.equal(page.refreshes, 2);
  page.watchStatus = { networks: ["test:bep20"], unwatched: ["test:bep20"] };
  rendered();
  mock.timers.tick(60_000);
  assert.equal(page.refreshes, 2);
});

test("what is no list of names, or no time, is not heard", (t) => {
  const { page, receive } = aPage(t);
  receive("test:bep20", 10_000);
  receive(["test:bep20"], "soon");
  mock.timers.tick(60_000);
  assert.equal(page.refreshes, 0);
});
