/** The page shows the right status whatever happens to its connection, its computer or its clock. */
import assert from "node:assert/strict";
import type { Page } from "@playwright/test";
import { readCode } from "#tests/support/page-looks.ts";
import { expect, payInFull, test } from "./fixtures.ts";

const HOUR = 3_600_000;
/** As sharp as a phone's screen: some codes with an amount cannot be read from a coarser picture. */
const SHARP = { deviceScaleFactor: 2 };
const installClock = (page: Page) => page.clock.install();

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

/** False for the announcement of the choice that the payer made before, which may come after `listen`. */
const isNotChoice = (text: string) => !text.startsWith("Send your payment.");

/** Advances the page's own (installed) clock by this many seconds. Each timer may set the next one. */
async function pass(page: Page, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) await page.clock.runFor(1_000);
}

const remaining = async (page: Page) => {
  const text = (await page.getByRole("timer").first().textContent()) ?? "";
  return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
};

test("shows the end of the payment although the socket is cut again and again", async ({ shop, choose }) => {
  const open = new Set<() => Promise<void>>();
  const { asked, waitForTitle } = await choose(undefined, {
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
  await shop.pay(asked.address, asked.amount);
  await shop.mine();
  await cut();
  await waitForTitle("Payment received");
  await cut();
  await shop.mine(2);
  await waitForTitle("Payment complete");
});

test("keeps the page when the network cuts a refresh, and catches up later", async ({ shop, choose }) => {
  const payer = await choose();
  const { page, url } = payer;
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
  await shop.pay(payer.asked.address, payer.asked.amount);
  await shop.mine(3);
  // Each is tried again after up to 8 seconds: together they need most of the time that a title has.
  await expect.poll(() => cut, { timeout: 60_000 }).toBe(3);
  await payer.waitForTitle("Payment complete");
  assert.equal(cut, 3);
  assert.ok(await page.evaluate(() => "same" in window), "the page was left and loaded again");
});

test("shows that it is disconnected, keeps its content, and recovers by itself", async ({ shop, choose }) => {
  const { page, asked, refid, ...checkout } = await choose();
  const said = await listen(page);
  await page.context().setOffline(true);
  await checkout.waitForText(/^No connection\./);
  assert.deepEqual(await checkout.ask(), asked);
  await checkout.shot("out-of-touch");
  await shop.pay(asked.address, asked.amount);
  await shop.mine(3);
  await shop.waitForState(refid, "completed");
  await page.context().setOffline(false);
  await checkout.waitForTitle("Payment complete");
  await page.getByText(/^No connection\./).waitFor({ state: "detached" });
  await expect.poll(async () => (await said()).join("\n")).toMatch(/Payment complete\./);
  const [first = ""] = (await said()).filter(isNotChoice);
  assert.match(first, /^No connection\./);
});

test("shows a payment that arrives and confirms while the computer sleeps", async ({ shop, choose }) => {
  const { page, asked, refid, waitForTitle } = await choose();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
  await shop.pay(asked.address, asked.amount);
  await shop.mine(3);
  await shop.waitForState(refid, "completed");
  await devtools.send("Page.setWebLifecycleState", { state: "active" });
  await waitForTitle("Payment complete");
});

for (const hours of [-7, 9]) {
  const clock = `${Math.abs(hours)} hours ${hours < 0 ? "slow" : "fast"}`;
  test(`shows the right time left with a visitor's clock ${clock}`, async ({ shop, choose }) => {
    const began = Date.now();
    const deadline = new Date(began + HOUR);
    const payer = await choose(
      { expires_at: deadline.toISOString() },
      { prepare: (page) => page.clock.setSystemTime(Date.now() + hours * HOUR) },
    );
    const { page } = payer;
    const wrong = (await page.evaluate(() => Date.now())) - Date.now();
    assert.ok(Math.abs(wrong - hours * HOUR) < 60_000);
    const shown = await remaining(page);
    const now = Date.now();
    const left = (deadline.getTime() - now) / 1_000;
    // The page counts from when it has the answer, which a slow machine delays.
    const delay = (now - began) / 1_000;
    assert.ok(Math.abs(shown - left) < 2 + delay, `${shown} s shown, ${left} s left, after ${delay} s`);
    await payInFull(shop, payer);
  });
}

test("announces the time left at its milestones only", async ({ choose }) => {
  // The installed clock runs by itself too: a slow machine needs a part of the first two minutes.
  const deadline = new Date(Date.now() + 7 * 60_000);
  const { page } = await choose({ expires_at: deadline.toISOString() }, { prepare: installClock });
  const said = await listen(page);
  // The socket, too, counts by the clock that is moved: its loss may be announced.
  const timesLeft = async () => (await said()).filter((text) => text.includes("left to pay"));
  await page.clock.runFor(10_000);
  assert.deepEqual(await timesLeft(), []);
  await page.clock.runFor(120_000);
  // The page draws in turns of its own, which the installed clock does not wait for.
  await expect.poll(timesLeft).toEqual(["5 minutes left to pay."]);
});

test("renews an expired price live: shows both amounts, announces it once, keeps the focus", async ({
  shop,
  choose,
}) => {
  const { page, refid, ...checkout } = await choose(undefined, SHARP);
  const said = await listen(page);
  await page.getByRole("button", { name: "Copy the amount" }).focus();
  const { pool } = shop.db.database;
  await pool.query("update merchants set fixed_rates = 'usdt/ngn=1500' where id = $1", [shop.merchantId]);
  // A new version lets the open page read when its price ends.
  await pool.query(
    `with link as (update payment_links set version = version + 1 where refid = $1 returning *),
       price as (update quotes set valid_until = now() + interval '3 seconds'
         from link where payment_link_id = link.id)
     select pg_notify('paylink_links', concat_ws(':', refid, version, merchant_id, env)) from link`,
    [refid],
  );
  const renewed = "The price was renewed. Send 10.67 USDT now instead of 10.00 USDT.";
  await checkout.waitForText(renewed);
  assert.equal((await checkout.ask()).amount, "10.67");
  await expect(page.locator("#copy-amount")).toBeFocused();
  await expect.poll(async () => (await said()).filter((text) => text.includes(renewed)).length).toBe(1);
  await checkout.shot("renewed");
  await page.getByText("Other ways to pay").click();
  const code = page.getByRole("img", { name: "QR code to pay 10.67 USDT" });
  assert.match(readCode(await code.screenshot()) ?? "", /&uint256=10670000000000000000$/);
});

test("moves the focus to the heading, not to the top of the page, when the focused element is removed", async ({
  shop,
  choose,
}) => {
  const { page, asked, waitForTitle } = await choose();
  const said = await listen(page);
  await page.getByRole("button", { name: "Copy the address" }).focus();
  await shop.pay(asked.address, asked.amount);
  await shop.mine();
  await waitForTitle("Payment received");
  await expect(page.locator("#status")).toBeFocused();
  const last = async () => (await said()).at(-1) ?? "";
  await expect.poll(last).toMatch(/^Payment received\. There is nothing more to do\./);
});

test("copies amount and address exactly, shows and announces it; a selection contains no spaces", async ({
  choose,
}) => {
  const permissions = ["clipboard-read", "clipboard-write"];
  const { page, asked } = await choose(undefined, { permissions });
  const said = await listen(page);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const amount = page.getByRole("button", { name: "Copy the amount" });
  await amount.click();
  await amount.getByText("Copied").waitFor();
  assert.equal(await clipboard(), asked.amount);
  await page.getByRole("button", { name: "Copy the address" }).click();
  const copied = async () => (await said()).filter(isNotChoice);
  await expect.poll(copied).toEqual(["Amount copied.", "Address copied."]);
  assert.equal(await clipboard(), asked.address);
  await page.getByTestId("address").click();
  assert.equal(await page.evaluate(() => getSelection()?.toString()), asked.address);
});

test("a press on the code copies the address, and says so", async ({ choose }) => {
  const permissions = ["clipboard-read", "clipboard-write"];
  const { page, asked } = await choose(undefined, { permissions });
  const said = await listen(page);
  await page.getByRole("button", { name: "QR code of the USDT address" }).click();
  await page.locator("main p:not([role])", { hasText: "Address copied." }).waitFor();
  await expect.poll(async () => (await said()).filter(isNotChoice)).toEqual(["Address copied."]);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), asked.address);
});

test("folds a token's code with the amount, with a warning, also without JavaScript", async ({ choose }) => {
  const { page, asked, scanQr } = await choose(undefined, { ...SHARP, javaScriptEnabled: false });
  assert.equal(await scanQr(), asked.address);
  const warning = page.getByText("MetaMask and AlphaWallet read this code.");
  assert.equal(await warning.isVisible(), false);
  await page.getByText("Other ways to pay").click();
  await warning.waitFor();
  assert.match(
    readCode(await page.getByRole("img", { name: "QR code to pay 10.00 USDT" }).screenshot()) ?? "",
    new RegExp(`^ethereum:0x[0-9a-fA-F]{40}@97/transfer\\?address=${asked.address}&uint256=1e?[0-9]+$`),
  );
});

test("redirects to the shop after a completion seen live, unless the customer stays", async ({
  shop,
  choose,
  visit,
}) => {
  const leaving = await choose(undefined, { prepare: installClock });
  const staying = await choose(undefined, { prepare: installClock });
  const said = await listen(leaving.page);
  await payInFull(shop, staying);
  await staying.page.getByRole("button", { name: "Stay here" }).click();
  // A running clock would show the first number for a second only.
  await leaving.page.clock.pauseAt(Date.now() + 10_000);
  await payInFull(shop, leaving);
  await leaving.page.getByRole("link", { name: "Continue to Kaduna Coffee" }).getByText("20 s").waitFor();
  const last = async () => (await said()).at(-1) ?? "";
  await expect.poll(last).toMatch(/in 20 seconds\. Press “Stay here” to cancel\./);
  await pass(leaving.page, 21);
  await leaving.page.waitForURL(`${shop.merchantUrl}/success`);
  await pass(staying.page, 30);
  assert.equal(await staying.title(), "Payment complete");
  const later = await visit(leaving.url, { prepare: installClock });
  await pass(later.page, 30);
  assert.equal(await later.title(), "Payment complete");
});

test("prints a paid page as one sheet of A4 or Letter with everything that a receipt needs", async ({
  shop,
  choose,
}) => {
  const payer = await choose();
  const { page, asked, refid, shot } = payer;
  const hash = await payInFull(shop, payer);
  // The countdown would lead to the shop before everything is read.
  await page.getByRole("button", { name: "Stay here" }).click();
  for (const format of ["A4", "Letter"]) {
    const sheet = (await page.pdf({ format })).toString("latin1");
    assert.equal(sheet.match(/\/Type\s*\/Page\b/g)?.length, 1, format);
  }
  // The style sheet cannot unfold anything in browsers before 2025.
  const transaction = page.getByText(hash);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await transaction.isVisible(), true, "paper shows the folded transaction");
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await transaction.isVisible(), false, "the screen is as before");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const text = (await page.locator("body").textContent()) ?? "";
  for (const wanted of [
    ...["Kaduna Coffee", "₦16,000.00", "ORDER1", refid, "10.00 USDT", "1 USDT = ₦1,600.00"],
    ...[asked.address, hash, "BNB Smart Chain (BEP20)"],
  ]) {
    assert.ok(text.includes(wanted), `${wanted} is not on the receipt:\n${text}`);
  }
  assert.match(text, /Completed\w+ \d{1,2}, \d{4} at \d{1,2}:\d{2}:\d{2} [AP]M UTC/);
  for (const idle of ["Print or save", "Continue to Kaduna Coffee", "Français", "Show in"]) {
    assert.equal(await page.getByText(idle).or(page.getByLabel(idle)).first().isVisible(), false, idle);
  }
  const proof = page.getByRole("img", { name: "Scan to check this receipt" });
  assert.ok(await proof.isVisible(), "paper shows the folded code");
  const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(paper, "rgb(255, 255, 255)", "dark ink costs dark paper");
  await shot("receipt");
});
