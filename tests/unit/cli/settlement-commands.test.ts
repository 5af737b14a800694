import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder, testDatabase } from "#tests/support/database.ts";
import { openTestCli } from "#tests/support/run-cli.ts";

test("two persons settle with key files of their own, whose public keys are in the environment", async (t) => {
  const { url, close } = await testDatabase();
  const folder = temporaryFolder();
  t.after(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  });
  const key = join(folder, "ada.key");
  const { public_key } = await openTestCli(() => ({})).answer(`signer approver --out ${key}`);
  const cliOf = (approvers: string) =>
    openTestCli(() => ({ DATABASE_URL: url, SETTLEMENT_APPROVERS: approvers }));
  const propose = `withdrawal propose-settlement 123 --tx-hash ab --reason 'its fee' --name ada --key ${key}`;
  await cliOf(`ada=${public_key},bob=${"b".repeat(64)}`).refuses({
    [propose]: /no withdrawal has this reference/,
    [`withdrawal approve-settlement 123 --name ada --key ${key}`]: /no withdrawal has this reference/,
  });
  await cliOf("ada=short").refuses({
    [propose]: /SETTLEMENT_APPROVERS must be a list like ada=PUBLIC_KEY/,
  });
});
