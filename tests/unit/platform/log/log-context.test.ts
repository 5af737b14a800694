import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { addToLogContext, limitForLog, withLogContext } from "#lib/platform/log/log-context.ts";
import { openLog } from "#lib/platform/log/open-log.ts";

const lines: Record<string, unknown>[] = [];
const log = openLog("debug", { write: (line: string) => void lines.push(JSON.parse(line)) });
/** The last line without time, level and process. */
const last = () => {
  const { time, level, pid, ...said } = lines.at(-1) ?? {};
  return said;
};

test("a line has the context of its work, however deep and however late", async () => {
  await withLogContext({ requestId: "r1" }, async () => {
    await pause(1);
    await withLogContext({ refid: "L1" }, async () => {
      await pause(1);
      log.info("deep");
    });
    assert.deepEqual(last(), { requestId: "r1", refid: "L1", msg: "deep" });
    log.info("outside again");
  });
  assert.deepEqual(last(), { requestId: "r1", msg: "outside again" });
  log.info("elsewhere");
  assert.deepEqual(last(), { msg: "elsewhere" });
});

test("concurrent contexts do not mix", async () => {
  const start = lines.length;
  await Promise.all(
    ["a", "b", "c"].map((refid, i) =>
      withLogContext({ refid }, async () => {
        await pause(3 - i);
        log.info(refid);
      }),
    ),
  );
  const said = lines.slice(start);
  assert.equal(said.length, 3);
  for (const { refid, msg } of said) assert.equal(refid, msg);
});

test("added fields are in the following lines of the same context only", async () => {
  await withLogContext({ requestId: "r1" }, async () => {
    addToLogContext({ merchantId: 7 });
    log.info("noted");
    assert.deepEqual(last(), { requestId: "r1", merchantId: 7, msg: "noted" });
  });
  addToLogContext({ merchantId: 8 });
  log.info("without context");
  assert.deepEqual(last(), { msg: "without context" });
});

test("an error has the context where it was thrown, wherever it is logged and however it is wrapped", async () => {
  const fail = (refid: string) =>
    withLogContext({ refid }, async () => {
      await pause(1);
      throw new Error("deep below");
    });
  const thrown = await fail("L2").catch((error: unknown) => error);
  log.error({ err: thrown }, "caught");
  assert.equal(last().refid, "L2");
  log.error({ err: new Error("outer", { cause: thrown }) }, "wrapped");
  assert.equal(last().refid, "L2");
  assert.throws(
    () =>
      withLogContext({ refid: "L3" }, () => {
        throw new Error("at once");
      }),
    (err) => {
      log.error({ err }, "at once");
      return true;
    },
  );
  assert.equal(last().refid, "L3");
  log.error({ err: new Error("of nothing") }, "plain");
  assert.equal("refid" in last(), false);
});

test("a line's own field overrides its context", () => {
  withLogContext({ refid: "L4" }, () => log.child({ network: "bep20" }).info({ refid: "L5" }, "own"));
  assert.deepEqual(last(), { network: "bep20", refid: "L5", msg: "own" });
});

test("a line lists the first twenty of many items", () => {
  assert.equal(limitForLog(Array.from({ length: 1_000 }, (_, i) => i)).length, 20);
});
