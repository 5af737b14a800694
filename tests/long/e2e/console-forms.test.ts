/** Forms, buttons and points of sale in the console: what a manager makes there is what customers and counters get. */
import assert from "node:assert/strict";
import { expect, test } from "#tests/e2e/fixtures.ts";
import { DESKTOP, PHONE } from "#tests/support/console.ts";
import { holdScripts } from "#tests/support/hold-scripts.ts";

test("a manager makes a form, shares it, sells on a counter, and closes it", async ({
  shop,
  desk,
  visit,
}) => {
  const { page, shot } = await desk.tabOf("manager", DESKTOP);
  await page.goto(`${desk.base}/forms`);
  await page.getByText("Make the first one.").waitFor();
  await page.getByRole("link", { name: "New form" }).click();
  const preview = page.getByRole("region", { name: "Preview" });
  await page.getByLabel("What is sold").fill("Coffee <b>beans</b>");
  await preview.getByText("Coffee <b>beans</b>").waitFor();
  await page.getByLabel("Amount", { exact: true }).fill("16000");
  await preview.getByText("16000 NGN").waitFor();
  await page.getByLabel("Questions of your own").fill("Size");
  await page.getByText("Stock, limits").click();
  await page.getByLabel("Stock", { exact: true }).fill("many");
  await page.getByRole("button", { name: "Save the form" }).click();
  await page.getByRole("alert").filter({ hasText: "Enter a number from 0 to 100,000." }).waitFor();
  assert.equal(await page.getByLabel("What is sold").inputValue(), "Coffee <b>beans</b>");
  await shot("console-form-new");
  await page.getByLabel("Stock", { exact: true }).fill("2");
  await page.getByRole("button", { name: "Save the form" }).click();
  await page.getByText("The form is saved.").waitFor();
  await shot("console-form");
  const url = (await page.getByRole("link", { name: "Open the page" }).getAttribute("href")) ?? "";
  const snippet = await page.getByTestId("snippet").textContent();
  assert.ok(snippet?.includes(`href="${url}"`) && snippet.includes("/checkout.js"), snippet ?? "");

  // A customer buys one, then the counter sells the last one.
  const { page: customer } = await visit(url);
  await customer.getByRole("heading", { name: "Coffee <b>beans</b>" }).waitFor();
  await customer.getByLabel("Size").waitFor();
  await page.getByLabel("Name of the device").fill("Counter 1");
  await page.getByRole("button", { name: "Add a device" }).click();
  const deviceCode = (await page.getByTestId("shown-once").textContent()) ?? "";
  const { page: counter } = await visit(url.replace("/buy/", "/pos/"), PHONE);
  await counter.getByLabel("Device code").fill(deviceCode);
  await counter.getByRole("button", { name: "Connect" }).click();
  await counter.getByRole("button", { name: /Charge/ }).click();
  await counter.getByRole("heading", { name: "Choose how to pay" }).waitFor();
  await page.reload();
  await page.getByText("Sells since").waitFor();
  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByText("The device is off.").waitFor();
  await counter.goto(url.replace("/buy/", "/pos/"));
  await counter.getByLabel("Device code").waitFor();

  await page.getByLabel("What is sold").fill("Coffee");
  await page.getByRole("button", { name: "Save the form" }).click();
  await page.getByRole("heading", { name: "Coffee", exact: true }).waitFor();
  await page.getByRole("link", { name: "Close the form" }).click();
  await page.getByText("Last used").waitFor();
  await page.getByRole("button", { name: "Close the form" }).click();
  await page.getByText("The form is closed.").waitFor();
  await shot("console-forms");
  await customer.reload();
  await customer.getByText("Coffee").first().waitFor();
  assert.equal(await customer.getByLabel("Size").count(), 0);
  const { rows } = await shop.db.database.pool.query(
    "select action, ip from audit_log where merchant_id = $1 and action similar to '(form|pos).%' order by id",
    [desk.merchantId],
  );
  assert.ok(rows.every(({ ip }) => ip === "127.0.0.1" || ip === "::1"));
  const actions = rows.map(({ action }) => action);
  assert.deepEqual(actions, ["form.create", "pos.add", "pos.revoke", "form.update", "form.archive"]);
});

test("a form of another environment or merchant cannot be seen or changed, and its currency stays", async ({
  shop,
  desk,
}) => {
  const { page, shot } = await desk.tabOf("owner", PHONE);
  await page.goto(`${desk.base}/forms/new`);
  await page.getByLabel("What is sold").fill("Gift");
  await page.getByRole("button", { name: "Save the form" }).click();
  await page.getByText("The form is saved.").waitFor();
  await shot("console-form-phone");
  const code = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  assert.equal((await page.goto(`${desk.base.replace(/test$/, "live")}/forms/${code}`))?.status(), 404);
  await page.goto(`${desk.base}/forms/${code}`);
  await page.locator("form[aria-label=Form]").evaluate((form) => {
    const input = Object.assign(document.createElement("input"), { name: "currency", value: "usd" });
    form.append(input);
  });
  await page.getByLabel("What is sold").fill("Gift card");
  await page.getByRole("button", { name: "Save the form" }).click();
  await page.getByRole("heading", { name: "Gift card" }).waitFor();
  const { rows } = await shop.db.database.pool.query("select currency from forms where code = $1", [code]);
  assert.equal(rows[0].currency, "ngn");
});

test("what is typed before the page's script runs is in the preview, and is saved", async ({ desk }) => {
  const { page } = await desk.tabOf("manager", DESKTOP);
  const release = await holdScripts(page);
  const url = `${desk.base}/forms/new`;
  await page.goto(url, { waitUntil: "domcontentloaded" });
  const [title, save] = [
    page.getByLabel("What is sold"),
    page.getByRole("button", { name: "Save the form" }),
  ];
  await title.fill("Early tea");
  await page.getByLabel("Telephone number").check();
  await page.getByLabel("Currency").selectOption("usd");
  await expect(save).toBeDisabled();
  await title.press("Enter");
  release();
  const preview = page.getByRole("region", { name: "Preview" });
  for (const text of ["Early tea", "Telephone number", "Amount in USD"])
    await preview.getByText(text).waitFor();
  assert.equal(page.url(), url, "nothing was sent");
  await save.click();
  await page.getByText("The form is saved.").waitFor();
  await page.getByRole("heading", { name: "Early tea" }).waitFor();
});
