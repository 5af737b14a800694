/** The parts of every page of the console: where it opens, what a refusal keeps, what a dangerous button asks. */
import assert from "node:assert/strict";
import { DESKTOP, PHONE } from "#tests/support/console.ts";
import { holdScripts } from "#tests/support/hold-scripts.ts";
import { expect, test } from "./fixtures.ts";

test("a page opens at its top, also where the list of pages is long", async ({ desk }) => {
  const { page } = await desk.tabOf("operator", { viewport: { width: 1280, height: 400 } });
  const operator = `${desk.origin}/console/operator`;
  for (const url of [`${desk.base}/developers`, `${desk.base}/settings`, `${operator}/audit`]) {
    await page.goto(url);
    assert.equal(await page.evaluate(() => window.scrollY), 0, url);
  }
});

test("a refused link keeps what was typed, and an amount may have a comma", async ({ desk }) => {
  const { page } = await desk.tabOf("cashier", DESKTOP);
  await page.goto(`${desk.base}/new`);
  const typed = {
    Amount: "1,000",
    Reference: "ORDER7",
    Description: "Two tickets",
    "Customer's e-mail address": "ada@example.com",
    "First name": "Ada",
    "Last name": "Obi",
  };
  for (const [label, text] of Object.entries(typed)) await page.getByLabel(label).fill(text);
  await page.getByLabel("Currency").selectOption("ngn");
  await page.getByLabel("Time to pay").selectOption("72");
  await page.getByRole("button", { name: "Create the link" }).click();
  await page.getByText(/^Enter an amount above 0/).waitFor();
  for (const [label, text] of Object.entries(typed)) await expect(page.getByLabel(label)).toHaveValue(text);
  await expect(page.getByLabel("Currency")).toHaveValue("ngn");
  await expect(page.getByLabel("Time to pay")).toHaveValue("72");
  await page.getByLabel("Amount").fill("25,50");
  await page.getByRole("button", { name: "Create the link" }).click();
  await page.getByRole("heading", { name: "₦25.50" }).waitFor();
  await page.getByText("Not started").waitFor();
});

test("a key appears in its list at once, and is revoked on a page that says when it was used", async ({
  shop,
  desk,
}) => {
  const { page, shot } = await desk.tabOf("owner", DESKTOP);
  await page.goto(`${desk.base}/developers`);
  await page.getByLabel("URL of another endpoint").fill("http://127.0.0.1:1/");
  await page.getByRole("button", { name: "Add an endpoint" }).click();
  await page.getByText(/^Enter an http or https URL/).waitFor();
  await expect(page.getByLabel("URL of another endpoint")).toHaveValue("http://127.0.0.1:1/");
  await page.getByLabel("Name of the new key").fill("Checkout of the shop");
  await page.getByRole("button", { name: "Create a key" }).click();
  const key = (await page.getByTestId("shown-once").textContent()) ?? "";
  const row = page.getByRole("listitem").filter({ hasText: `…${key.slice(-4)}` });
  await row.getByText("Checkout of the shop").waitFor();
  const use = (text: string) =>
    fetch(`${shop.baseUrl}/payment-links`, { headers: { "x-staging-api-key": text } });
  assert.equal((await use(key)).status, 200);
  await page.getByRole("link", { name: `Revoke the key ${key.slice(-4)}` }).click();
  await page.getByRole("heading", { name: `Revoke the key …${key.slice(-4)}?` }).waitFor();
  await page.getByText(/^Last used/).waitFor();
  await shot("console-revoke-key");
  await page.getByRole("button", { name: "Replace it" }).click();
  const next = (await page.getByTestId("shown-once").textContent()) ?? "";
  assert.deepEqual([(await use(key)).status, (await use(next)).status], [200, 200]);
  await page.getByRole("button", { name: "Revoke it now" }).click();
  await page.getByText("The key is revoked.").waitFor();
  assert.deepEqual([(await use(key)).status, (await use(next)).status], [401, 200]);
  await row.waitFor({ state: "detached" });
});

test("a form that needs the page's script sends nothing before it runs, and keeps what was typed", async ({
  shop,
  desk,
}) => {
  const { page, userId } = await desk.tabOf("owner", DESKTOP);
  const { pool } = shop.db.database;
  // The page of a person with a password has one more form.
  await pool.query("update users set password_hash = 'none' where id = $1", [userId]);
  const release = await holdScripts(page);
  const open = (url: string) => page.goto(url, { waitUntil: "domcontentloaded" });
  const isOff = (name: string) => expect(page.getByRole("button", { name, exact: true })).toBeDisabled();
  await open(`${desk.origin}/console/account`);
  for (const name of ["Add a passkey", "Make recovery codes"]) await isOff(name);
  await open(`${desk.base}/members`);
  await isOff("Make an invitation");
  const url = `${desk.base}/developers`;
  await open(url);
  for (const name of ["Create a key", "Make a plugin's key", "Add an endpoint"]) await isOff(name);
  const name = page.getByLabel("Name of the new key");
  await name.fill("Early till");
  await name.press("Enter");
  release();
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByTestId("shown-once").waitFor();
  await page.getByRole("listitem").filter({ hasText: "Early till" }).waitFor();
  assert.equal(page.url(), url, "nothing was sent as a query");
});

test("an endpoint has its own events, and is removed where one can also turn it off", async ({
  shop,
  desk,
}) => {
  const { page, shot } = await desk.tabOf("owner", DESKTOP);
  await page.goto(`${desk.base}/developers`);
  const change = page.getByRole("link", { name: /^Change the endpoint/ }).first();
  await change.click();
  await page.getByRole("heading", { name: "Remove this endpoint?" }).waitFor();
  await page.getByText("Newest delivery").waitFor();
  await page.getByLabel("URL").fill("http://127.0.0.1:1/refused");
  await page.getByLabel("These only").check();
  await page.getByLabel("deposit_credited").check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(/^Enter an http or https URL/).waitFor();
  await expect(page.getByLabel("URL")).toHaveValue("http://127.0.0.1:1/refused");
  await expect(page.getByLabel("deposit_credited")).toBeChecked();
  await page.getByLabel("URL").fill("https://example.com/hook");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The endpoint is saved.").waitFor();
  await expect(page.getByLabel("URL")).toHaveValue("https://example.com/hook");
  await expect(page.getByLabel("These only")).toBeChecked();
  await shot("console-remove-endpoint");
  await page.getByRole("button", { name: "Turn it off instead" }).click();
  await page.getByText("Off", { exact: true }).waitFor();
  await page.goto(`${desk.base}/developers`);
  await page.getByText("1 event: deposit_credited").waitFor();
  await change.click();
  await page.getByRole("button", { name: "Remove it" }).click();
  await page.getByText("The endpoint is removed.").waitFor();
  const { rows } = await shop.db.database.pool.query(
    "select count(*)::int as n from webhook_endpoints where merchant_id = $1 and env = 'test' and removed_at is null",
    [desk.merchantId],
  );
  assert.equal(rows[0].n, 0);
});

test("an invitation appears at once, and a member is removed on a page of its own", async ({ desk }) => {
  const { userId } = await desk.tabOf("cashier");
  const { page, shot } = await desk.tabOf("owner", DESKTOP);
  await page.goto(`${desk.base}/members`);
  const email = `grace-${userId}@example.com`;
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Make an invitation" }).click();
  await page.getByRole("button", { name: `Withdraw the invitation of ${email}` }).waitFor();
  await expect(page.getByRole("option", { name: "remove" })).toHaveCount(0);
  await page.getByRole("link", { name: "Remove cashier" }).click();
  await page.getByRole("heading", { name: "Remove cashier?" }).waitFor();
  await shot("console-remove-member");
  await page.getByRole("button", { name: "Remove them" }).click();
  await page.getByText("This person no longer works here.").waitFor();
  await expect(page.getByRole("link", { name: "Remove cashier" })).toHaveCount(0);
});

test("Live and Test lead to the same page, and come before the pages", async ({ desk }) => {
  const { page } = await desk.tabOf("owner", DESKTOP);
  await page.goto(`${desk.base}/money/withdrawals`);
  const live = page.getByRole("link", { name: "Live", exact: true });
  const [first, second] = await Promise.all([
    live.boundingBox(),
    page.getByRole("link", { name: "Overview" }).boundingBox(),
  ]);
  assert.ok(first !== null && second !== null && first.y < second.y, "below the pages");
  await live.click();
  await page.waitForURL(/\/live\/money\/withdrawals$/);
});

test("a person whose session has ended comes back to the page after signing in", async ({ shop, desk }) => {
  const { page, token, userId } = await desk.tabOf("owner", DESKTOP);
  const wanted = `${desk.base}/payments?state=completed`;
  await page.goto(wanted);
  const former = await page.context().cookies();
  await page.context().clearCookies();
  await page.goto(wanted);
  await page.waitForURL(/\/sign-in\?back=/);
  const back = await page.locator("input[name=back]").first().getAttribute("value");
  assert.equal(back, new URL(wanted).pathname + new URL(wanted).search);
  await page.getByLabel("E-mail address").fill(`nobody-${userId}@example.com`);
  await page.getByLabel("Password").fill("a wrong password of nobody");
  await page.getByLabel("Code").fill("000000");
  await page.getByRole("button", { name: "Sign in with a password" }).click();
  await page.getByText(/^The e-mail address, the password or the code is wrong/).waitFor();
  await expect(page.getByLabel("E-mail address")).toHaveValue(`nobody-${userId}@example.com`);
  await expect(page.getByLabel("Password")).toHaveValue("");
  assert.equal(await page.locator("input[name=back]").first().getAttribute("value"), back);
  assert.ok(former.some(({ value }) => value === token) && shop.merchantId === desk.merchantId);
  await page.context().addCookies(former);
  // A person who is signed in already does not sign in again.
  await page.goto(page.url());
  await page.waitForURL(wanted);
});

test("a phone shows payments before more filters, and names next to values in the audit log", async ({
  shop,
  desk,
}) => {
  await shop.createLink();
  const { page } = await desk.tabOf("owner", PHONE);
  await page.goto(`${desk.base}/payments`);
  const state = page.getByLabel("State");
  assert.equal(await state.isVisible(), false);
  const row = await page.locator("tbody tr").first().boundingBox();
  assert.ok(row !== null && row.y + row.height <= PHONE.viewport.height, JSON.stringify(row));
  await page.getByText("More filters").click();
  await state.selectOption("open");
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL(/state=open/);
  // A filter in use is shown.
  await expect(state).toBeVisible();
  await page.goto(`${desk.base}/settings/audit`);
  const [name, value] = await page.evaluate(() =>
    ["main dt", "main dd"].map((part) => document.querySelector(part)?.getBoundingClientRect().toJSON()),
  );
  assert.ok(value.top === name.top && value.left > name.left, JSON.stringify([name, value]));
});

test("a computer shows every filter of the payments at once, and at 200 % zoom every amount", async ({
  shop,
  desk,
}) => {
  await shop.createLink();
  const { page } = await desk.tabOf("owner", DESKTOP);
  await page.goto(`${desk.base}/payments`);
  assert.ok(await page.getByLabel("State").isVisible());
  assert.equal(await page.getByText("More filters").isVisible(), false);
  for (const width of [640, 768]) {
    await page.setViewportSize({ width, height: 450 });
    const hidden = await page
      .locator("table")
      .evaluate(({ scrollWidth, parentElement }) => scrollWidth - (parentElement?.clientWidth ?? 0));
    assert.ok(hidden <= 0, `${hidden} px of the table are beyond its edge at ${width} px`);
  }
});
