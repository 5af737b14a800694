/**
 * GET /v1/docs in a real browser: shows the document and tries an operation, with no resource from another
 * host.
 */
import assert from "node:assert/strict";
import { expect, test } from "#tests/e2e/fixtures.ts";

const SAMPLES = [
  ["curl", "curl -X POST"],
  ["JavaScript", "await fetch("],
  ["Python", "import requests"],
  ["PHP", "curl_init("],
  ["Go", "http.NewRequest("],
] as const;

test("lists the operations and tries one with a key, without a console message", async ({ shop, page }) => {
  const { origin } = new URL(shop.baseUrl);
  const said: string[] = [];
  const asked: string[] = [];
  page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`${origin}/v1/docs`);
  await page.getByRole("link", { name: "Try it out" }).click();
  await page.getByText("Create links for your customers to pay").waitFor();
  await page.getByRole("button", { name: "Authorize" }).click();
  const dialog = page.locator(".dialog-ux");
  await dialog.locator("input").nth(1).fill(shop.testKey);
  await dialog
    .getByRole("button", { name: /apply credentials/i })
    .nth(1)
    .click();
  await dialog.getByRole("button", { name: /close/i }).first().click();
  await page.locator("#operations-tag-Payment_links").click();
  const operation = page.locator("#operations-Payment_links-listPaymentLinks");
  await operation.locator(".opblock-summary-control").click();
  await operation.getByRole("button", { name: /try it out/i }).click();
  await operation.getByRole("button", { name: "Execute" }).click();
  const answer = operation.locator(".live-responses-table .response").first();
  await expect(answer).toContainText("payment links retrieved successfully");
  assert.deepEqual(said, []);
  assert.deepEqual(
    asked.filter((url) => !url.startsWith(`${origin}/v1/`)),
    [],
  );
});

test("the reference opens at once without scripts, in the colors of the system, and leads to the codes", async ({
  shop,
  visit,
}) => {
  const { origin } = new URL(shop.baseUrl);
  for (const colorScheme of ["light", "dark"] as const) {
    const { page } = await visit(`${origin}/v1/docs`, { colorScheme, javaScriptEnabled: false });
    await page.getByText("Create links for your customers to pay").waitFor();
    await page.goto(`${origin}/v1/docs#createPaymentLink`);
    const operation = page.locator("#createPaymentLink");
    for (const [label, text] of SAMPLES) {
      if (label !== "curl") await operation.getByText(label, { exact: true }).click();
      await operation.getByText(text).waitFor();
    }
    await page.goto(`${origin}/v1/docs/errors#amount_not_positive`);
    await page.locator("section:target", { hasText: "amount must be greater than 0" }).waitFor();
    const color = await page.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
    assert.equal(color, colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(18, 24, 38)");
  }
});
