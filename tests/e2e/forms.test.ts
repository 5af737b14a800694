/** A merchant without a server sells with a form: as a payer, with scripts and without, and as an attacker. */
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "@playwright/test";
import sharp from "sharp";
import { VISITOR_LIMIT } from "#lib/domain/payment-links/visitor-rules.ts";
import { addresses as addressTable } from "#lib/domain/wallets/tables.ts";
import { openBrowser } from "#tests/support/browser.ts";
import { checkoutPage } from "#tests/support/checkout-page.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { aStranger, plainForm, type Stranger } from "#tests/support/stranger.ts";

const BEP20 = "USDT BNB Smart Chain (BEP20)";
/** Of one address. `FORM_FLOOD=10000` sends more of them. */
const SUBMISSIONS = Number(process.env.FORM_FLOOD ?? 300);
const HOSTILE = '<img src=x onerror="document.title=1">';

let stack: Stack;
let browser: Browser;
let stranger: Stranger;
let address = "198.51.100.1";

before(async () => {
  stack = await startStack({ TRUSTED_PROXIES: "127.0.0.1" });
  browser = await openBrowser();
  stranger = await aStranger(stack, () => address);
});
after(async () => {
  stranger?.close();
  await browser?.close();
  await stack?.close();
});

function aForm(...terms: string[]): { form: string; form_url: string } {
  const run = stack.cli("form", "create", "shop@example.com", "--env", "test", ...terms);
  assert.equal(run.status, 0, run.stderr);
  return JSON.parse(run.stdout);
}

const sold = (form: string) => {
  const { taken_quantity, taken_amount } = JSON.parse(stack.cli("form", "show", form).stdout);
  return [taken_quantity, taken_amount];
};

async function visit(url: string, options: Parameters<Browser["newContext"]>[0] = {}) {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(url);
  return checkoutPage(page);
}

/** Milliseconds until the form's page has come to another visitor. */
async function medianMs(url: string, times: number): Promise<number> {
  const taken: number[] = [];
  for (let i = 0; i < times; i++) {
    const started = performance.now();
    await (await fetch(url, { headers: { "x-forwarded-for": "198.51.100.65" } })).text();
    taken.push(Math.round(performance.now() - started));
  }
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)] ?? 0;
}

for (const javaScriptEnabled of [true, false]) {
  test(`sells two of a thing to a payer ${javaScriptEnabled ? "with" : "without"} scripts`, async () => {
    const picture = join(mkdtempSync(join(tmpdir(), "paylink-picture-")), "shirt.png");
    await sharp({ create: { width: 1_200, height: 900, channels: 3, background: "#3355aa" } }).toFile(
      picture,
    );
    const terms = ["--amount", "8000", "--max-quantity", "5", "--stock", "2", "--fields", "Size"];
    terms.push("--picture", picture);
    const { form, form_url } = aForm("--title", "T-shirt", "--description", "Cotton.\nBlue.", ...terms);
    const checkout = await visit(form_url, { javaScriptEnabled, viewport: { width: 390, height: 844 } });
    const { page } = checkout;
    assert.equal(await checkout.title(), "T-shirt");
    await page.getByText("₦8,000.00 NGN each").waitFor();
    const sizes = page.locator('img[src^="/buy/picture/"]').evaluate((image) => {
      const { naturalWidth, naturalHeight } = image as HTMLImageElement;
      return [naturalWidth, naturalHeight];
    });
    if (javaScriptEnabled) assert.deepEqual(await sizes, [960, 720]);
    await checkout.shot(`form-${javaScriptEnabled ? "open" : "no-scripts"}`, { axe: javaScriptEnabled });
    await page.getByLabel("Quantity").fill("2");
    await page.getByLabel("First name").fill("Ada");
    await page.getByLabel("Last name").fill("Obi");
    await page.getByLabel("E-mail address").fill("ada@example.com");
    await page.getByLabel("Size").fill("M");
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await page.getByRole("heading", { name: "Choose how to pay" }).waitFor();
    assert.deepEqual(sold(form), [2, "16000"]);
    await checkout.choose(BEP20);
    const ask = await checkout.ask();
    assert.equal(ask.amount, "10");
    await stack.pay(ask.address, ask.amount);
    await stack.mine(3);
    const refid = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const { data } = await stack.waitForWebhook(refid, "payment_link_completed");
    assert.deepEqual(data.metadata, {
      form,
      quantity: 2,
      email: "ada@example.com",
      first_name: "Ada",
      last_name: "Obi",
      fields: { Size: "M" },
    });
    if (javaScriptEnabled) {
      await checkout.waitForTitle("Payment complete");
      await page.getByRole("link", { name: "Continue to Kaduna Coffee" }).click();
    } else await page.goto(`${form_url}?paid=1`);
    await page.getByText("Thank you. Your payment is complete.").waitFor();
    await page.getByText("Sold out").waitFor();
    await page.context().close();
  });
}

test("an open amount has its range, suggestions and a message, and going back creates no second link", async () => {
  const range = ["--minimum-amount", "500", "--maximum-amount", "20000", "--suggested-amounts", "1600"];
  const { form, form_url } = aForm("--title", "A gift", "--ask", "note", ...range);
  const checkout = await visit(form_url, { javaScriptEnabled: false });
  const { page } = checkout;
  await page.getByText("At least ₦500.00 NGN. At most ₦20,000.00 NGN.").waitFor();
  const amount = page.getByLabel("Amount in NGN");
  await page.locator("form").evaluate((element) => element.setAttribute("novalidate", ""));
  await amount.fill("499.99");
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await page.getByText("This amount is not possible here.").waitFor();
  await checkout.shot("form-refused", { axe: false });
  await amount.fill("1600");
  const visitKey = await page.locator('input[name="visit"]').getAttribute("value");
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await page.getByRole("heading", { name: "Choose how to pay" }).waitFor();
  const first = new URL(page.url()).pathname;
  const fields = { form, visit: visitKey ?? "", amount: "1600", quantity: "", note: "" };
  const again = await stranger.post(`/buy/${form}`, plainForm(fields, stranger.actions.submit ?? ""), {
    origin: new URL(form_url).origin,
  });
  assert.ok(again.location?.includes(first), `${again.status} ${again.location}`);
  assert.deepEqual(sold(form), [1, "1600"]);
});

test("texts of the merchant and the payer run nowhere, and no URL of a form runs as a script", async () => {
  const texts = ["--title", HOSTILE, "--description", HOSTILE, "--fields", HOSTILE, "--ask", "note"];
  const { form_url } = aForm("--amount", "1600", ...texts);
  const checkout = await visit(form_url);
  const { page } = checkout;
  assert.equal(await checkout.title(), HOSTILE);
  await page.getByLabel(HOSTILE, { exact: true }).fill(HOSTILE);
  await page.getByLabel("Note").fill(HOSTILE);
  assert.equal(await page.locator("img[src=x]").count(), 0);
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await page.getByRole("heading", { name: "Choose how to pay" }).waitFor();
  assert.equal(await page.locator("img[src=x]").count(), 0);
  assert.notEqual(await page.title(), "1");
  for (const url of [
    "javascript:alert(1)",
    "data:text/html,x",
    "https://user@shop.example/",
    "//shop.example",
  ]) {
    const args = ["--title", "T", "--success-url", url];
    assert.equal(stack.cli("form", "create", "shop@example.com", "--env", "test", ...args).status, 1, url);
  }
});

test("a flood from one address creates no address, few links, and stops nobody else", async () => {
  const { form, form_url } = aForm("--title", "T", "--amount", "1600", "--ask", "nothing");
  const origin = { origin: new URL(form_url).origin };
  const submit = (visitKey: string) => {
    const fields = { form, visit: visitKey, amount: "", quantity: "" };
    return stranger.post(`/buy/${form}`, plainForm(fields, stranger.actions.submit ?? ""), origin);
  };
  const addresses = () => stack.db.db.$count(addressTable);
  const before = await addresses();
  address = "198.51.100.66";
  const keys = Array.from({ length: SUBMISSIONS }, (_, i) => i.toString(16).padStart(32, "0"));
  const quiet = await medianMs(form_url, 20);
  let isOver = false;
  const flood = (async () => {
    for (let i = 0; i < keys.length; i += 20) await Promise.all(keys.slice(i, i + 20).map(submit));
    isOver = true;
  })();
  const during: number[] = [];
  while (!isOver) during.push(await medianMs(form_url, 1));
  await flood;
  const middle = during.sort((a, b) => a - b)[Math.floor(during.length / 2)] ?? 0;
  console.log(
    `form flood: ${SUBMISSIONS} submissions; the page of others ${quiet} ms before, ${middle} ms during`,
  );
  assert.ok(middle < 1_000, `${middle} ms`);
  assert.equal(sold(form)[0], VISITOR_LIMIT);
  assert.equal(await addresses(), before);
  address = "198.51.100.67";
  const other = await submit("f".repeat(32));
  assert.match(other.location ?? "", /\/pay\//);
});

test("a posted form with anything but a visit of its own page changes nothing", async () => {
  const { form, form_url } = aForm("--title", "T", "--amount", "1600", "--ask", "nothing");
  const other = aForm("--title", "Other", "--amount", "1600", "--ask", "nothing").form;
  const own = { origin: new URL(form_url).origin };
  const good = { form, visit: "e".repeat(32), amount: "", quantity: "" };
  address = "198.51.100.68";
  await stranger.harmless(async () => {
    const action = stranger.actions.submit ?? "";
    for (const fields of [
      { ...good, form: other },
      { ...good, form: "' or 1=1 --" },
      { ...good, visit: "short" },
      { ...good, visit: "" },
    ]) {
      const { status } = await stranger.post(`/buy/${form}`, plainForm(fields, action), own);
      assert.equal(status, 404, JSON.stringify(fields));
    }
    const foreign = { origin: "https://evil.example" };
    assert.equal((await stranger.post(`/buy/${form}`, plainForm(good, action), foreign)).status >= 400, true);
    assert.equal(
      (await stranger.post("/buy/1111111111111111111111", plainForm(good, action), own)).status,
      404,
    );
  });
  assert.equal(sold(form)[0], 0);
});
