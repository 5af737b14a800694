import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { addToLogContext, limitForLog, withLogContext } from "#lib/platform/log/log-context.ts";
import { openLog } from "#lib/platform/log/open-log.ts";

const lines: Record<string, unknown>[] = [];
const log = openLog("debug", { write: (line: string) => void lines.push(JSON.parse(line)) });
/** What the last line says beside time, level and process. */
const last = () => {
  const { time, level, pid, ...said } = lines.at(-1) ?? {};
  return said;
};

test("a line says what its work is about, however deep below and however late", async () => {
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

test("works side by side do not mix", async () => {
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

test("what turns out later is noted for the lines that follow, of this work alone", async () => {
  await withLogContext({ requestId: "r1" }, async () => {
    addToLogContext({ merchantId: 7 });
    log.info("noted");
    assert.deepEqual(last(), { requestId: "r1", merchantId: 7, msg: "noted" });
  });
  addToLogContext({ merchantId: 8 });
  log.info("nobody's");
  assert.deepEqual(last(), { msg: "nobody's" });
});

test("an error tells what it was thrown about, wherever it is logged and whatever it was wrapped in", async () => {
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

test("a field that a line gives itself goes before what is around it", () => {
  withLogContext({ refid: "L4" }, () => log.child({ network: "bep20" }).info({ refid: "L5" }, "own"));
  assert.deepEqual(last(), { network: "bep20", refid: "L5", msg: "own" });
});

test("of many things a line names the first twenty", () => {
  assert.equal(limitForLog(Array.from({ length: 1_000 }, (_, i) => i)).length, 20);
});
