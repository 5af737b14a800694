import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Locator, Page } from "@playwright/test";
import { textsOf } from "#components/checkout/texts.ts";
import { openBrowser } from "#tests/support/browser.ts";
import { checkoutPage } from "#tests/support/checkout-page.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";

/** More Tab presses than any page needs. */
const MOST_STEPS = 40;
const texts = textsOf("en");
const names = { merchant: "Kaduna Coffee" };

let stack: Stack;
let browser: Browser;

before(async () => {
  stack = await startStack({}, ["trc20", "bep20"]);
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await stack?.close();
});

/** Presses Tab until `target` has the focus. The focus must be visible on every element on the way. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step++) {
    await page.keyboard.press("Tab");
    const ring = await page.evaluate(() => {
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body) return "none";
      // The radio button is visually hidden, so its label shows the focus ring.
      const { outlineStyle, outlineWidth } = getComputedStyle(
        activeElement.closest("label") ?? activeElement,
      );
      return outlineStyle === "none" || outlineWidth === "0px" ? activeElement.outerHTML : "seen";
    });
    assert.ok(ring === "seen" || ring === "none", `the focus cannot be seen on ${ring}`);
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab does not reach ${target}`);
}

const TRON = /TRON \(TRC20\)/;
const BEP20 = /BNB Smart Chain \(BEP20\)/;

test("pays by keyboard alone", async () => {
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  const checkout = checkoutPage(page);
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.goto((await stack.createLink()).url);

  await tabTo(page, button(TRON));
  await page.keyboard.press("Enter");
  await page.getByTestId("address").waitFor();

  await tabTo(page, page.getByText(texts.otherNetwork));
  await page.keyboard.press("Enter");
  await tabTo(page, button(BEP20));
  await page.keyboard.press("Enter");
  await page.getByRole("radio", { name: texts.qr.address }).waitFor({ state: "attached" });

  const { amount, address } = await checkout.ask();
  await tabTo(page, button(texts.copyAmount));
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText(texts.amountCopied).waitFor();
  assert.equal(await clipboard(), amount);
  await tabTo(page, button(texts.copyAddress));
  await page.keyboard.press("Enter");
  assert.equal(await clipboard(), address);
  await tabTo(page, page.getByRole("radio", { name: texts.qr.address }));
  await page.keyboard.press("ArrowLeft");
  assert.match(await checkout.scanQr(), /^ethereum:/);
  await page.keyboard.press("ArrowRight");
  assert.equal(await checkout.scanQr(), address);

  await stack.pay(address, amount);
  await stack.mine(3);
  await checkout.waitForTitle(texts.titles.paid);
  await tabTo(page, button(texts.stayHere));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("link", { name: texts.continue(names) }));
  await page.keyboard.press("Enter");
  await page.waitForURL(`${stack.merchantUrl}/success`);
});

test("says in the visitor's language that a link does not exist, without JavaScript", async () => {
  const page = await (await browser.newContext({ javaScriptEnabled: false, locale: "fr" })).newPage();
  for (const refid of ["1111111111111111111111", "mistyped"]) {
    const response = await page.goto(`${stack.pageUrl}/${refid}`);
    assert.equal(response?.status(), 404);
    assert.equal(await page.locator("html").getAttribute("lang"), "fr");
    assert.equal(
      await page.getByRole("heading", { level: 1 }).textContent(),
      textsOf("fr").linkNotFound.title,
    );
  }
});

test("pays without JavaScript: the form works, and the page reloads itself", async () => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  const checkout = checkoutPage(page);
  await page.goto((await stack.createLink()).url);
  await page.getByRole("button", { name: TRON }).click();
  await page.getByTestId("address").waitFor();
  assert.equal(await checkout.scanQr(), (await checkout.ask()).address);

  await page.getByText(texts.otherNetwork).click();
  await page.getByRole("button", { name: BEP20 }).click();
  await page.getByText(texts.qr.payment).waitFor();
  const ask = await checkout.ask();
  assert.equal(await checkout.scanQr(), ask.address);
  assert.equal(await page.getByRole("button", { name: texts.copyAmount }).isVisible(), false);
  await checkout.shot("no-javascript", { axe: false });

  await stack.pay(ask.address, ask.amount);
  await stack.mine(3);
  await checkout.waitForTitle(texts.titles.paid);
  await page.getByRole("link", { name: texts.continue(names) }).click();
  await page.waitForURL(`${stack.merchantUrl}/success`);
});
