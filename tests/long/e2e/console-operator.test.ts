/** The operator's pages of the console: the signer's approvals and accounts, and the settings of networks and tokens. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { findWithdrawalByRefid, listGivenApprovals } from "#lib/domain/withdrawals/queries.ts";
import { checkApprovals } from "#lib/signer/approvals.ts";
import { toPayout } from "#lib/signer/payout-rules.ts";
import { parsePolicy } from "#lib/signer/policy.ts";
import { test as base } from "#tests/e2e/fixtures.ts";
import { addPasskey, DESKTOP, PHONE } from "#tests/support/console.ts";
import { temporaryFolder } from "#tests/support/database.ts";
import { tabTo } from "#tests/support/keyboard.ts";
import { DESTINATION } from "#tests/support/withdrawals.ts";

/** The refid of a withdrawal that the signer holds, and that is not in the books. */
const test = base.extend<{ held: string }>({
  held: async ({ shop: { merchantId, db } }, use) => {
    const { pool } = db.database;
    const refid = String(4_000_000_000_000_000 + merchantId);
    const { rows } = await pool.query(
      `insert into withdrawals (refid, env, merchant_id, token, network, to_address, amount, fee, requested_by)
        values ($1, 'test', $2, 'usdt', 'bep20', $3, 2500e18, 0, 'operator:test') returning id`,
      [refid, merchantId, DESTINATION.toLowerCase()],
    );
    const ids = rows.map(({ id }) => id);
    await pool.query("insert into withdrawal_holds values ($1, 'approvals_missing', now())", ids);
    await use(refid);
    await pool.query("delete from withdrawal_holds where withdrawal_id = $1", ids);
  },
});

// A world of its own: it has what a signer would have said, and the operator changes its networks.
test.use({ keepsBooks: false, kind: { env: {}, networks: ["bep20"] } });

test("an operator compares and approves on a phone what the signer holds; the merchant sees why it waits", async ({
  shop,
  desk,
  held,
}) => {
  const { page: owner, shot: shotOfOwner } = await desk.tabOf("owner", PHONE);
  await owner.goto(`${desk.base}/overview`);
  await owner.getByRole("link", { name: "1 withdrawal is not sent yet" }).click();
  await owner.getByRole("link", { name: "2500 USDT" }).click();
  await owner.getByText("It is above what is sent without approval.").waitFor();
  assert.equal(await owner.getByTestId("destination").textContent(), DESTINATION);
  await shotOfOwner("console-held");

  const { page, shot, userId } = await desk.tabOf("operator", PHONE);
  await addPasskey(page, desk.origin);
  const shown = await page.locator("code").first().textContent();
  await page.goto(`${desk.origin}/console/operator/withdrawals?env=test`);
  await tabTo(page, page.getByRole("link", { name: "waits for approvers (1)" }));
  await page.keyboard.press("Enter");
  await page.getByText("above what the policy pays without approval").waitFor();
  await shot("console-operator-held");
  await tabTo(page, page.getByRole("link", { name: "2500 USDT" }));
  await page.keyboard.press("Enter");
  assert.equal(await page.getByTestId("destination").textContent(), DESTINATION);
  const approve = page.getByRole("button", { name: "Approve with a passkey" });
  await tabTo(page, approve);
  await shot("console-operator-approve");
  await page.keyboard.press("Enter");
  await page.getByText("Your approval is stored.").waitFor();
  await page.getByText("You have approved it").waitFor();

  // The signer checks the browser's signature with the entry that the command prints for its policy.
  const { rows } = await shop.db.database.pool.query("select email from users where id = $1", [userId]);
  const [printed] = JSON.parse((await shop.cli("signer", "approver", "--passkey", rows[0].email)).stdout);
  assert.equal(printed.fingerprint, shown);
  const from = { olga: printed.policy };
  const policy = parsePolicy(
    JSON.stringify({ version: 1, networks: {}, approvals: { needed: 1, from } }),
    () => null,
  );
  const row = await findWithdrawalByRefid(shop.db.db, { env: "test", refid: held, merchantId: null });
  assert.ok(row);
  const given = (await listGivenApprovals(shop.db.db, [row.id])).get(row.id);
  assert.ok(given);
  assert.deepEqual((await checkApprovals(policy, toPayout(row), given)).approvers, ["olga"]);
  const elsewhere = { ...toPayout(row), to: "0x90f79bf6eb2c4f870365e785982e1f101e93b906" };
  assert.deepEqual(await checkApprovals(policy, elsewhere, given), { approvers: [], refused: ["olga"] });
});

test("an approver with a key file sees what they sign, and signs nothing without a yes", async ({
  shop,
  held,
}) => {
  const key = join(temporaryFolder(), "ada.key");
  await shop.cli("signer", "approver", "--out", key);
  const approve = (...more: string[]) =>
    shop.cli("signer", "approve", held, "--name", "ada", "--key", key, ...more);
  const signatures = async () =>
    Number((await shop.db.database.pool.query("select count(*) as n from payout_signatures")).rows[0].n);
  const before = await signatures();
  const asked = await approve();
  assert.equal(asked.status, 1);
  for (const text of ["bep20", "2500", "usdt", DESTINATION, shop.email, "nothing was signed"])
    assert.ok(asked.stderr.includes(text), `${text} is in ${asked.stderr}`);
  assert.equal(await signatures(), before);
  const done = await approve("--yes");
  assert.equal(done.status, 0, done.stderr);
  assert.equal(JSON.parse(done.stdout).to, DESTINATION);
  assert.equal(await signatures(), before + 1);
  assert.match(
    (await shop.cli("signer", "approve", "1", "--name", "ada", "--key", key)).stderr,
    /no withdrawal 1/,
  );
});

test("the operator sees the signer's account, costs and sweeps, and an account that somebody put into the database", async ({
  shop,
  desk,
}) => {
  const { pool } = shop.db.database;
  const { page, shot } = await desk.tabOf("operator", DESKTOP);
  const open = () => page.goto(`${desk.origin}/console/operator/signer?env=test`);
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
  await shot("console-signer");
  await page.getByRole("link", { name: "Older transfers" }).click();
  await page.getByText("Older transfers").waitFor({ state: "detached" });
  assert.equal(await sweeps.count(), 9, "payouts are not in the list");
  // A payment to the forged account would be lost.
  await say(DESTINATION);
  await open();
  await account.getByText("Send nothing there before you know why.").waitFor();
  assert.equal(await account.locator("code").first().textContent(), derived);
  // The signer has no node that it can pay through.
  await say("");
  await open();
  await account.getByText("or only Electrum servers").waitFor();
  assert.equal(await account.locator("code").count(), 0);
});

test("the operator changes what a network and a token can do, and switches a merchant off and on", async ({
  shop,
  desk,
}) => {
  const { page, shot } = await desk.tabOf("operator", DESKTOP);
  const settings = `${desk.origin}/console/operator/settings?env=test`;
  await page.goto(settings);
  const network = page.getByRole("form", { name: "BNB Smart Chain (BEP20)" });
  await page.getByText("BNB Smart Chain (BEP20)").click();
  await network.getByLabel("Withdrawals").uncheck();
  await network.getByRole("button", { name: "Save" }).click();
  await page.getByText("The settings are saved.").waitFor();
  const token = page.getByRole("form", { name: "Tether USD" });
  for (const [field, value, message] of [
    ["Smallest withdrawal", "1,5,0", "Enter amounts in whole tokens"],
    ["Smallest withdrawal", "-1", "Amounts must be 0 or more."],
    ["Largest withdrawal", "0", "The smallest withdrawal is above the largest."],
    ["Smallest withdrawal", "7.5", "The settings are saved."],
  ] as const) {
    await page.goto(settings);
    await page.getByText("Tether USD (USDT)").click();
    await token.getByLabel(field).fill(value);
    await token.getByRole("button", { name: "Save" }).click();
    await page.getByText(message).waitFor();
  }
  await page.getByText("Tether USD (USDT)").click();
  await shot("console-operator-settings");
  assert.equal(await token.getByLabel("Smallest withdrawal").inputValue(), "7.5");
  await page.goto(`${desk.origin}/console/operator/merchants`);
  const merchant = page.getByRole("row").filter({ hasText: shop.email });
  await merchant.getByRole("link", { name: "Disable Kaduna Coffee" }).click();
  await page.getByText("A key was last used").waitFor();
  await page.getByRole("button", { name: "Disable the merchant" }).click();
  await page.getByText("The merchant is changed.").waitFor();
  await assert.rejects(shop.createLink(), "a disabled merchant creates nothing");
  await merchant.getByRole("button", { name: "Enable Kaduna Coffee" }).click();
  await merchant.getByRole("link", { name: "Disable Kaduna Coffee" }).waitFor();
  await shop.createLink();
  const { rows } = await shop.db.database.pool.query(
    "select action, details from audit_log where actor like 'user:%' and action in ('network.set', 'token.set', 'merchant.status') order by id",
  );
  assert.deepEqual(
    rows.map(({ action, details }) => [action, details.send ?? details.minimumSend ?? details.status]),
    [
      ["network.set", "false"],
      ["token.set", "7.5"],
      ["merchant.status", "disabled"],
      ["merchant.status", "active"],
    ],
  );
});
