import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { NodeError } from "#lib/chains/node-error.ts";
import { nextRetry } from "#lib/domain/attention/rules.ts";
import { isolateFaults, isUnitFault } from "#lib/domain/attention/set-aside.ts";

const NOW = new Date("2030-01-01T10:00:00.000Z");
/** An error as PostgreSQL's driver throws it, wrapped as Drizzle does. */
const databaseError = (code: string) =>
  new Error("Failed query", { cause: Object.assign(new Error("refused"), { severity: "ERROR", code }) });

test("a unit is retried after 1, 2, 4, … minutes, and at least once an hour", () => {
  const waits = [1, 2, 3, 6, 7, 50].map((n) => (nextRetry(n, NOW).getTime() - NOW.getTime()) / 60_000);
  assert.deepEqual(waits, [1, 2, 4, 32, 60, 60]);
});

describe("an error is the fault of one unit", () => {
  const faults = {
    "a numeric overflow": databaseError("22003"),
    "a timestamp out of range": databaseError("22008"),
    "a constraint": databaseError("23514"),
    "a trigger's exception": databaseError("P0001"),
    "an error of the program": new TypeError("x is undefined"),
  };
  for (const [name, error] of Object.entries(faults)) {
    test(`if it is ${name}`, () => assert.equal(isUnitFault(error), true));
  }
  const others = {
    "a lost connection": databaseError("08006"),
    "the driver's lost connection": new Error("Connection terminated unexpectedly"),
    "a stopping server": databaseError("57P01"),
    "a deadlock": databaseError("40P01"),
    "a full disk": databaseError("53100"),
    "a missing table": databaseError("42P01"),
    "a node error": new NodeError("unreachable", "no answer"),
  };
  for (const [name, error] of Object.entries(others)) {
    test(`but not if it is ${name}`, () => assert.equal(isUnitFault(error), false));
  }
});

describe("the units of a failing batch", () => {
  const units = Array.from({ length: 100 }, (_, i) => i);

  test("are processed once each and in order, without the faulty ones", async () => {
    const done: number[] = [];
    const faulty: number[] = [];
    let runs = 0;
    const work = async (some: readonly number[]) => {
      runs += 1;
      if (some.some((unit) => unit === 7 || unit === 93)) throw new TypeError("broken");
      done.push(...some);
    };
    await isolateFaults(units, work, async (unit) => void faulty.push(unit));
    assert.deepEqual(faulty, [7, 93]);
    assert.deepEqual(
      done,
      units.filter((unit) => unit !== 7 && unit !== 93),
    );
    assert.ok(runs < 30, `${runs} runs`);
  });

  test("are left to the caller when the database is away", async () => {
    const work = async () => {
      throw databaseError("57P01");
    };
    await assert.rejects(isolateFaults(units, work, () => assert.fail("nothing is set aside")));
  });
});
