import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "drizzle-orm";
import { openLog } from "#lib/platform/log/open-log.ts";
import { redactSecrets, serializeError } from "#lib/platform/log/serialize-error.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { measureTurns } from "#tests/support/longest-turn.ts";

const { db } = await databaseOfFile();

const thrownBy = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return assert.fail("nothing was thrown");
};

test("logs the text, code and constraint of a failed statement, and none of its parameters", async () => {
  await db.execute(sql`create table guests (email text unique, age int check (age > 17))`);
  await db.execute(sql`insert into guests values ('ada@marker.test', 20)`);
  const twice = await thrownBy(() =>
    db.execute(sql`insert into guests values (${"ada@marker.test"}, ${21})`),
  );
  assert.match(String((twice as Error).message), /ada@marker/, "Drizzle's own message has it");
  const shown = serializeError(twice);
  assert.match(shown.message, /^Failed query: insert into guests values \(\$1, \$2\)$/);
  assert.equal(shown.cause?.code, "23505");
  assert.equal(shown.cause?.constraint, "guests_email_key");
  assert.match(shown.stack ?? "", /^\s+at /);
  const young = await thrownBy(() => db.execute(sql`insert into guests values (${"obi@marker.test"}, ${5})`));
  const unreadable = await thrownBy(() => db.execute(sql`select ${"eve-marker"}::int`));
  for (const error of [twice, young, unreadable]) {
    assert.doesNotMatch(JSON.stringify(serializeError(error)), /marker/);
  }
});

test("logs only the allowed fields of an error, its causes and its aggregated errors", () => {
  const inner = Object.assign(new Error("inner", { cause: "pl_live_abc" }), {
    code: "ECONNREFUSED",
    port: 5432,
    headers: { authorization: "Basic abcdefgh" },
    request: { body: "marker" },
  });
  const shown = serializeError(new AggregateError([inner, "text"], "both", { cause: inner }));
  assert.equal(shown.type, "AggregateError");
  assert.equal(shown.cause?.code, "ECONNREFUSED");
  assert.equal(shown.cause?.port, 5432);
  assert.deepEqual(shown.errors?.[1], { type: "string", message: "text" });
  assert.doesNotMatch(JSON.stringify(shown), /abcdefgh|marker|pl_live_abc/);
});

test("limits an endless chain of causes and a long message", () => {
  const error = new Error("x".repeat(100_000));
  error.cause = error;
  assert.ok(JSON.stringify(serializeError(error)).length < 20_000);
});

test("does not quote text that is not JSON", () => {
  for (const text of ['{"email": ada@marker}', "marker"]) {
    assert.throws(
      () => JSON.parse(text),
      (error) => !JSON.stringify(serializeError(error)).includes("marker"),
    );
  }
});

for (const [text, shown] of [
  ["connect postgres://me:pw@db.example:5432/paylink failed", "connect postgres://db.example:5432 failed"],
  ["fetch https://node.example/v3/key123?token=abc, then", "fetch https://node.example, then"],
  ["(http://user:p%40ss@127.0.0.1:8545/)", "(http://127.0.0.1:8545)"],
  ["at file:///srv/app/lib/a.ts:3:4", "at file:///srv/app/lib/a.ts:3:4"],
  ["key pl_test_abcDEF123 is wrong", "key pl_test_[hidden] is wrong"],
  ["/refund/0123456789abcdef0123456789abcdef/x", "/refund/[hidden]/x"],
  ["/refund%2f0123456789abcdef0123456789abcdef..", "/refund%2f[hidden].."],
  ["/pay/0123456789abcdef0123456789abcdef", "/pay/[hidden]"],
  [`/v1/transactions/${"0123456789abcdef".repeat(4)}`, `/v1/transactions/${"0123456789abcdef".repeat(4)}`],
  ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_[hidden]"],
  [`xprv9s21${"a".repeat(100)}`, "xprv[hidden]"],
  ["authorization: Bearer 0123456789abcdef", "authorization: Bearer [hidden]"],
  ["mail to ada.obi+1@shop.example.com!", "mail to [e-mail]!"],
  ["Failed query: select $1\nparams: Ada,Obi\nand more", "Failed query: select $1"],
  ["nothing to hide: bep20 at 12 of 34", "nothing to hide: bep20 at 12 of 34"],
] as const) {
  test(`redacts the secrets of "${text.slice(0, 50)}"`, () => {
    assert.equal(redactSecrets(text), shown);
  });
}

test("redacts any text in short time", () => {
  for (const text of [
    "a.".repeat(20_000),
    "://@".repeat(10_000),
    "@a-".repeat(10_000),
    "bearer ".repeat(5_000),
  ]) {
    const measured = measureTurns();
    redactSecrets(text);
    const { total } = measured();
    assert.ok(total < 2_000, `${total} ms for ${text.slice(0, 8)}`);
  }
});

test("the log and its child loggers redact errors", () => {
  const lines: string[] = [];
  const log = openLog("trace", { write: (line: string) => void lines.push(line) });
  const err = Object.assign(new Error("no"), { detail: "Key (email)=(ada@marker.test) already exists." });
  log.child({ network: "bep20" }).error({ err }, "refused");
  assert.match(lines.join(), /"message":"no"/);
  assert.doesNotMatch(lines.join(), /marker/);
});
