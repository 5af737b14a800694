/** What the console shows of the signer, and the approval that the signer believes: made by a browser, checked by the policy. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "@playwright/test";
import { findWithdrawalByRefid, listGivenApprovals } from "#lib/domain/withdrawals/queries.ts";
import { checkApprovals } from "#lib/signer/approvals.ts";
import { parsePolicy } from "#lib/signer/policy.ts";
import { toPayout } from "#lib/signer/to-payout.ts";
import { openBrowser } from "#tests/support/browser.ts";
import { checkoutPage } from "#tests/support/checkout-page.ts";
import { addAuthenticator, type ShopConsole, shopConsole } from "#tests/support/console.ts";
import { temporaryFolder } from "#tests/support/database.ts";
import { tabTo } from "#tests/support/keyboard.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { DESTINATION } from "#tests/support/withdrawals.ts";

const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: "dark" } as const;
const REFID = "4821907735610284";

let stack: Stack;
let browser: Browser;
let shop: ShopConsole;

before(async () => {
  stack = await startStack();
  browser = await openBrowser();
  shop = await shopConsole(stack, browser);
  const { pool } = stack.db.database;
  await pool.query(
    `insert into withdrawals (refid, env, merchant_id, token, network, to_address, amount, fee, requested_by)
      values ($1, 'test', $2, 'usdt', 'bep20', $3, 2500e18, 0, 'operator:test')`,
    [REFID, shop.merchantId, DESTINATION.toLowerCase()],
  );
  await pool.query("insert into withdrawal_holds select id, 'approvals_missing', now() from withdrawals");
});
after(async () => {
  await browser?.close();
  await stack?.close();
});

test("an operator compares and approves on a phone what the signer holds; the merchant sees why it waits", async () => {
  const { page: owner } = await shop.tabOf("owner", PHONE);
  await owner.goto(`${shop.base}/overview`);
  await owner.getByRole("link", { name: "1 withdrawal is not sent yet" }).click();
  await owner.getByRole("link", { name: "2500 USDT" }).click();
  await owner.getByText("It is above what is sent without approval.").waitFor();
  assert.equal(await owner.getByTestId("destination").textContent(), DESTINATION);
  await checkoutPage(owner).shot("console-held");

  const { page, userId } = await shop.tabOf("operator", PHONE);
  await addAuthenticator(page.context(), page);
  await page.goto(`${shop.origin}/console/account`);
  await page.getByLabel("Name of the new passkey").fill("Phone");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("The passkey was added.").waitFor();
  const shown = await page.locator("code").first().textContent();
  await page.goto(`${shop.origin}/console/operator/withdrawals?env=test`);
  await tabTo(page, page.getByRole("link", { name: "waits for approvers (1)" }));
  await page.keyboard.press("Enter");
  await page.getByText("above what the policy pays without approval").waitFor();
  await checkoutPage(page).shot("console-operator-held");
  await tabTo(page, page.getByRole("link", { name: "2500 USDT" }));
  await page.keyboard.press("Enter");
  assert.equal(await page.getByTestId("destination").textContent(), DESTINATION);
  const approve = page.getByRole("button", { name: "Approve with a passkey" });
  await tabTo(page, approve);
  await checkoutPage(page).shot("console-operator-approve");
  await page.keyboard.press("Enter");
  await page.getByText("Your approval is stored.").waitFor();
  await page.getByText("You have approved it").waitFor();

  // What the browser signed is what the signer checks, with the entry that the command prints for its policy.
  const { rows } = await stack.db.database.pool.query("select email from users where id = $1", [userId]);
  const [printed] = JSON.parse((await stack.cli("signer", "approver", "--passkey", rows[0].email)).stdout);
  assert.equal(printed.fingerprint, shown);
  const from = { olga: printed.policy };
  const policy = parsePolicy(
    JSON.stringify({ version: 1, networks: {}, approvals: { needed: 1, from } }),
    () => null,
  );
  const row = await findWithdrawalByRefid(stack.db.db, { env: "test", refid: REFID, merchantId: null });
  assert.ok(row);
  const given = (await listGivenApprovals(stack.db.db, [row.id])).get(row.id);
  assert.ok(given);
  assert.deepEqual((await checkApprovals(policy, toPayout(row), given)).approvers, ["olga"]);
  const elsewhere = { ...toPayout(row), to: "0x90f79bf6eb2c4f870365e785982e1f101e93b906" };
  assert.deepEqual(await checkApprovals(policy, elsewhere, given), { approvers: [], refused: ["olga"] });
});

test("an approver with a key file sees what they sign, and signs nothing without a yes", async () => {
  const key = join(temporaryFolder(), "ada.key");
  await stack.cli("signer", "approver", "--out", key);
  const approve = (...more: string[]) =>
    stack.cli("signer", "approve", REFID, "--name", "ada", "--key", key, ...more);
  const signatures = async () =>
    Number((await stack.db.database.pool.query("select count(*) as n from payout_signatures")).rows[0].n);
  const before = await signatures();
  const asked = await approve();
  assert.equal(asked.status, 1);
  for (const text of ["bep20", "2500", "usdt", DESTINATION, "shop@example.com", "nothing was signed"])
    assert.ok(asked.stderr.includes(text), `${text} is in ${asked.stderr}`);
  assert.equal(await signatures(), before);
  const done = await approve("--yes");
  assert.equal(done.status, 0, done.stderr);
  assert.equal(JSON.parse(done.stdout).to, DESTINATION);
  assert.equal(await signatures(), before + 1);
  assert.match(
    (await stack.cli("signer", "approve", "1", "--name", "ada", "--key", key)).stderr,
    /no withdrawal 1/,
  );
});

test("the operator sees the signer's account, costs and sweeps, and an account that somebody put into the database", async () => {
  const { pool } = stack.db.database;
  const { page } = await shop.tabOf("operator", DESKTOP);
  const open = () => page.goto(`${shop.origin}/console/operator/signer?env=test`);
  const account = page.getByRole("region", { name: "Hot account on BNB Smart Chain (BEP20)" });
  await open();
  await account.getByText("It follows from the configured key.").waitFor();
  const derived = (await account.locator("code").textContent()) ?? "";
  assert.match(derived, /^0x[0-9a-fA-F]{40}$/);
  const say = (address: string) =>
    pool.query(
      `insert into signer_accounts (env, network, address, version, started_at, stepped_at)
        values ('test', 'bep20', $1, '1.2.3', now(), now()) on conflict (env, network) do update set address = $1`,
      [address],
    );
  await say(derived);
  await pool.query(
    `insert into outgoing_transactions (env, network, hash, raw, kind, moves, created_at, settled_at, outcome, fee)
      select 'test', 'bep20', '0x' || lpad(to_hex(n), 64, '0'), '0x', case when n = 60 then 'payout' else 'sweep' end, $1,
        now() - n * interval '1 minute', now(), 'final', 10000000000000 from generate_series(1, 60) n`,
    [JSON.stringify([{ token: "usdt", amount: "2500000000000000000000", from: "0x1", to: "0x2" }])],
  );
  await open();
  await account.getByText("1.2.3").waitFor();
  await page.getByRole("row", { name: "BNB Smart Chain (BEP20) 60 0.0006 BNB" }).waitFor();
  const sweeps = page.getByText("Sweep on BNB Smart Chain (BEP20)");
  assert.equal(await sweeps.count(), 50);
  await checkoutPage(page).shot("console-signer");
  await page.getByRole("link", { name: "Older transfers" }).click();
  await page.getByText("Older transfers").waitFor({ state: "detached" });
  assert.equal(await sweeps.count(), 9, "payouts are not in the list");
  // What would be sent to the forged account would be lost.
  await say(DESTINATION);
  await open();
  await account.getByText("Send nothing there before you know why.").waitFor();
  assert.equal(await account.locator("code").first().textContent(), derived);
});
