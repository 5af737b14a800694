import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { followWatchStatus } from "#lib/web/realtime/follow-link.ts";
import type { PageWatchStatus } from "#lib/web/realtime/rules.ts";

/**
 * A page of bep20 that shows no unwatched network, with its own clock. Its random delay is half of the
 * spread.
 */
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

test("refreshes once within the spread when the report differs", (t) => {
  const { page, receive } = aPage(t);
  receive(["test:bep20"], 10_000);
  mock.timers.tick(4_999);
  assert.equal(page.refreshes, 0);
  mock.timers.tick(1);
  assert.equal(page.refreshes, 1);
  mock.timers.tick(60_000);
  assert.equal(page.refreshes, 1);
});

test("ignores repeated reports and reports about other networks", (t) => {
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

test("does not refresh if the report changes back or the connection ends before", (t) => {
  const { page, receive, reset } = aPage(t);
  receive(["test:bep20"], 10_000);
  receive([], 10_000);
  mock.timers.tick(10_000);
  receive(["test:bep20"], 10_000);
  reset();
  mock.timers.tick(10_000);
  assert.equal(page.refreshes, 0);
});

test("refreshes again after five seconds or more if the page still differs", (t) => {
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

test("ignores malformed reports", (t) => {
  const { page, receive } = aPage(t);
  receive("test:bep20", 10_000);
  receive(["test:bep20"], "soon");
  mock.timers.tick(60_000);
  assert.equal(page.refreshes, 0);
});
