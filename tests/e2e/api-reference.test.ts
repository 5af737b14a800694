/**
 * GET /v1/docs in a real browser: shows the document and tries an operation, with no resource from another
 * host.
 */
import assert from "node:assert/strict";
import { expect, test } from "./fixtures.ts";

test("lists the operations and tries one with a key, without a console message", async ({ shop, page }) => {
  const { origin } = new URL(shop.baseUrl);
  const said: string[] = [];
  const asked: string[] = [];
  page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`${origin}/v1/docs`);
  // At least 27 operations.
  await page.locator(".opblock").nth(26).waitFor();
  await page.getByRole("button", { name: "Authorize" }).click();
  const dialog = page.locator(".dialog-ux");
  await dialog.locator("input").nth(1).fill(shop.testKey);
  await dialog
    .getByRole("button", { name: /apply credentials/i })
    .nth(1)
    .click();
  await dialog.getByRole("button", { name: /close/i }).first().click();
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
