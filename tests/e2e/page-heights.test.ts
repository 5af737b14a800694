/** The page is calm: what a payer needs is on the first screen of the smallest usual phone, and little else. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { LANGUAGE_CODES } from "#lib/platform/languages/languages.ts";
import { takeShifts, watchShifts } from "#tests/support/layout-shifts.ts";
import { awaitingLink, paidLink } from "#tests/support/link-states.ts";
import { overflow } from "#tests/support/page-looks.ts";
import { expect, test } from "./fixtures.ts";

test.use({ kind: "extended" });

const PHONE = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true };

const boxesOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((elements) =>
    elements.map((element) => {
      const { top, bottom, height } = element.getBoundingClientRect();
      return { id: element.id, top: top + window.scrollY, bottom: bottom + window.scrollY, height };
    }),
  );

/** The words on the screen above the first question. */
const wordsAboveFolds = (page: Page) =>
  page.evaluate(() => {
    const end = document.querySelector("details:not(.hidden)")?.getBoundingClientRect().top ?? 0;
    const range = document.createRange();
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      range.selectNodeContents(node);
      const { top, width } = range.getBoundingClientRect();
      const isShown = node.parentElement?.checkVisibility({ visibilityProperty: true }) === true;
      const isAddress = node.parentElement?.closest("[data-testid=address]") != null;
      if (isShown && !isAddress && width > 1 && top < end) texts.push(node.textContent ?? "");
    }
    return texts
      .join(" ")
      .split(/\s+/)
      .filter((word) => /\p{L}|\p{N}/u.test(word)).length;
  });

test("shows three choices of two lines on the first screen, in every reviewed language", async ({
  shop,
  visit,
}) => {
  const { url } = await shop.createLink();
  const { page } = await visit(url, { ...PHONE, prepare: watchShifts });
  // The fees are fetched for the first page and shown from the next one on.
  await expect(async () => {
    await page.reload();
    await expect(page.locator(".choice", { hasText: /fee/ })).toHaveCount(3, { timeout: 1 });
  }).toPass();
  for (const code of LANGUAGE_CODES) {
    await page.goto(`${url}?lang=${code}`);
    const rows = await boxesOf(page, ".choice");
    assert.equal(rows.length, 3);
    for (const { id, height, bottom } of rows) {
      assert.ok(height >= 72 && height <= 88, `${code}: ${id} is ${height} px high`);
      assert.ok(bottom <= 640, `${code}: ${id} ends at ${bottom} px`);
    }
    assert.equal(await overflow(page), 0, code);
    assert.deepEqual(await takeShifts(page), [], code);
  }
});

for (const network of ["bep20", "bitcoin", "trc20"] as const) {
  test(`${network}: shows amount, address and their buttons on the first screen, and a short page`, async ({
    shop,
    visit,
  }) => {
    const { url } = await awaitingLink(shop, network);
    const { page } = await visit(url, { ...PHONE, prepare: watchShifts });
    const needed = await boxesOf(
      page,
      "[data-testid=amount], [data-testid=address], #copy-amount, #copy-address",
    );
    assert.equal(needed.length, 4);
    for (const { id, bottom } of needed) assert.ok(bottom <= 640, `${id} ends at ${bottom} px`);
    for (const { id, height } of await boxesOf(page, "main button:not(#code)")) {
      assert.ok(height >= 44, `${id} is ${height} px high`);
    }
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(height <= 1_100, `the page is ${height} px high`);
    const words = await wordsAboveFolds(page);
    assert.ok(words > 15 && words < 60, `${words} words`);
    await page.getByText("must arrive after fees").waitFor();
    assert.deepEqual(await takeShifts(page), []);
  });
}

test("draws nothing of a page that arrives in pieces before its head is whole", async ({ shop, visit }) => {
  const { url } = await awaitingLink(shop, "bep20");
  const document = await (await fetch(url)).text();
  const cut = document.indexOf('role="timer"');
  assert.ok(cut > 0);
  const rest = Promise.withResolvers<void>();
  const slow = createServer(async (request, response) => {
    if (request.url === "/") {
      response.setHeader("content-type", "text/html; charset=utf-8").write(document.slice(0, cut));
      await rest.promise;
      response.end(document.slice(cut));
      return;
    }
    const answer = await fetch(new URL(request.url ?? "", url));
    response.setHeader("content-type", answer.headers.get("content-type") ?? "");
    response.end(new Uint8Array(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
  const { port } = slow.address() as AddressInfo;
  const { page } = await visit("about:blank", { ...PHONE, prepare: watchShifts });
  await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: "commit" });
  await page.locator("header svg").waitFor({ state: "attached" });
  const frame = page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve("drawn"))));
  const first = await Promise.race([
    frame,
    page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500, "waits"))),
  ]);
  rest.resolve();
  await frame;
  assert.equal(first, "waits");
  await page.getByTestId("amount").waitFor();
  slow.close();
});

test("says what the payment is for under a question, in every language, without scripts", async ({
  shop,
  visit,
}) => {
  const items = Array.from({ length: 20 }, (_, at) => ({ name: `Coffee ${at}`, quantity: 2, amount: "800" }));
  const order = { description: "Twenty kinds of coffee", items: JSON.stringify(items) };
  const { url } = await awaitingLink(shop, "bep20", order);
  const { page } = await visit(url, { ...PHONE, javaScriptEnabled: false });
  for (const code of LANGUAGE_CODES) {
    await page.goto(`${url}?lang=${code}`);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(height <= 1_100, `${code}: the page is ${height} px high`);
    const words = await wordsAboveFolds(page);
    assert.ok(words > 15 && words < 60, `${code}: ${words} words`);
    const item = page.getByText("Coffee 19");
    assert.equal(await item.isVisible(), false, code);
    await page.locator("details:not(.hidden) > summary").first().click();
    await item.waitFor();
    await page.getByText("Twenty kinds of coffee").waitFor();
    assert.equal(await overflow(page), 0, code);
  }
});

test("leaves out no warning: each answer shows when its question is pressed, without scripts", async ({
  shop,
  visit,
}) => {
  const { url } = await awaitingLink(shop, "bep20");
  const { page } = await visit(url, { ...PHONE, javaScriptEnabled: false });
  await page.getByText("Only USDT on BNB Smart Chain (BEP20)").waitFor();
  for (const [question, answer] of [
    ["Why does the network matter?", "Not Ethereum (ERC20): its addresses look the same"],
    ["Paying from an exchange?", "enter so much that 10.00 USDT arrives"],
    ["Is this the right address?", "compare the first and last characters"],
    ["How is this amount worked out?", "1 USDT = ₦1,600.00"],
    ["How much time do I have?", "After that, ask Kaduna Coffee for a new link."],
  ] as const) {
    const text = page.getByText(answer);
    assert.equal(await text.isVisible(), false, question);
    await page.getByText(question).click();
    await text.waitFor();
  }
});

test("shows a paid page that ends soon, with the transaction under a question and on paper", async ({
  shop,
  visit,
}) => {
  const { url, hash } = await paidLink(shop, { success_url: "https://shop.example/thanks" });
  const { page } = await visit(url, { ...PHONE, javaScriptEnabled: false });
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  assert.ok(height <= 960, `the page is ${height} px high`);
  const [button, receipt] = await boxesOf(page, "main a.button, section[aria-labelledby=receipt]");
  const gap = (receipt?.top ?? 0) - (button?.bottom ?? 0);
  assert.ok(gap > 0 && gap <= 20, `${gap} px are empty below the button`);
  const transaction = page.getByText(hash);
  assert.equal(await transaction.isVisible(), false);
  await page.getByText("Transaction", { exact: true }).first().click();
  await transaction.waitFor();
  await page.reload();
  await page.emulateMedia({ media: "print" });
  await transaction.waitFor();
});
