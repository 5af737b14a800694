/** Money in the console: withdrawals that a person asks for and another approves, refunds, and deposits that belong to no payment. */
import assert from "node:assert/strict";
import type { Page } from "@playwright/test";
import { addPasskey, DESKTOP, loseAnswers, PHONE } from "#tests/support/console.ts";
import { tabTo } from "#tests/support/keyboard.ts";
import { awaitingLink, paidLink, sendUnmatched } from "#tests/support/link-states.ts";
import { overflow } from "#tests/support/page-looks.ts";
import { DESTINATION } from "#tests/support/withdrawals.ts";
import { test } from "./fixtures.ts";

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** USDT can be sent on several networks. */
const chooseBep20 = (page: Page) => page.getByLabel("Balance and network").selectOption("bep20/usdt");

/** Fills the form of a withdrawal or refund, and has it checked. */
async function check(page: Page, to: string, amount: string): Promise<void> {
  await page.getByLabel("To the address").fill(to);
  await page.getByLabel("Amount").fill(amount);
  await press(page, "Check it");
}

const alert = (page: Page, text: string) => page.getByRole("alert").filter({ hasText: text }).waitFor();

test("a manager asks for a withdrawal after everything was shown once more, and it is created once", async ({
  shop,
  desk,
}) => {
  const { address } = await paidLink(shop);
  const { page, shot } = await desk.tabOf("manager", PHONE);
  await page.goto(`${desk.base}/money/withdrawals`);
  await page.getByText("There was no withdrawal yet").waitFor();
  await page.getByRole("link", { name: "Withdraw", exact: true }).click();
  await chooseBep20(page);
  for (const [to, amount, message] of [
    ["0x1234", "5", "This is not an address of this network."],
    [address, "5", "This address belongs to this installation."],
    [DESTINATION, "0", "Enter an amount above 0"],
    // Between the two others: each message must differ from the one that is still shown.
    [DESTINATION, "1000000", "The balance is smaller than"],
    [DESTINATION, "1,000", "Enter an amount above 0"],
  ] as const) {
    await check(page, to, amount);
    await alert(page, message);
    assert.equal(await page.getByLabel("Amount").inputValue(), amount, "a refusal keeps what was typed");
  }
  await shot("console-withdraw-refused");
  const max = page.getByRole("button", { name: /^Max: / });
  const most = (await max.textContent())?.slice("Max: ".length) ?? "";
  await max.click();
  assert.equal(await page.getByLabel("Amount").inputValue(), most);
  await check(page, DESTINATION, most);
  await page.getByRole("heading", { name: "Is this right?" }).waitFor();
  await page.getByRole("button", { name: "Change it" }).click();
  await check(page, DESTINATION, "5,0");
  await page.getByRole("heading", { name: "Is this right?" }).waitFor();
  assert.equal(await page.getByTestId("to").textContent(), DESTINATION);
  await shot("console-withdraw-review");
  assert.equal(await desk.count("withdrawals"), 0, "checking creates nothing");

  // The answer is lost on the way: the browser asks again by itself, for the same withdrawal.
  const lost = await loseAnswers(page, "/money/withdrawals/new");
  await press(page, "Withdraw");
  await page.getByText("The withdrawal was added to the queue").waitFor();
  await page.getByText("Pending").waitFor();
  assert.deepEqual([lost(), await desk.count("withdrawals")], [2, 1]);
  await shot("console-withdrawals");
});

test("the operator credits a deposit that belongs to no payment, and the merchant sees it until then", async ({
  shop,
  desk,
}) => {
  const { address } = await awaitingLink(shop);
  await sendUnmatched(shop, address, "0.25");
  const own = await desk.tabOf("accountant", PHONE);
  await own.page.goto(`${desk.base}/money/unmatched`);
  await own.page.getByText("Another token than was asked for").waitFor();
  await own.page.getByText(/^Payment: \w+$/).waitFor();
  await own.page.getByText(/^Customer: .+@/).waitFor();
  assert.equal(await own.page.getByRole("button").count(), 0, "a merchant cannot credit itself");
  await own.shot("console-unmatched");

  const { page, shot } = await desk.tabOf("operator", DESKTOP);
  await page.goto(`${desk.origin}/console/operator/unmatched?env=test`);
  const row = page.getByRole("listitem").filter({ hasText: shop.email });
  const email = row.getByLabel("Merchant's e-mail address");
  await row.getByText("Credit a merchant").click();
  assert.equal(await email.inputValue(), shop.email);
  await email.fill("nobody@example.com");
  await row.getByRole("button", { name: "Credit" }).click();
  await page.getByText("No merchant has this e-mail address.").waitFor();
  assert.equal(await email.inputValue(), "nobody@example.com");
  await email.fill(shop.email);
  await shot("console-operator-unmatched");
  await row.getByRole("button", { name: "Credit" }).click();
  await page.getByText("The deposit is credited.").waitFor();
  await row.waitFor({ state: "detached" });
  await own.page.reload();
  await own.page.getByText("Everything that arrived was credited.").waitFor();
  await own.page.goto(`${desk.base}/money`);
  await own.page.getByText("0.25 BNB").first().waitFor();
});

test("a manager keeps one unmatched deposit and sends another back, once", async ({ shop, desk }) => {
  const { address } = await awaitingLink(shop);
  await sendUnmatched(shop, address, "0.3", "0.4");
  const { page, shot } = await desk.tabOf("manager", PHONE);
  await page.goto(`${desk.base}/money/unmatched`);
  const row = (amount: string) => page.getByRole("listitem").filter({ hasText: `${amount} BNB` });
  await shot("console-unmatched-decide");
  // By keyboard alone.
  await tabTo(page, row("0.3").getByRole("button", { name: "Keep it" }));
  await page.keyboard.press("Enter");
  await page.getByText("The deposit is credited.").waitFor();
  await tabTo(page, row("0.4").getByRole("link", { name: "Refund it" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByLabel("To the address"));
  await page.keyboard.type(address);
  await page.keyboard.press("Enter");
  await alert(page, "This address belongs to this installation.");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(DESTINATION);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Is this right?" }).waitFor();
  assert.equal(await page.getByTestId("to").textContent(), DESTINATION);
  await page.getByText("0.4 BNB", { exact: true }).last().waitFor();
  await shot("console-unmatched-refund");
  assert.equal(await desk.count("withdrawals"), 0, "checking creates nothing");
  const lost = await loseAnswers(page, "/money/unmatched/*");
  await tabTo(page, page.getByRole("button", { name: "Refund", exact: true }));
  await page.keyboard.press("Enter");
  await page.getByText("The refund was added to the queue").waitFor();
  assert.deepEqual([lost(), await desk.count("withdrawals")], [2, 1]);
  await page.goto(`${desk.base}/money/unmatched`);
  await page.getByText("Everything that arrived was credited.").waitFor();
});

test("a manager refunds what was paid too much, once, and the rest stays refundable", async ({
  shop,
  desk,
}) => {
  const { refid, address } = await awaitingLink(shop);
  await shop.pay(address, "12");
  await shop.mine(3);
  await shop.waitForState(refid, "overpaid");
  const { page: till } = await desk.tabOf("cashier", PHONE);
  await till.goto(`${desk.base}/payments/${refid}`);
  await till.getByText("12 USDT credited").waitFor();
  assert.equal(await till.getByRole("link", { name: "Refund" }).count(), 0, "a cashier refunds nothing");
  const { page, shot } = await desk.tabOf("manager", PHONE);
  const refund = page.getByRole("link", { name: "Refund", exact: true });
  const amount = page.getByLabel("Amount");
  await page.goto(`${desk.base}/payments/${refid}`);
  await refund.click();
  await page.getByText("Up to 12 USDT, 2 USDT too much.").waitFor();
  assert.equal(await amount.inputValue(), "2", "it begins with what was paid too much");
  await check(page, DESTINATION, "12.5");
  await alert(page, "more than was paid");
  await shot("console-refund");
  await page.getByLabel("Reason (optional)").fill("Paid <b>too</b> much");
  await check(page, DESTINATION, "2");
  await page.getByRole("heading", { name: "Is this right?" }).waitFor();
  const lost = await loseAnswers(page, "/refund");
  await press(page, "Refund");
  await page.getByText("The refund was added to the queue.").waitFor();
  await page.getByText("2 USDT, refund").waitFor();
  await page.getByText("Refund of 2 USDT asked for: “Paid <b>too</b> much”").waitFor();
  const sums = page.getByRole("region", { name: "Asked for and received" });
  await sums.getByText("12 USDT on BNB Smart Chain (BEP20)").waitFor();
  await sums.getByText("2 USDT on BNB Smart Chain (BEP20)", { exact: true }).waitFor();
  assert.deepEqual([lost(), await desk.count("withdrawals")], [2, 1]);
  await shot("console-refunded");
  await refund.click();
  await page.getByText("Up to 10 USDT.").waitFor();
  assert.equal(await amount.inputValue(), "10", "what was paid too much is refunded");

  await page.goto(`${desk.base}/money`);
  const entries = page.getByRole("region", { name: "Entries" }).getByRole("row");
  const balances = page.getByRole("region", { name: "Balances" });
  await balances
    .getByText(/^about \$[0-9.,]+ USD$/)
    .first()
    .waitFor();
  await balances.getByText(/^at \$1\.00 USD \(fixed\), /).waitFor();
  await entries.filter({ hasText: "Refund" }).getByText("with a fee of 1 USDT").waitFor();
  await shot("console-entries");
  await entries.getByRole("link", { name: "Refund", exact: true }).click();
  await page.getByText("2 USDT").first().waitFor();
  assert.match(page.url(), /\/money\/withdrawals\/[0-9]{16}$/);
  await page.goBack();
  await entries.getByRole("link", { name: "Payment", exact: true }).first().click();
  await page.getByText("12 USDT credited").waitFor();
});

test("what one person asks for waits until another approves it with a passkey", async ({ shop, desk }) => {
  await paidLink(shop);
  const { page: owner, shot } = await desk.tabOf("owner", DESKTOP);
  const { page } = await desk.tabOf("manager", PHONE);
  const asked = (tab: Page) => tab.getByRole("link", { name: "1 USDT", exact: true }).first();
  const ask = async () => {
    await page.goto(`${desk.base}/money/withdrawals/new`);
    await chooseBep20(page);
    await check(page, DESTINATION, "1");
    await press(page, "Withdraw");
    await page.getByText("To be approved").waitFor();
  };
  await owner.goto(`${desk.base}/money/withdrawals`);
  await press(owner, "Switch it on");
  await owner.getByText("The settings are saved.").waitFor();
  const off = owner.getByRole("button", { name: "Switch it off" });
  assert.equal(await off.count(), 0, "the operator alone can");
  await ask();
  // The owner's list was empty, and shows what waits for the owner by itself.
  await asked(owner).waitFor();
  await asked(page).click();
  await page.getByText("You asked for it.").waitFor();
  const refid = page.url().split("/").at(-1)?.split("?")[0] ?? "";
  const hash = `0x${"1".repeat(64)}`;
  const send = () => shop.cli("withdrawal", "sent", refid, "--tx-hash", hash, "--env", "test");
  assert.match((await send()).stderr, /an owner or manager of the merchant has not approved it yet/);

  await addPasskey(owner, desk.origin);
  await owner.goto(`${desk.base}/overview`);
  await owner.getByRole("link", { name: "1 withdrawal waits for an approval" }).click();
  await asked(owner).click();
  await owner.getByRole("button", { name: "Approve with a passkey" }).waitFor();
  await shot("console-approve");
  // An approved withdrawal cannot be changed: the signature is over the destination.
  const { pool } = shop.db.database;
  const setTo = "update withdrawals set to_address = $2 where refid = $1";
  await owner.route("**/money/withdrawals/*", async (route) => {
    const isAnswer = route.request().postData()?.includes("clientDataJSON") ?? false;
    if (isAnswer) await pool.query(setTo, [refid, DESTINATION.toLowerCase().replace(/^0x..../, "0xdead")]);
    await route.continue();
  });
  const before = await pool.query("select to_address from withdrawals where refid = $1", [refid]);
  await press(owner, "Approve with a passkey");
  await owner.getByText("This passkey was not accepted.").waitFor();
  await owner.unroute("**/money/withdrawals/*");
  await pool.query(setTo, [refid, before.rows[0].to_address]);
  await press(owner, "Approve with a passkey");
  await owner.getByText("The withdrawal is approved.").waitFor();
  await owner.getByText("Approved by").waitFor();
  assert.equal((await send()).status, 0, "it is sent after that");
  await page.reload();
  await page.getByText(hash).waitFor();
  assert.equal(await overflow(page), 0, "the hash fits on a phone");

  // A declined withdrawal returns to the balance.
  await ask();
  await owner.goto(`${desk.base}/money/withdrawals`);
  await asked(owner).click();
  await press(owner, "Decline");
  await owner.getByText("The withdrawal is declined.").waitFor();
  await owner.getByText(/^declined by owner/).waitFor();
  await shop.run("withdrawal", "second-person", shop.email, "off");
});
