import assert from "node:assert/strict";
import type { Locator, Page } from "@playwright/test";
import { textsOf } from "#components/checkout/texts.ts";
import { readCode } from "#tests/support/page-looks.ts";
import { test } from "./fixtures.ts";

/** More Tab presses than any page needs. */
const MOST_STEPS = 40;
const texts = textsOf("en");
const names = { merchant: "Kaduna Coffee" };

/** Presses Tab until `target` has the focus. The focus must be visible on every element on the way. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step++) {
    await page.keyboard.press("Tab");
    const ring = await page.evaluate(() => {
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body) return "none";
      const { outlineStyle, outlineWidth } = getComputedStyle(activeElement);
      return outlineStyle === "none" || outlineWidth === "0px" ? activeElement.outerHTML : "seen";
    });
    assert.ok(ring === "seen" || ring === "none", `the focus cannot be seen on ${ring}`);
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab does not reach ${target}`);
}

const TRON = /TRON \(TRC20\)/;
const BEP20 = /BNB Smart Chain \(BEP20\)/;

test("pays by keyboard alone", async ({ shop, visit }) => {
  const permissions = ["clipboard-read", "clipboard-write"];
  const checkout = await visit((await shop.createLink()).url, {
    permissions,
    // As sharp as a phone's screen: some codes with an amount cannot be read from a coarser picture.
    deviceScaleFactor: 2,
    prepare: (page) => page.clock.install(),
  });
  const { page } = checkout;
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

  await tabTo(page, button(TRON));
  await page.keyboard.press("Enter");
  await page.getByTestId("address").waitFor();

  await tabTo(page, page.getByRole("link", { name: texts.otherNetwork }));
  await page.keyboard.press("Enter");
  await checkout.waitForTitle(texts.titles.choose);
  await tabTo(page, button(BEP20));
  await page.keyboard.press("Enter");
  await page.getByText(texts.folds.ways).waitFor();

  const { amount, address } = await checkout.ask();
  await tabTo(page, button(texts.copyAmount));
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText(texts.amountCopied).waitFor();
  assert.equal(await clipboard(), amount);
  await tabTo(page, button(texts.copyAddress));
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText(texts.addressCopied).waitFor();
  assert.equal(await clipboard(), address);
  assert.equal(await checkout.scanQr(), address);
  await tabTo(page, page.locator("summary", { hasText: texts.folds.ways }));
  await page.keyboard.press("Enter");
  const code = page.getByRole("img", { name: /^QR code to pay/ });
  assert.match(readCode(await code.screenshot()) ?? "", /^ethereum:/);

  // A running countdown could end before so many keys are pressed.
  await page.clock.pauseAt(Date.now() + 10_000);
  await shop.pay(address, amount);
  await shop.mine(3);
  await checkout.waitForTitle(texts.titles.paid);
  await tabTo(page, button(texts.stayHere));
  await page.keyboard.press("Enter");
  await page.keyboard.press("Shift+Tab");
  await tabTo(page, page.getByRole("link", { name: texts.continue(names) }));
  await page.keyboard.press("Enter");
  await page.waitForURL(`${shop.merchantUrl}/success`);
});

test("says in the visitor's language that a link does not exist, without JavaScript", async ({
  world,
  browser,
}) => {
  const page = await browser.newPage({ javaScriptEnabled: false, locale: "fr" });
  for (const refid of ["1111111111111111111111", "mistyped"]) {
    const response = await page.goto(`${world.pageUrl}/${refid}`);
    assert.equal(response?.status(), 404);
    assert.equal(await page.locator("html").getAttribute("lang"), "fr");
    assert.equal(
      await page.getByRole("heading", { level: 1 }).textContent(),
      textsOf("fr").linkNotFound.title,
    );
  }
});

test("pays without JavaScript: the form works, and the page reloads itself", async ({ shop, visit }) => {
  // No reload while a code is photographed. Then one every second, because it would wait for longer.
  let reloadSeconds = 600;
  const checkout = await visit((await shop.createLink()).url, {
    javaScriptEnabled: false,
    prepare: (page) =>
      page.route(/\/pay\//, async (route) => {
        const response = await route.fetch({ maxRedirects: 0 });
        const seconds = /(?<=<meta http-equiv="refresh" content=")\d+/;
        const body = (await response.text()).replace(seconds, String(reloadSeconds));
        await route.fulfill({ response, body });
      }),
  });
  const { page } = checkout;
  await page.getByRole("button", { name: TRON }).click();
  await page.getByTestId("address").waitFor();
  assert.equal(await checkout.scanQr(), (await checkout.ask()).address);

  await page.getByRole("link", { name: texts.otherNetwork }).click();
  await page.getByRole("button", { name: BEP20 }).click();
  await page.getByText(texts.folds.ways).waitFor();
  const ask = await checkout.ask();
  assert.equal(await checkout.scanQr(), ask.address);
  assert.equal(await page.getByRole("button", { name: texts.copyAmount }).isVisible(), false);
  reloadSeconds = 1;
  await page.reload();
  await shop.pay(ask.address, ask.amount);
  await shop.mine(3);
  await checkout.waitForTitle(texts.titles.paid);
  await page.getByRole("link", { name: texts.continue(names) }).click();
  await page.waitForURL(`${shop.merchantUrl}/success`);
});
