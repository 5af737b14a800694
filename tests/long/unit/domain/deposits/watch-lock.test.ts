/** A requery's lock of a network ends by itself. Workers test theirs in tests/long/faults/worker-shares.test.ts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { takeWatchLock } from "#lib/domain/deposits/watch/watch-lock.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { until } from "#tests/support/until.ts";

const { url } = await databaseOfFile();

test("a lock whose process asks nothing for 20 seconds, as one that is frozen, is free for others", async () => {
  const network = { env: "test", network: "bep20" } as const;
  const lock = await takeWatchLock(url, network);
  assert.ok(lock?.isHeld());
  const next = await until("the lock to be free", () => takeWatchLock(url, network), { withinMs: 40_000 });
  assert.equal(lock?.isHeld(), false);
  assert.ok(next.isHeld());
  await next.release();
});
