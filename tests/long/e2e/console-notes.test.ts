/** People keep notes on payments and customers, and saved views, for themselves in the console. */
import assert from "node:assert/strict";
import { test } from "#tests/e2e/fixtures.ts";
import { DESKTOP, PHONE } from "#tests/support/console.ts";

test("staff write and delete notes, which nobody else reads", async ({ shop, desk }) => {
  const { refid, url } = await shop.createLink();
  const payment = `${desk.base}/payments/${refid}`;
  const { page } = await desk.tabOf("cashier", PHONE);
  await page.goto(payment);
  const write = async (text: string) => {
    await page.getByText("Write a note").click();
    await page.getByLabel("Note", { exact: true }).fill(text);
    await page.getByRole("button", { name: "Add the note" }).click();
  };
  await write("Called on Monday.\nPays on Friday.");
  const notes = page.getByRole("region", { name: "Notes" });
  await notes.getByText("Pays on Friday.").waitFor();
  await write("Written by mistake");
  const newest = notes.getByRole("listitem").first();
  await newest.getByText("Written by mistake").waitFor();

  const manager = await desk.tabOf("manager", DESKTOP);
  await manager.page.goto(payment);
  await manager.page.getByText("Written by mistake").waitFor();
  assert.equal(await manager.page.getByText("Delete", { exact: true }).count(), 0, "they are another's");

  await newest.getByText("Delete", { exact: true }).click();
  await newest.getByRole("button", { name: "Delete this note" }).click();
  await page.getByText("Written by mistake").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Ada" }).first().click();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await write("Prefers TRON");
  await notes.getByText("Prefers TRON").waitFor();

  const texts = /Pays on Friday|Prefers TRON/;
  assert.doesNotMatch(await (await fetch(url)).text(), texts);
  const { webhooks, merchantUrl, testKey } = shop;
  const headers = { "x-staging-api-key": testKey };
  for (const path of [`payment-links/${refid}`, "payment-links", "customers"]) {
    const answer = await fetch(`${shop.baseUrl}/${path}`, { headers });
    assert.equal(answer.status, 200, path);
    assert.doesNotMatch(await answer.text(), texts, path);
  }
  assert.doesNotMatch(JSON.stringify([webhooks, merchantUrl]), texts);
});

test("a person saves a filter, comes back to it, and deletes it", async ({ shop, desk }) => {
  await shop.createLink();
  const { page } = await desk.tabOf("accountant", DESKTOP);
  await page.goto(`${desk.base}/payments`);
  assert.equal(await page.getByText("Save this view").count(), 0, "there is no filter");
  await page.getByLabel("State").selectOption("failed");
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByText("Save this view").click();
  await page.getByLabel("Name of the view").fill("Failed ones");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const views = page.getByRole("navigation", { name: "Saved views" });
  const view = views.getByRole("link", { name: "Failed ones" });
  await view.waitFor();
  await page.goto(`${desk.base}/payments`);
  await view.click();
  await page.waitForURL(/payments\?state=failed$/);
  assert.equal(await view.getAttribute("aria-current"), "true");
  const colleague = await desk.tabOf("owner", DESKTOP);
  await colleague.page.goto(`${desk.base}/payments`);
  await colleague.page.getByRole("heading", { name: "Payments" }).waitFor();
  assert.equal(await colleague.page.getByText("Failed ones").count(), 0, "a view is its person's alone");
  await page.getByRole("button", { name: /Delete the view/ }).click();
  await page.waitForURL(/\/payments$/);
  await views.waitFor({ state: "detached" });
});

test("a view with a text that is too long is refused in one sentence, however long it is", async ({
  desk,
}) => {
  const { page } = await desk.tabOf("accountant", DESKTOP);
  // The third is longer than a whole URL may be once it is encoded for the redirect.
  for (const search of ["a".repeat(1_000), "\u8a9e".repeat(200), "\u8a9e".repeat(1_500)]) {
    await page.goto(`${desk.base}/payments?${new URLSearchParams({ state: "failed", search })}`);
    await page.getByText("Save this view").click();
    await page.getByLabel("Name of the view").fill("Long");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The searched text is too long for a view").waitFor();
    // Next announces pages in another alert, outside of them.
    assert.equal(await page.getByRole("main").getByRole("alert").count(), 1);
    assert.equal(await page.getByLabel("State").inputValue(), "failed");
    assert.equal(await page.getByRole("navigation", { name: "Saved views" }).count(), 0);
  }
});
