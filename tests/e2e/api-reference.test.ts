/**
 * GET /v1/docs in a real browser: shows the document and tries an operation, with no resource from another
 * host.
 */
import assert from "node:assert/strict";
import { expect, test } from "./fixtures.ts";

const SAMPLES = [
  ["curl", "curl '"],
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
  for (const [label, text] of SAMPLES) {
    await operation.getByRole("button", { name: label, exact: true }).click();
    await expect(operation.locator(".samples pre")).toContainText(text);
    await expect(operation.locator(".samples pre")).toContainText(`${origin}/v1/payment-links`);
  }
  assert.deepEqual(said, []);
  assert.deepEqual(
    asked.filter((url) => !url.startsWith(`${origin}/v1/`)),
    [],
  );
});

test("opens with little to load, in the colors of the system, and leads from an error to its code", async ({
  shop,
  visit,
}) => {
  const { origin } = new URL(shop.baseUrl);
  for (const colorScheme of ["light", "dark"] as const) {
    const { page } = await visit(`${origin}/v1/docs`, { colorScheme });
    await page.getByText("Create links for your customers to pay").waitFor();
    const bytes = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).transferSize, 0),
    );
    assert.ok(bytes > 0 && bytes < 560_000, `${colorScheme}: ${bytes} bytes`);
    const isLight = await page.evaluate(() => {
      const [red = 0] = getComputedStyle(document.body).backgroundColor.match(/\d+/g)?.map(Number) ?? [];
      return red > 127;
    });
    assert.equal(isLight, colorScheme === "light");
    await page.goto(`${origin}/v1/docs/errors#amount_not_positive`);
    await page.locator("section:target", { hasText: "amount must be greater than 0" }).waitFor();
  }
});
