import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { testDatabase } from "#tests/support/database.ts";
import { runCli } from "#tests/support/run-cli.ts";

test("two persons settle with key files of their own, whose public keys are in the environment", async (t) => {
  const { database, close } = await testDatabase();
  const folder = mkdtempSync(join(tmpdir(), "paylink-settlement-"));
  t.after(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  });
  const key = join(folder, "ada.key");
  const made = runCli({}, "signer", "approver", "--out", key);
  assert.equal(made.status, 0, made.stderr);
  const [publicKey = ""] = /[0-9a-f]{64}/.exec(made.stdout) ?? [];
  const env = { DATABASE_URL: database.url, SETTLEMENT_APPROVERS: `ada=${publicKey},bob=${"b".repeat(64)}` };
  const by = ["--name", "ada", "--key", key];
  const propose = [
    "withdrawal",
    "propose-settlement",
    "123",
    "--tx-hash",
    "ab",
    "--reason",
    "its fee",
    ...by,
  ];
  for (const command of [propose, ["withdrawal", "approve-settlement", "123", ...by]]) {
    const { status, stderr } = runCli(env, ...command);
    assert.deepEqual([status, /no withdrawal has this reference/.test(stderr)], [1, true], stderr);
  }
  const wrong = runCli({ ...env, SETTLEMENT_APPROVERS: "ada=short" }, ...propose);
  assert.match(wrong.stderr, /SETTLEMENT_APPROVERS must be a list like ada=PUBLIC_KEY/);
});
