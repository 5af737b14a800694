/** Money in the console: asking for a withdrawal, and deposits that belong to no payment. */
import assert from "node:assert/strict";
import { buffer as readBuffer, text as readText } from "node:stream/consumers";
import { after, before, test } from "node:test";
import type { Browser, Page } from "@playwright/test";
import { streamXlsxRows } from "hucre/xlsx";
import { openBrowser } from "#tests/support/browser.ts";
import { checkoutPage } from "#tests/support/checkout-page.ts";
import { addAuthenticator, type ShopConsole, shopConsole } from "#tests/support/console.ts";
import { tabTo } from "#tests/support/keyboard.ts";
import { awaitingLink } from "#tests/support/link-states.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";
import { DESTINATION } from "#tests/support/withdrawals.ts";

const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 360, height: 640 }, colorScheme: "dark" } as const;

let stack: Stack;
let browser: Browser;
let shop: ShopConsole;
/** An address of a paid link. */
let address: string;

before(async () => {
  stack = await startStack();
  browser = await openBrowser();
  shop = await shopConsole(stack, browser);
  const { refid, url } = await stack.createLink();
  const payer = checkoutPage(await browser.newPage());
  await payer.page.goto(url);
  await payer.choose("USDT BNB Smart Chain (BEP20)");
  const asked = await payer.ask();
  address = asked.address;
  await stack.pay(address, asked.amount);
  await stack.mine(20);
  await stack.waitForState(refid, "completed");
});
after(async () => {
  await browser?.close();
  await stack?.close();
});

/** Loses the first two answers of a page's action on their way. Returns how many were lost. */
async function loseAnswers(page: Page, path: string): Promise<() => number> {
  let lost = 0;
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() !== "POST" || lost === 2) return route.continue();
    lost += 1;
    await route.fetch({ maxRedirects: 0 });
    await route.abort();
  });
  return () => lost;
}

const count = async (table: string) =>
  Number((await stack.db.database.pool.query(`select count(*) as n from ${table}`)).rows[0].n);

test("a manager asks for a withdrawal after everything was shown once more, and it is created once", async () => {
  const { page } = await shop.tabOf("manager", PHONE);
  await page.goto(`${shop.base}/money/withdrawals`);
  await page.getByText("There was no withdrawal yet").waitFor();
  await page.getByRole("link", { name: "Withdraw", exact: true }).click();
  const check = page.getByRole("button", { name: "Check it" });
  for (const [to, amount, message] of [
    ["0x1234", "5", "This is not an address of this network."],
    [address, "5", "This address belongs to this installation."],
    [DESTINATION, "0", "Enter an amount above 0"],
    [DESTINATION, "5,5", "Enter an amount above 0"],
    [DESTINATION, "1000000", "The balance is smaller than"],
  ] as const) {
    await page.getByLabel("To the address").fill(to);
    await page.getByLabel("Amount").fill(amount);
    await check.click();
    await page.getByRole("alert").filter({ hasText: message }).waitFor();
    assert.equal(await page.getByLabel("Amount").inputValue(), amount, "a refusal keeps what was typed");
  }
  await checkoutPage(page).shot("console-withdraw-refused");
  await page.getByLabel("Amount").fill("5");
  await check.click();
  await page.getByRole("heading", { name: "Is this right?" }).waitFor();
  assert.equal(await page.getByTestId("to").textContent(), DESTINATION);
  await checkoutPage(page).shot("console-withdraw-review");
  assert.equal(await count("withdrawals"), 0, "checking creates nothing");

  // The answer is lost on the way: the browser asks again by itself, for the same withdrawal.
  const lost = await loseAnswers(page, "/money/withdrawals/new");
  await page.getByRole("button", { name: "Withdraw", exact: true }).click();
  await page.getByText("The withdrawal was added to the queue").waitFor();
  await page.getByText("Pending").waitFor();
  assert.deepEqual([lost(), await count("withdrawals")], [2, 1]);
  await checkoutPage(page).shot("console-withdrawals");
});

test("the operator credits a deposit that belongs to no payment, and the merchant sees it until then", async () => {
  await stack.chain("bep20").send(address, "0.25", { coin: true });
  await stack.mine(20);
  await until("the deposit to be held", async () => {
    const { rows } = await stack.db.database.pool.query("select status from deposits where token = 'bnb'");
    return rows[0]?.status === 3;
  });
  const { page: own } = await shop.tabOf("accountant", PHONE);
  await own.goto(`${shop.base}/money/unmatched`);
  await own.getByText("Another token than was asked for").waitFor();
  assert.equal(await own.getByRole("button").count(), 0, "a merchant cannot credit itself");
  await checkoutPage(own).shot("console-unmatched");

  const { page } = await shop.tabOf("operator", DESKTOP);
  await page.goto(`${shop.origin}/console/operator/unmatched?env=test`);
  await page.getByText("Credit a merchant").click();
  assert.equal(await page.getByLabel("Merchant's e-mail address").inputValue(), "shop@example.com");
  await page.getByLabel("Merchant's e-mail address").fill("nobody@example.com");
  await page.getByRole("button", { name: "Credit" }).click();
  await page.getByText("No merchant has this e-mail address.").waitFor();
  await page.getByText("Credit a merchant").click();
  await checkoutPage(page).shot("console-operator-unmatched");
  await page.getByRole("button", { name: "Credit" }).click();
  await page.getByText("The deposit is credited.").waitFor();
  await page.getByText("Everything that arrived was credited.").waitFor();
  await own.goto(`${shop.base}/money`);
  await own.getByText("0.25 BNB").first().waitFor();
});

test("a manager keeps one unmatched deposit and sends another back, once", async () => {
  const { pool } = stack.db.database;
  for (const amount of ["0.3", "0.4"]) await stack.chain("bep20").send(address, amount, { coin: true });
  await stack.mine(20);
  await until("both deposits to be held", async () => {
    const { rows } = await pool.query(
      "select count(*) as n from deposits where token = 'bnb' and status = 3",
    );
    return Number(rows[0].n) === 2;
  });
  const before = await count("withdrawals");
  const { page } = await shop.tabOf("manager", PHONE);
  await page.goto(`${shop.base}/money/unmatched`);
  const row = (amount: string) => page.getByRole("listitem").filter({ hasText: `${amount} BNB` });
  await checkoutPage(page).shot("console-unmatched-decide");
  // By keyboard alone.
  await tabTo(page, row("0.3").getByRole("button", { name: "Keep it" }));
  await page.keyboard.press("Enter");
  await page.getByText("The deposit is credited.").waitFor();
  await tabTo(page, row("0.4").getByRole("link", { name: "Refund it" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByLabel("To the address"));
  await page.keyboard.type(address);
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "This address belongs to this installation." }).waitFor();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(DESTINATION);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Is this right?" }).waitFor();
  assert.equal(await page.getByTestId("to").textContent(), DESTINATION);
  await page.getByText("0.4 BNB", { exact: true }).last().waitFor();
  await checkoutPage(page).shot("console-unmatched-refund");
  assert.equal(await count("withdrawals"), before, "checking creates nothing");
  const lost = await loseAnswers(page, "/money/unmatched/*");
  await tabTo(page, page.getByRole("button", { name: "Refund", exact: true }));
  await page.keyboard.press("Enter");
  await page.getByText("The refund was added to the queue").waitFor();
  assert.deepEqual([lost(), await count("withdrawals")], [2, before + 1]);
  await page.goto(`${shop.base}/money/unmatched`);
  await page.getByText("Everything that arrived was credited.").waitFor();
});

test("an owner limits withdrawals and keeps an address book; nobody who works there gets past them", async () => {
  const { page } = await shop.tabOf("owner", DESKTOP);
  await page.goto(`${shop.base}/money/withdrawals`);
  await page.getByRole("link", { name: "Limits and address book" }).click();
  const limits = page.getByRole("region", { name: "Limits" });
  const save = async (perTransfer: string, notice: string) => {
    await limits.getByLabel("Token").selectOption("usdt");
    await limits.getByLabel("At once").fill(perTransfer);
    await limits.getByRole("button", { name: "Save limits" }).click();
    await page.getByText(notice).waitFor();
  };
  await limits.getByLabel("In 24 hours").fill("5");
  await save("abc", "Enter an amount with a point");
  assert.equal(await limits.getByLabel("In 24 hours").inputValue(), "5", "what was typed stays");
  await limits.getByLabel("In 24 hours").fill("");
  await save("2", "The settings are saved.");
  await limits.getByText("2 USDT at once, no limit in 24 hours").waitFor();
  await save("3", "Only the operator raises or removes a limit.");
  const book = page.getByRole("region", { name: "Address book" });
  await book.getByLabel("Network").selectOption("bep20");
  await book.getByLabel("Address", { exact: true }).fill("0x12");
  await book.getByLabel("Whose it is").fill("The shop's safe");
  await book.getByRole("button", { name: "Add the address" }).click();
  await book.getByRole("alert").filter({ hasText: "This is not an address of this network." }).waitFor();
  await checkoutPage(page).shot("console-rules-refused");
  const typed = ["network", "address", "name"].map((name) => book.locator(`[name=${name}]`).inputValue());
  assert.deepEqual(await Promise.all(typed), ["bep20", "0x12", "The shop's safe"]);
  await book.getByLabel("Address", { exact: true }).fill(DESTINATION);
  await book.getByRole("button", { name: "Add the address" }).click();
  await page.getByText("The address was added.").waitFor();
  await book.getByText("Usable from").waitFor();
  assert.equal(await book.getByLabel("Whose it is").inputValue(), "", "an added address empties the form");
  await book.getByRole("button", { name: "Switch the address book on" }).click();
  await book.getByText("On: withdrawals go to these addresses alone.").waitFor();
  await checkoutPage(page).shot("console-rules");
  const manager = await shop.tabOf("manager", PHONE);
  await manager.page.goto(`${shop.base}/money/withdrawals/new`);
  await manager.page.getByLabel("To the address").fill(DESTINATION);
  for (const [amount, message] of [
    ["3", "This is above your limit for one withdrawal."],
    ["1", "This address was added less than 24 hours ago."],
  ] as const) {
    await manager.page.getByLabel("Amount").fill(amount);
    await manager.page.getByRole("button", { name: "Check it" }).click();
    await manager.page.getByRole("alert").filter({ hasText: message }).waitFor();
  }
  const off = ["--env", "test", "--token", "usdt"];
  assert.equal((await stack.cli("withdrawal", "limit", "shop@example.com", ...off)).status, 0);
  assert.equal((await stack.cli("withdrawal", "address-book", "shop@example.com", "off")).status, 0);
  await page.reload();
  await book.getByText("Off: withdrawals go to any address.").waitFor();
});

test("an accountant exports each kind of row in both formats, sees a cut download, and repeats it", async () => {
  const { page } = await shop.tabOf("accountant", DESKTOP);
  await page.goto(`${shop.base}/money`);
  await page.getByRole("link", { name: "Exports" }).click();
  // Before its script runs the form downloads as a plain one, and says nothing.
  await page.waitForFunction(() => {
    const form = document.querySelector("form[aria-label=Export]");
    return form !== null && Object.keys(form).some((key) => key.startsWith("__reactProps$"));
  });
  const ask = async (what: string, format: string) => {
    await page.getByLabel("What").selectOption(what);
    await page.getByLabel("File").selectOption(format);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export" }).click(),
    ]);
    await page.getByText("Complete:").waitFor();
    return file;
  };
  const heads: Record<string, string[]> = {};
  for (const what of ["payments", "deposits", "withdrawals", "entries"]) {
    const csv = await readText(await (await ask(what, "csv")).createReadStream());
    const [head = "", ...lines] = csv.trimEnd().split("\r\n");
    heads[what] = head.split(",");
    const xlsx = await readBuffer(await (await ask(what, "xlsx")).createReadStream());
    const rows = (await Array.fromAsync(streamXlsxRows(xlsx))).map(({ values }) => values);
    assert.deepEqual(rows[0], heads[what]);
    assert.equal(rows.length - 1, lines.length, what);
    assert.ok(lines.length > 0, what);
  }
  await page.getByLabel("What").selectOption("entries");
  const entries = await readText(await (await ask("entries", "csv")).createReadStream());
  assert.match(entries, /,usdt,withdrawal,no,-6,/);
  assert.match(entries, /,usdt,deposit,no,[0-9.]+,[0-9.]+,[0-9.]+,[a-z, "]+\r\n/, "the price has its source");
  const deposits = await readText(await (await ask("deposits", "csv")).createReadStream());
  assert.match(deposits, /,bep20,bnb,0\.25,credited,other_token,/);
  await page.route("**/exports/file**", (route) => route.abort());
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByText("The download was cut.").waitFor();
  await checkoutPage(page).shot("console-exports");
  await page.unroute("**/exports/file**");
  await ask("payments", "xlsx");
  assert.equal(await page.getByText("The download was cut.").count(), 0);
});

test("a manager refunds what was paid too much, once, and the rest stays refundable", async () => {
  const { refid, address } = await awaitingLink(stack, "bep20");
  const before = await count("withdrawals");
  await stack.pay(address, "12");
  await stack.mine(20);
  await stack.waitForState(refid, "overpaid");
  const cashier = await shop.tabOf("cashier", PHONE);
  await cashier.page.goto(`${shop.base}/payments/${refid}`);
  await cashier.page.getByText("12 USDT credited").waitFor();
  assert.equal(
    await cashier.page.getByRole("link", { name: "Refund" }).count(),
    0,
    "a cashier refunds nothing",
  );
  const { page } = await shop.tabOf("manager", PHONE);
  await page.goto(`${shop.base}/payments/${refid}`);
  await page.getByRole("link", { name: "Refund", exact: true }).click();
  await page.getByText("Up to 12 USDT, 2 USDT too much.").waitFor();
  const amount = page.getByLabel("Amount");
  assert.equal(await amount.inputValue(), "2", "it begins with what was paid too much");
  await page.getByLabel("To the address").fill(DESTINATION);
  await amount.fill("12.5");
  await page.getByRole("button", { name: "Check it" }).click();
  await page.getByRole("alert").filter({ hasText: "more than was paid" }).waitFor();
  await checkoutPage(page).shot("console-refund");
  await amount.fill("2");
  await page.getByRole("button", { name: "Check it" }).click();
  await page.getByRole("heading", { name: "Is this right?" }).waitFor();
  const lost = await loseAnswers(page, "/refund");
  await page.getByRole("button", { name: "Refund", exact: true }).click();
  await page.getByText("The refund was added to the queue.").waitFor();
  await page.getByText("2 USDT, refund").waitFor();
  assert.deepEqual([lost(), (await count("withdrawals")) - before], [2, 1]);
  await checkoutPage(page).shot("console-refunded");
  await page.getByRole("link", { name: "Refund", exact: true }).click();
  await page.getByText("Up to 10 USDT.").waitFor();
  assert.equal(await amount.inputValue(), "10", "what was paid too much is refunded");
});

test("what one person asks for waits until another approves it with a passkey", async () => {
  const { page: owner } = await shop.tabOf("owner", DESKTOP);
  const asker = await shop.tabOf("manager", PHONE);
  await owner.goto(`${shop.base}/money/withdrawals`);
  await owner.getByRole("button", { name: "Switch it on" }).click();
  await owner.getByText("The settings are saved.").waitFor();
  assert.equal(
    await owner.getByRole("button", { name: "Switch it off" }).count(),
    0,
    "the operator alone can",
  );
  const { page } = asker;
  await page.goto(`${shop.base}/money/withdrawals/new`);
  await page.getByLabel("To the address").fill(DESTINATION);
  await page.getByLabel("Amount").fill("1");
  await page.getByRole("button", { name: "Check it" }).click();
  await page.getByRole("button", { name: "Withdraw", exact: true }).click();
  await page.getByText("To be approved").waitFor();
  await page.getByRole("link", { name: "1 USDT", exact: true }).first().click();
  await page.getByText("You asked for it.").waitFor();
  const refid = page.url().split("/").at(-1)?.split("?")[0] ?? "";
  const send = () =>
    stack.cli("withdrawal", "sent", refid, "--tx-hash", `0x${"1".repeat(64)}`, "--env", "test");
  assert.match((await send()).stderr, /a second person of the merchant has not approved it yet/);

  await addAuthenticator(owner.context(), owner);
  await owner.goto(`${shop.origin}/console/account`);
  await owner.getByLabel("Name of the new passkey").fill("Phone");
  await owner.getByRole("button", { name: "Add a passkey" }).click();
  await owner.getByText("The passkey was added.").waitFor();
  await owner.goto(`${shop.base}/overview`);
  await owner.getByRole("link", { name: "1 withdrawal waits for an approval" }).click();
  await owner.getByRole("link", { name: "1 USDT", exact: true }).first().click();
  await owner.getByRole("button", { name: "Approve with a passkey" }).waitFor();
  await checkoutPage(owner).shot("console-approve");
  // What was approved cannot be changed: the signature is over the destination.
  const { pool } = stack.db.database;
  await owner.route("**/money/withdrawals/*", async (route) => {
    const isAnswer = route.request().postData()?.includes("clientDataJSON") ?? false;
    if (isAnswer)
      await pool.query(
        "update withdrawals set to_address = '0xdead' || substr(to_address, 7) where refid = $1",
        [refid],
      );
    await route.continue();
  });
  const before = await pool.query("select to_address from withdrawals where refid = $1", [refid]);
  await owner.getByRole("button", { name: "Approve with a passkey" }).click();
  await owner.getByText("This passkey was not accepted.").waitFor();
  await owner.unroute("**/money/withdrawals/*");
  await pool.query("update withdrawals set to_address = $2 where refid = $1", [
    refid,
    before.rows[0].to_address,
  ]);
  await owner.getByRole("button", { name: "Approve with a passkey" }).click();
  await owner.getByText("The withdrawal is approved.").waitFor();
  await owner.getByText("Approved by").waitFor();
  assert.equal((await send()).status, 0, "it is sent after that");

  // One that is declined returns to the balance.
  await page.goto(`${shop.base}/money/withdrawals/new`);
  await page.getByLabel("To the address").fill(DESTINATION);
  await page.getByLabel("Amount").fill("1");
  await page.getByRole("button", { name: "Check it" }).click();
  await page.getByRole("button", { name: "Withdraw", exact: true }).click();
  await page.getByText("To be approved").waitFor();
  await owner.goto(`${shop.base}/money/withdrawals`);
  await owner.getByRole("link", { name: "1 USDT", exact: true }).first().click();
  await owner.getByRole("button", { name: "Decline" }).click();
  await owner.getByText("The withdrawal is declined.").waitFor();
  await owner.getByText(/^declined by owner/).waitFor();
  assert.equal((await stack.cli("withdrawal", "second-person", "shop@example.com", "off")).status, 0);
});

test("the operator changes what a network and a token can do, and switches a merchant off and on", async () => {
  const { page } = await shop.tabOf("operator", DESKTOP);
  const settings = `${shop.origin}/console/operator/settings?env=test`;
  await page.goto(settings);
  const network = page.getByRole("form", { name: "BNB Smart Chain (BEP20)" });
  await page.getByText("BNB Smart Chain (BEP20)").click();
  await network.getByLabel("Withdrawals").uncheck();
  await network.getByRole("button", { name: "Save" }).click();
  await page.getByText("The settings are saved.").waitFor();
  const token = page.getByRole("form", { name: "Tether USD" });
  for (const [field, value, message] of [
    ["Smallest withdrawal", "1,5", "Enter amounts in whole tokens"],
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
  await checkoutPage(page).shot("console-operator-settings");
  assert.equal(await token.getByLabel("Smallest withdrawal").inputValue(), "7.5");
  await page.goto(`${shop.origin}/console/operator/merchants`);
  await page.getByRole("button", { name: "Disable Kaduna Coffee" }).click();
  await page.getByText("The merchant is changed.").waitFor();
  await assert.rejects(stack.createLink(), "a disabled merchant creates nothing");
  await page.getByRole("button", { name: "Enable Kaduna Coffee" }).click();
  await page.getByRole("button", { name: "Disable Kaduna Coffee" }).waitFor();
  await stack.createLink();
  const { rows } = await stack.db.database.pool.query(
    "select action, details from audit_log where actor like 'user:%' and action in ('network.set', 'token.set', 'merchant.update') order by id",
  );
  assert.deepEqual(
    rows.map(({ action, details }) => [action, details.send ?? details.minimumSend ?? details.status]),
    [
      ["network.set", "false"],
      ["token.set", "7.5"],
      ["merchant.update", "disabled"],
      ["merchant.update", "active"],
    ],
  );
});

test("a link is made once, also if the answers are lost on their way", async () => {
  const { page } = await shop.tabOf("cashier", PHONE);
  const before = await count("payment_links");
  const lost = await loseAnswers(page, "/test/new");
  await page.goto(`${shop.base}/new`);
  await page.getByLabel("Amount").fill("16000");
  await page.getByLabel("Reference").fill("ONCE1");
  await page.getByLabel("Customer's e-mail address").fill("once@example.com");
  await page.getByLabel("First name").fill("Once");
  await page.getByLabel("Last name").fill("Payer");
  await page.getByRole("button", { name: "Create the link" }).click();
  await page.getByRole("heading", { name: "₦16,000.00 NGN" }).waitFor();
  assert.deepEqual([lost(), (await count("payment_links")) - before], [2, 1]);
});
