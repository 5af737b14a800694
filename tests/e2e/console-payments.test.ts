/** Payments in the console: made, followed, searched, exported, and their events, by mouse and by keyboard. */
import assert from "node:assert/strict";
import { text as readText } from "node:stream/consumers";
import type { Page } from "@playwright/test";
import { checkoutPage } from "#tests/support/checkout-page.ts";
import { DESKTOP, loseAnswers, PHONE } from "#tests/support/console.ts";
import { tabTo } from "#tests/support/keyboard.ts";
import { paidLink } from "#tests/support/link-states.ts";
import type { Stack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";
import { BEP20, test as base, expect } from "./fixtures.ts";

const FIRST_NAME = "<img src=x onerror=alert(1)>";
const CUSTOMER = JSON.stringify({ email: "payer@example.com", first_name: FIRST_NAME, last_name: "Payer" });
/** The row of the paid link. */
const PAID = /ORDER1.*Paid/;

const test = base.extend<{ paid: Awaited<ReturnType<typeof paidLink>> }>({
  paid: async ({ shop }, use) => {
    const link = await paidLink(shop, { customer_details: CUSTOMER });
    await shop.waitForWebhook(link.refid, "payment_link_completed");
    await use(link);
  },
});

// The console is on a port of its own.
test.use({ kind: "extended" });

const DESCRIPTION = "Coffee <b>beans</b>";

/** Fills the form of a new link. */
async function createLink(page: Page, reference: string): Promise<void> {
  await page.getByLabel("Amount").fill("16000");
  await page.getByLabel("Currency").selectOption("ngn");
  await page.getByLabel("Reference").fill(reference);
  await page.getByLabel("Description").fill(DESCRIPTION);
  await page.getByLabel("Customer's e-mail address").fill("payer@example.com");
  await page.getByLabel("First name").fill(FIRST_NAME);
  await page.getByLabel("Last name").fill("Payer");
}

/** Reads the value of the day of the payment in the chart, by the keyboard and by the mouse. */
async function readChart(page: Page, paidAt: Date): Promise<void> {
  const slider = page.getByRole("slider", { name: "Paid volume by day" });
  const format = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });
  const paid = page.getByText(new RegExp(`${format.format(paidAt)}: \\$10.00 USD, 1 link$`));
  const unpaid = page.getByText(/: \$0.00 USD, 0 links$/);
  await tabTo(page, slider);
  await paid.or(unpaid).waitFor();
  // The last day is the next one if midnight has come since.
  const daysSince = (await paid.isVisible()) ? 0 : 1;
  if (daysSince > 0) await page.keyboard.press("ArrowLeft");
  await paid.waitFor();
  await page.keyboard.press("ArrowLeft");
  await unpaid.waitFor();
  await page.keyboard.press("Tab");
  await page.getByText("30 days, the best with $10.00 USD").waitFor();
  const { x, y, width, height } = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width - 2 - (daysSince * width) / 30, y + height / 2);
  await paid.waitFor();
  await page.mouse.move(x + 2, y + height / 2);
  await unpaid.waitFor();
}

test("an owner makes a link, and sees it paid on pages that stay open", async ({ shop, desk, visit }) => {
  const { page, shot } = await desk.tabOf("owner", DESKTOP);
  await page.goto(`${desk.base}/payments`);
  await page.getByText("No payments yet").waitFor();
  await shot("console-payments-empty");
  await page.getByRole("link", { name: "Make the first link" }).click();
  await createLink(page, "ORDER1");
  await shot("console-new");
  await page.getByRole("button", { name: "Create the link" }).click();
  await page.getByRole("heading", { name: "₦16,000.00" }).waitFor();
  await shot("console-payment-open");
  await page.getByText(DESCRIPTION).waitFor();
  const pageUrl = (await page.getByRole("link", { name: /\/pay\// }).textContent()) ?? "";
  const [list, overview] = [await page.context().newPage(), await page.context().newPage()];
  await list.goto(`${desk.base}/payments`);
  await list.getByRole("row", { name: /ORDER1.*Not started/ }).waitFor();
  await overview.goto(`${desk.base}/overview`);
  await overview.getByText("1 (100%)").waitFor();

  const payer = await visit(pageUrl, { ...PHONE, hasTouch: true, isMobile: true });
  await payer.choose(BEP20);
  const back = payer.page.getByRole("link", { name: "Cancel and go back" });
  assert.equal(await back.count(), 0, "there is no shop");
  const { amount, address } = await payer.ask();
  await shop.pay(address, amount);
  await shop.mine(3);
  const { completed_at } = await shop.waitForState(pageUrl.split("/").at(-1) ?? "", "completed");
  // No page is loaded again.
  await page.getByText("10 USDT credited").waitFor();
  await list.getByRole("row", { name: PAID }).waitFor();
  await overview.locator("li", { hasText: "$10.00 USD, 1 link" }).waitFor();
  await readChart(overview, new Date(String(completed_at)));
  await overview.locator("summary").first().click();
  await overview.getByRole("row", { name: /1 \$10.00 USD$/ }).waitFor();
  await checkoutPage(overview).shot("console-overview");
  await page.getByRole("link", { name: `${FIRST_NAME} Payer` }).waitFor();
  await page.getByText("10 USDT on BNB Smart Chain (BEP20)").first().waitFor();
  await page.getByRole("link", { name: "Receipt" }).waitFor();
  await page.getByRole("row", { name: /^payment_link_completed/ }).waitFor();
  await shot("console-payment-paid");
  await checkoutPage(list).shot("console-payments");
});

test("a list shows what has changed before its socket was connected", async ({ shop, desk }) => {
  const { page } = await desk.tabOf("owner", DESKTOP);
  const connect = Promise.withResolvers<void>();
  await page.routeWebSocket(/\/realtime/, async (socket) => {
    await connect.promise;
    socket.connectToServer();
  });
  await page.goto(`${desk.base}/payments`);
  await page.getByRole("heading", { name: "Payments" }).waitFor();
  await shop.createLink({ payment_reference: "ORDER79" });
  connect.resolve();
  await page.getByText("ORDER79").first().waitFor();
});

/** Opens a list with a clock that can be moved, and waits until it follows its socket and has been read again after the join. */
async function openFollowed(page: Page, url: string): Promise<void> {
  await page.clock.install();
  // Each wait begins before what it waits for can happen: the socket may join before the page has loaded.
  const joined = page
    .waitForEvent("websocket")
    .then((socket) =>
      socket.waitForEvent("framereceived", ({ payload }) => String(payload).includes("joined")),
    );
  const isLoaded = Promise.all([joined, page.goto(url)]);
  await Promise.all([
    page.waitForResponse((response) => "rsc" in response.request().headers(), { timeout: 60_000 }),
    isLoaded.then(() => page.clock.fastForward(5_000)),
  ]);
}

test("a list shows a link that nothing announces: within half a minute, and as soon as it is looked at", async ({
  shop,
  desk,
}) => {
  const { page } = await desk.tabOf("owner", DESKTOP);
  await openFollowed(page, `${desk.base}/payments`);
  await shop.createLink({ payment_reference: "ORDER81" });
  await page.clock.fastForward(30_000);
  await page.getByText("ORDER81").first().waitFor({ timeout: 10_000 });
  await shop.createLink({ payment_reference: "ORDER82" });
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await page.getByText("ORDER82").first().waitFor({ timeout: 10_000 });
});

test("a list is not read again after nobody has used it for 12 hours, until somebody does", async ({
  desk,
}) => {
  const { page } = await desk.tabOf("owner", DESKTOP);
  await openFollowed(page, `${desk.base}/payments`);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.method()));
  await page.clock.fastForward("12:00:01");
  asked.length = 0;
  for (let minute = 0; minute < 5; minute++) await page.clock.fastForward(60_000);
  assert.deepEqual(asked, []);
  await page.keyboard.press("Shift");
  await Promise.all([
    page.waitForRequest((request) => "rsc" in request.headers()),
    page.clock.fastForward(60_000),
  ]);
});

test("a link is made once, also if the answers are lost on their way", async ({ desk }) => {
  const { page } = await desk.tabOf("cashier", PHONE);
  const lost = await loseAnswers(page, "/test/new");
  await page.goto(`${desk.base}/new`);
  await createLink(page, "ONCE1");
  await page.getByRole("button", { name: "Create the link" }).click();
  await page.getByRole("heading", { name: "₦16,000.00" }).waitFor();
  assert.deepEqual([lost(), await desk.count("payment_links")], [2, 1]);
});

test("a payment is found by its texts, state and day, and what is shown is exported", async ({
  shop,
  desk,
  paid,
}) => {
  const { page } = await desk.tabOf("owner", DESKTOP);
  await page.goto(`${desk.base}/payments`);
  const found = page.getByRole("row", { name: PAID });
  const none = page.getByText("No payment matches");
  const show = async (label: string, value: string, parameter: string) => {
    const field = page.getByLabel(label);
    if (parameter === "state" || parameter === "pair") await field.selectOption(value);
    else await field.fill(value);
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL((url) => url.searchParams.get(parameter) === value);
  };
  const whole = ["ORDER1", "PAYER@example.com", "payer", "16000", paid.address, paid.hash];
  const firsts = ["ORD", "PAYER@", "pay", "₦16,000", paid.address.slice(0, 9), paid.hash.slice(0, 9)];
  for (const text of [...whole, ...firsts]) {
    await show("Search", text, "search");
    await found.waitFor();
  }
  await show("Paid with", "trc20/usdt", "pair");
  await none.waitFor();
  await show("Paid with", "bep20/usdt", "pair");
  await found.waitFor();
  await show("State", "failed", "state");
  await none.waitFor();
  await page.getByLabel("State").selectOption("");
  await show("At least", "16001", "least");
  await none.waitFor();
  await show("At least", "16000", "least");
  await found.waitFor();
  await show("At most", "15999", "most");
  await none.waitFor();
  await show("At most", "16000", "most");
  await found.waitFor();
  assert.equal(await page.getByLabel("Currency").inputValue(), "ngn");
  // Not today: midnight may have come since.
  const day = String((await shop.getLink(paid.refid)).created_at).slice(0, 10);
  await show("To (UTC)", day, "to");
  await found.waitFor();
  await show("To (UTC)", "2026-01-01", "to");
  await none.waitFor();

  const exported = async (query: string) => {
    const response = await page.request.get(`${desk.base}/exports/file?what=payments&format=csv&${query}`);
    return (await response.text()).trim().split("\r\n").length - 1;
  };
  await page.goto(`${desk.base}/payments?search=ORD&pair=bep20%2Fusdt`);
  const href = await page.getByRole("link", { name: "CSV" }).getAttribute("href");
  assert.match(href ?? "", /search=ORD&pair=bep20%2Fusdt&what=payments&format=csv$/);
  assert.equal(await exported("search=ORD&pair=bep20%2Fusdt"), 1);
  for (const query of [
    "currency=ngn&least=16001",
    "by=form-1",
    "search=OTHER",
    "pair=trc20%2Fusdt",
    "state=failed",
    "to=2026-01-01",
  ])
    assert.equal(await exported(query), 0, query);
  // The whole row leads to the payment.
  await page.getByRole("cell", { name: "₦16,000.00" }).click({ force: true });
  await page.getByText("Asked for").waitFor();
  await page.goto(`${desk.base}/exports`);
  await page.getByLabel("From").fill(day);
  await page.getByLabel("To").fill(day);
  await page.getByLabel("File").selectOption("csv");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export" }).click(),
  ]);
  const text = await readText(await file.createReadStream());
  assert.equal(file.suggestedFilename(), `payments-test-${day}-to-${day}.csv`);
  assert.match(text, /^created_at,refid,[^\n]*\r\n[^\n]*,ORDER1,completed,,16000,ngn,payer@example\.com,/);
});

/** Presses a key until it has its effect: none has before the page's script runs. */
const pressUntil = (page: Page, key: string, isDone: () => Promise<boolean>) =>
  until(`the key ${key} to have its effect`, async () => {
    if (await isDone()) return true;
    await page.keyboard.press(key);
    return false;
  });

/** Makes an address of its own for a customer, as a merchant's server does. */
async function generateWallet({ baseUrl, testKey }: Stack, customer: string): Promise<string> {
  const response = await fetch(`${baseUrl}/wallets/generate-wallet`, {
    method: "POST",
    headers: { "x-staging-api-key": testKey },
    body: new URLSearchParams({ network: "bep20", customer }),
  });
  assert.equal(response.status, 200);
  return ((await response.json()) as { data: { address: string } }).data.address;
}

test("a customer is reached by keyboard alone, and the money adds up", async ({ shop, desk, paid: _ }) => {
  const generated = await generateWallet(shop, CUSTOMER);
  const { page, shot } = await desk.tabOf("owner", DESKTOP);
  await page.goto(`${desk.base}/payments`);
  const sheet = page.getByRole("heading", { name: "Keyboard" });
  await pressUntil(page, "?", () => sheet.isVisible());
  await shot("console-keyboard");
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  // The two keys belong together for 1.5 seconds: a slow machine may need longer.
  await page.clock.setFixedTime(Date.now());
  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await page.getByRole("heading", { name: "Customers" }).waitFor();
  const search = page.getByRole("searchbox");
  await pressUntil(page, "/", () => search.evaluate((element) => element === document.activeElement));
  await page.keyboard.type("PAYER@exa");
  await page.keyboard.press("Enter");
  await page.waitForURL(/email=/);
  await page.getByRole("link", { name: `${FIRST_NAME} Payer` }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("row", { name: PAID }).waitFor();
  await page.getByText(generated).waitFor();
  await page.getByText("1 of 1").waitFor();
  await page.getByText("Paid in all").waitFor();
  await shot("console-customer");

  await page.getByRole("link", { name: "Money" }).click();
  await page.getByRole("row", { name: /\+10 USDT 10 USDT/ }).waitFor();
  await page.getByText("credited $10.00 USD and debited $0.00 USD").waitFor();
  await shot("console-money");
  await page.getByRole("link", { name: "Statements" }).click();
  await page.getByRole("row", { name: /Deposits 1 \+10 USDT/ }).waitFor();
  await page.getByText("make the ledger's closing balance").waitFor();
  await shot("console-statement");
});

test("a developer reads an event and sends it again, tests endpoints, and makes and revokes a key", async ({
  shop,
  desk,
  paid: _,
}) => {
  const { page, shot } = await desk.tabOf("owner", DESKTOP);
  await page.goto(`${desk.base}/developers`);
  await page.getByRole("link", { name: "payment_link_completed" }).click();
  await page.getByText('"payment_reference": "ORDER1"').waitFor();
  await expect(async () => {
    await page.reload();
    assert.equal(await page.getByText("Attempt 1: HTTP 204").count(), 1);
  }).toPass();
  await shot("console-event");
  await page.goto(`${desk.base}/developers`);
  await page.getByRole("button", { name: "Create a key" }).click();
  const key = (await page.getByTestId("shown-once").textContent()) ?? "";
  const statusOfKey = async () => {
    const headers = { "x-staging-api-key": key };
    return (await fetch(`${shop.baseUrl}/payment-links`, { headers })).status;
  };
  assert.equal(await statusOfKey(), 200);
  await page.getByLabel("URL of another endpoint").fill("http://127.0.0.1:1/");
  await page.getByRole("button", { name: "Add an endpoint" }).click();
  await page.getByText(/^Enter an http or https URL/).waitFor();
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("The endpoint accepted the test request.").waitFor();
  assert.equal(shop.webhooks.filter(({ type }) => type === "webhook_test").length, 1);
  const again = page.getByRole("button", { name: /^Send again: evt_/ }).first();
  const event = (await again.getAttribute("aria-label"))?.split(" ").at(-1);
  const arrived = () => shop.webhooks.filter(({ id }) => id === event).length;
  await until("the event to arrive", () => arrived() === 1);
  await again.click();
  await page.getByText("The event is being sent again.").waitFor();
  await until("the event to arrive again", () => arrived() >= 2);
  await shot("console-developers");
  await page.getByRole("link", { name: `Revoke the key ${key.slice(-4)}` }).click();
  await page.getByRole("button", { name: "Revoke it now" }).click();
  await until("the key to end", async () => (await statusOfKey()) === 401);
});
