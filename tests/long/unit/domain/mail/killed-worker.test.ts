import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { enqueueMails } from "#lib/domain/mail/enqueue-mails.ts";
import { startMailWorker } from "#lib/domain/mail/mail-worker.ts";
import { mails } from "#lib/domain/mail/tables.ts";
import { followedDatabaseOfFile } from "#tests/support/file-database.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";
import { mailConfig, startSmtp } from "#tests/support/smtp.ts";
import { aMerchant } from "#tests/support/unmatched.ts";

const { changes, ...base } = await followedDatabaseOfFile("mails");

test("a killed worker loses no mail and sends none twice", async (t) => {
  const smtp = await startSmtp("hang");
  t.after(() => smtp.close());
  const merchantId = await aMerchant(base.db, "shop@example.com");
  const mail = { merchantId, env: "live", kind: "unmatched", data: { count: 1, deposits: [] } } as const;
  const some = Array.from({ length: 20 }, (_, n) => ({ ...mail, recipient: `person${n}@example.com` }));
  await base.db.transaction((tx) => enqueueMails(tx, some, new Date()));

  const file = fileURLToPath(new URL("worker-process.ts", import.meta.url));
  const child = spawn(process.execPath, [file, base.url, String(smtp.port), "30000"], { stdio: "inherit" });
  await smtp.until("mails are in progress", () => smtp.seen.length >= 5);
  child.kill("SIGKILL");
  await once(child, "exit");
  const rows = () => base.db.select().from(mails);
  assert.equal((await rows()).filter(({ claimedUntil }) => claimedUntil !== null).length, 5);

  smtp.setMood("accept");
  const clock = openManualClock();
  const next = await startMailWorker({
    ...{ database: base.database, config: mailConfig(smtp.port), log: pino({ level: "silent" }), ...clock },
    sweepEveryMs: 60_000,
  });
  t.after(() => next.stop());
  const sent = async () => (await rows()).filter(({ status }) => status === "sent").length;
  await changes.until("the mails that nobody had claimed", async () => (await sent()) === 15);
  // The claims of the dead worker expire.
  await clock.advance(60_000);
  await changes.until("all mails", async () => (await sent()) === 20);
  assert.equal(smtp.accepted.length, 20);
  assert.equal(new Set(smtp.ids()).size, 20);
});
