/** A process with only the worker role has no page and no API. Its health and metrics have their own port. */
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { choosePort } from "#lib/demo/choose-port.ts";
import { startServer } from "#lib/demo/server-process.ts";
import { SECRET_KEY } from "#tests/support/api.ts";
import { testDatabase } from "#tests/support/database.ts";
import { serverLog } from "#tests/support/kept-logs.ts";

const opened = await testDatabase();
const folder = mkdtempSync(join(tmpdir(), "paylink-worker-"));
after(async () => {
  await opened.close();
  rmSync(folder, { recursive: true });
});

test("a worker alone answers only on OPERATIONS_PORT, and warns that others can read DATA_DIR", async () => {
  chmodSync(folder, 0o755);
  const log = serverLog(folder, "worker");
  const port = await choosePort(0);
  const page = await choosePort(0, port);
  const worker = await startServer(
    {
      DATABASE_URL: opened.url,
      DATA_DIR: folder,
      SECRET_KEY,
      ROLES: "worker",
      PORT: String(page),
      OPERATIONS_PORT: String(port),
      FIXED_RATES: "usdt/usd=1",
    },
    log,
  );
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  assert.equal((await get("/healthz")).status, 200);
  const ready = { status: "ready", database: "ok", migrations: "ok", roles: "ok", networks: "ok" };
  assert.deepEqual(await (await get("/readyz")).json(), ready);
  const metrics = await (await get("/metrics")).text();
  assert.match(metrics, /^paylink_webhook_deliveries_due 0$/m);
  assert.doesNotMatch(metrics, /mail/, "without SMTP_URL there is nothing of mail");
  assert.equal((await get("/v1/openapi.json")).status, 404);
  await assert.rejects(fetch(`http://127.0.0.1:${page}/healthz`));
  await worker.stop();
  assert.equal(await worker.ended, 0);
  const warnings = readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line.includes("other users can read files with secrets"));
  assert.deepEqual(
    warnings.map((line) => (JSON.parse(line) as { files: string[] }).files),
    [[folder]],
  );
});
