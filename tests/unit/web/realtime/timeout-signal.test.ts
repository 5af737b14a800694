import { test } from "node:test";
import { timeoutSignal } from "#lib/web/realtime/timeout-signal.ts";
import { until } from "#tests/support/until.ts";

for (const isOld of [false, true]) {
  test(`ends a request after its time in ${isOld ? "an old" : "a new"} browser`, async (t) => {
    const { timeout } = AbortSignal;
    if (isOld) Object.assign(AbortSignal, { timeout: undefined });
    t.after(() => Object.assign(AbortSignal, { timeout }));
    const signal = timeoutSignal(1);
    await until("the time to pass", async () => signal.aborted);
  });
}
