import assert from "node:assert/strict";
import { test } from "node:test";
import { DrizzleQueryError } from "drizzle-orm/errors";
import pg from "pg";
import { findOutage, PostgresClient } from "#lib/platform/db/availability.ts";
import { limitOutageLines, openLog } from "#lib/platform/log/open-log.ts";

/** The error of a connection that is refused. */
async function refused(): Promise<Error> {
  const client = new PostgresClient({ connectionString: "postgres://me:hidden@127.0.0.1:9/x" });
  return client.connect().then(
    () => assert.fail("something listens on port 9"),
    (error: Error) => error,
  );
}

/** An error as PostgreSQL sends it. */
function fromServer(severity: string, code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError("reported by PostgreSQL", 1, "error"), { severity, code });
}

test("finds the error that says that the database is away, in its causes too", async () => {
  const connecting = await refused();
  assert.equal(findOutage(connecting), connecting);
  assert.equal(findOutage(new DrizzleQueryError("select 1", [], connecting)), connecting);
  for (const [severity, code] of [
    ["FATAL", "57P01"],
    ["FATAL", "53300"],
    ["ВАЖНО", "57P03"],
    ["ERROR", "08006"],
  ] as const)
    assert.notEqual(findOutage(fromServer(severity, code)), null, code);
  assert.notEqual(findOutage(new Error("Connection terminated unexpectedly")), null);
});

test("does not take another error for it", () => {
  const node = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:8545"), { code: "ECONNREFUSED" });
  for (const error of [
    node,
    new Error("the node does not answer", { cause: node }),
    fromServer("ERROR", "23505"),
    fromServer("ERROR", "57014"),
    // A wrong password and a missing database do not end by themselves.
    fromServer("FATAL", "28P01"),
    fromServer("FATAL", "3D000"),
    "Connection terminated",
    null,
  ])
    assert.equal(findOutage(error), null);
  const circle = new Error("one");
  circle.cause = new Error("the other", { cause: circle });
  assert.equal(findOutage(circle), null);
});

test("logs one line a second and cause, without stack and password, and counts the others", async () => {
  const lines: Record<string, unknown>[] = [];
  let now = 0;
  const filter = limitOutageLines(() => now);
  const err = await refused();
  const ended = fromServer("FATAL", "57P01");
  const say = (error: unknown, failed: string) => filter([{ err: error }, failed]);
  const line = (cause: string, failed: string, leftOut: number) => [
    { cause, failed, leftOut },
    "the database is unavailable",
  ];
  const cause = "ECONNREFUSED connect ECONNREFUSED 127.0.0.1:9";
  assert.deepEqual(say(err, "sweep failed"), line(cause, "sweep failed", 0));
  assert.equal(say(err, "request failed"), null);
  assert.deepEqual(say(ended, "request failed"), line("57P01 reported by PostgreSQL", "request failed", 0));
  now = 999;
  assert.equal(say(new Error("wrapped", { cause: err }), "request failed"), null);
  now = 1_000;
  assert.deepEqual(say(err, "sweep failed"), line(cause, "sweep failed", 2));
  const other = new Error("another");
  assert.deepEqual(say(other, "request failed"), [{ err: other }, "request failed"]);

  const log = openLog("info", { write: (text: string) => void lines.push(JSON.parse(text)) });
  log.child({ network: "bep20" }).warn({ err }, "lost");
  log.error({ err }, "request failed");
  log.info("plain %s", "text");
  log.error(new Error("bare"));
  assert.deepEqual(
    lines.map(({ msg, level, network, failed }) => [msg, level, network, failed]),
    [
      ["the database is unavailable", "warn", "bep20", "lost"],
      ["plain text", "info", undefined, undefined],
      ["bare", "error", undefined, undefined],
    ],
  );
});
