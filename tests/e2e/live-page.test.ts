import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright";
import { openBrowser } from "#tests/support/browser.ts";
import { type CheckoutPage, checkoutPage } from "#tests/support/checkout-page.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";

/** The page shows the right status whatever happens to its connection, its computer or its clock. */

const BEP20 = "USDT BNB Smart Chain (BEP20)";
const HOUR = 3_600_000;

let stack: Stack;
let browser: Browser;

before(async () => {
  stack = await startStack();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await stack?.close();
});

/** A new visitor who has chosen the network. `prepare` runs on the page before it loads. */
async function awaitingPage(
  options: {
    fields?: Record<string, string>;
    context?: BrowserContextOptions;
    prepare?: (page: Page) => Promise<unknown>;
  } = {},
) {
  const link = await stack.createLink(options.fields);
  const context = await browser.newContext(options.context);
  const page = await context.newPage();
  await options.prepare?.(page);
  await page.goto(link.url);
  const checkout = checkoutPage(page);
  await checkout.choose(BEP20);
  return { ...link, checkout, page, ask: await checkout.ask() };
}

/** Everything that the live region announces from now on, in order. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const region = document.querySelector('[role="status"]');
    if (region === null) throw new Error("no live region");
    new MutationObserver(() => said.push(region.textContent ?? "")).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said);
}

/** Advances the page's own (installed) clock by this many seconds. Each timer may set the next one. */
async function pass(page: Page, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) await page.clock.runFor(1_000);
}

const remaining = async (page: Page) => {
  const text = (await page.getByRole("timer").first().textContent()) ?? "";
  return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
};

async function payAndComplete({
  checkout,
  ask,
}: {
  checkout: CheckoutPage;
  ask: { address: string; amount: string };
}) {
  await stack.pay(ask.address, ask.amount);
  await stack.mine(3);
  await checkout.waitForTitle("Payment complete");
}

test("shows the end of the payment although the socket is cut again and again", async () => {
  const open = new Set<() => Promise<void>>();
  const { checkout, ask } = await awaitingPage({
    prepare: (page) =>
      page.routeWebSocket(/\/realtime/, (socket) => {
        const server = socket.connectToServer();
        open.add(async () => {
          await server.close();
          await socket.close({ code: 1001 });
        });
      }),
  });
  const cut = async () => {
    const all = [...open];
    open.clear();
    await Promise.all(all.map((close) => close()));
  };
  await cut();
  await stack.pay(ask.address, ask.amount);
  await stack.mine();
  await cut();
  await checkout.waitForTitle("Payment received");
  await cut();
  await stack.mine(2);
  await checkout.waitForTitle("Payment complete");
});

test("keeps the page when the network cuts a refresh, and catches up later", async () => {
  const { checkout, page, ask, url } = await awaitingPage();
  let cut = 0;
  await page.route(
    (address) => address.pathname === new URL(url).pathname,
    async (route) => {
      if (cut >= 3 || !("rsc" in route.request().headers())) return route.continue();
      cut += 1;
      await route.abort("connectionreset");
    },
  );
  await page.evaluate(() => Object.assign(window, { same: true }));
  await payAndComplete({ checkout, ask });
  assert.equal(cut, 3);
  assert.ok(await page.evaluate(() => "same" in window), "the page was left and loaded again");
});

test("shows that it is disconnected, keeps its content, and recovers by itself", async () => {
  const { checkout, page, ask, refid } = await awaitingPage();
  const said = await listen(page);
  await page.context().setOffline(true);
  await checkout.waitForText(/^No connection\./);
  assert.deepEqual(await checkout.ask(), ask);
  await checkout.shot("out-of-touch");
  await stack.pay(ask.address, ask.amount);
  await stack.mine(3);
  await stack.waitForState(refid, "completed");
  await page.context().setOffline(false);
  await checkout.waitForTitle("Payment complete");
  await page.getByText(/^No connection\./).waitFor({ state: "detached" });
  const words = (await said()).join("\n");
  assert.match(words, /^No connection\..*/);
  assert.match(words, /Payment complete\./);
});

test("shows a payment that arrives and confirms while the computer sleeps", async () => {
  const { checkout, page, ask, refid } = await awaitingPage();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
  await stack.pay(ask.address, ask.amount);
  await stack.mine(3);
  await stack.waitForState(refid, "completed");
  await devtools.send("Page.setWebLifecycleState", { state: "active" });
  await checkout.waitForTitle("Payment complete");
});

for (const hours of [-7, 9]) {
  test(`shows the right time left with a visitor's clock ${Math.abs(hours)} hours ${hours < 0 ? "slow" : "fast"}`, async () => {
    const deadline = new Date(Date.now() + HOUR);
    const { checkout, page, ask } = await awaitingPage({
      fields: { expires_at: deadline.toISOString() },
      prepare: (page) => page.clock.setSystemTime(Date.now() + hours * HOUR),
    });
    const wrong = (await page.evaluate(() => Date.now())) - Date.now();
    assert.ok(Math.abs(wrong - hours * HOUR) < 60_000);
    const left = (deadline.getTime() - Date.now()) / 1_000;
    assert.ok(
      Math.abs((await remaining(page)) - left) < 3,
      `${await remaining(page)} s shown, ${left} s left`,
    );
    await payAndComplete({ checkout, ask });
  });
}

test("announces the time left at its milestones only", async () => {
  const deadline = new Date(Date.now() + 5 * 60_000 + 30_000);
  const { page } = await awaitingPage({
    fields: { expires_at: deadline.toISOString() },
    prepare: (page) => page.clock.install(),
  });
  const said = await listen(page);
  await page.clock.runFor(20_000);
  assert.deepEqual(await said(), []);
  await page.clock.runFor(20_000);
  assert.deepEqual(await said(), ["5 minutes left to pay."]);
});

test("renews an expired price live: shows both amounts, announces it once, keeps the focus", async () => {
  const { page, refid, checkout } = await awaitingPage();
  await stack.db.database.pool.query("update merchants set fixed_rates = 'usdt/ngn=1500'");
  await stack.db.database.pool.query(
    `update quotes set valid_until = now() + interval '4 seconds'
     where payment_link_id = (select id from payment_links where refid = $1)`,
    [refid],
  );
  await page.reload();
  const said = await listen(page);
  await page.getByRole("button", { name: "Copy the amount" }).focus();
  const renewed = "The price was renewed. Send 10.666667 USDT now instead of 10 USDT.";
  await checkout.waitForText(renewed);
  assert.equal((await checkout.ask()).amount, "10.666667");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "copy-amount");
  await until("the renewal to be said", async () => (await said()).length > 0);
  assert.equal((await said()).filter((text) => text.includes(renewed)).length, 1);
  await checkout.shot("renewed");
  await page.getByText("With amount").click();
  assert.match(await checkout.scanQr(), /&uint256=10666667000000000000$/);
  await stack.db.database.pool.query("update merchants set fixed_rates = null");
});

test("moves the focus to the heading, not to the top of the page, when the focused element is removed", async () => {
  const { page, checkout, ask } = await awaitingPage();
  const said = await listen(page);
  await page.getByRole("button", { name: "Copy the address" }).focus();
  await stack.pay(ask.address, ask.amount);
  await stack.mine();
  await checkout.waitForTitle("Payment received");
  await until("the focus", () => page.evaluate(() => document.activeElement?.id === "status"));
  assert.match((await said()).at(-1) ?? "", /^Payment received\. There is nothing more to do\./);
});

test("copies amount and address exactly, shows and announces it; a selection contains no spaces", async () => {
  const { page, ask } = await awaitingPage({
    context: { permissions: ["clipboard-read", "clipboard-write"] },
  });
  const said = await listen(page);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const amount = page.getByRole("button", { name: "Copy the amount" });
  await amount.click();
  await amount.getByText("Copied").waitFor();
  assert.equal(await clipboard(), ask.amount);
  await page.getByRole("button", { name: "Copy the address" }).click();
  await until("the second to be said", async () => (await said()).length === 2);
  assert.equal(await clipboard(), ask.address);
  assert.deepEqual(await said(), ["Amount copied.", "Address copied."]);
  await page.getByTestId("address").click();
  assert.equal(await page.evaluate(() => getSelection()?.toString()), ask.address);
});

test("switches a token's code to the amount and back, with a warning, also without JavaScript", async () => {
  const { page, checkout, ask } = await awaitingPage({ context: { javaScriptEnabled: false } });
  assert.equal(await checkout.scanQr(), ask.address);
  const warning = page.getByText("MetaMask and AlphaWallet read this code.");
  assert.equal(await warning.isVisible(), false);
  await page.getByText("With amount").click();
  await warning.waitFor();
  assert.match(
    await checkout.scanQr(),
    new RegExp(`^ethereum:0x[0-9a-fA-F]{40}@97/transfer\\?address=${ask.address}&uint256=1e?[0-9]+$`),
  );
  await page.getByText("Address only").click();
  assert.equal(await checkout.scanQr(), ask.address);
});

test("redirects to the shop after a completion seen live, unless the customer stays", async () => {
  const leaving = await awaitingPage({ prepare: (page) => page.clock.install() });
  const staying = await awaitingPage({ prepare: (page) => page.clock.install() });
  const said = await listen(leaving.page);
  await payAndComplete(staying);
  await staying.page.getByRole("button", { name: "Stay here" }).click();
  await payAndComplete(leaving);
  await leaving.checkout.waitForText(/^Taking you back to Kaduna Coffee in/);
  assert.match((await said()).at(-1) ?? "", /in 20 seconds\. Press “Stay here” to cancel\./);
  await pass(leaving.page, 21);
  await leaving.page.waitForURL(`${stack.merchantUrl}/success`);
  await pass(staying.page, 30);
  assert.equal(await staying.checkout.title(), "Payment complete");
  const opened = await (await browser.newContext()).newPage();
  await opened.clock.install();
  await opened.goto(leaving.url);
  await pass(opened, 30);
  assert.equal(await checkoutPage(opened).title(), "Payment complete");
});

test("prints a paid page as one sheet of A4 or Letter with everything that a receipt needs", async () => {
  const { checkout, page, ask, refid } = await awaitingPage();
  await payAndComplete({ checkout, ask });
  for (const format of ["A4", "Letter"]) {
    const sheet = (await page.pdf({ format })).toString("latin1");
    assert.equal(sheet.match(/\/Type\s*\/Page\b/g)?.length, 1, format);
  }
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const text = (await page.locator("body").textContent()) ?? "";
  const link = await stack.getLink(refid);
  const [payment] = link.payments as { tx_hash: string }[];
  for (const wanted of [
    "Kaduna Coffee",
    "₦16,000.00 NGN",
    "ORDER1",
    refid,
    "10 USDT",
    "1 USDT = ₦1,600.00 NGN",
    ask.address,
    payment?.tx_hash ?? "no payment",
    "BNB Smart Chain (BEP20)",
  ]) {
    assert.ok(text.includes(wanted), `${wanted} is not on the receipt:\n${text}`);
  }
  assert.match(text, /Completed\w+ \d{1,2}, \d{4} at \d{1,2}:\d{2}:\d{2} [AP]M UTC/);
  for (const idle of ["Print or save", "Continue to Kaduna Coffee", "Français", "Progress"]) {
    assert.equal(await page.getByText(idle).or(page.getByLabel(idle)).first().isVisible(), false, idle);
  }
  const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(paper, "rgb(255, 255, 255)", "dark ink costs dark paper");
  await checkout.shot("receipt", { axe: false });
});

test("shows an unwatched network on every page, with a socket or without", async () => {
  const nudged = await awaitingPage();
  const alone = await awaitingPage({
    prepare: async (page) => {
      await page.routeWebSocket(/\/realtime/, (socket) => socket.close());
      // The page chooses this time first.
      await page.addInitScript(() => Object.assign(Math, { random: () => 0 }));
    },
  });
  // No watcher runs any more, and the last pass was long ago.
  await stack.server().stop();
  Object.assign(stack.env, { ROLES: "web" });
  await stack.startServer();
  const lookedAt = (since: string) =>
    stack.db.database.pool.query(`update watch_cursors set pass_started_at = now() - interval '${since}'`);
  const unwatchedNote = ({ page }: { page: Page }) => page.getByText("We cannot see BNB Smart Chain").first();
  await lookedAt("2 minutes");
  for (const visit of [nudged, alone]) await unwatchedNote(visit).waitFor({ timeout: 30_000 });
  await lookedAt("1 second");
  for (const visit of [nudged, alone])
    await unwatchedNote(visit).waitFor({ state: "detached", timeout: 30_000 });
});
