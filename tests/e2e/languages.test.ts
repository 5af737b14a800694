import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { textsOf } from "#components/checkout/texts.ts";
import { LANGUAGE_CODES, languageData } from "#lib/platform/languages/languages.ts";
import { openBrowser } from "#tests/support/browser.ts";
import { checkoutPage } from "#tests/support/checkout-page.ts";
import { type SmtpFake, startSmtp } from "#tests/support/smtp.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";

const ROOT = join(import.meta.dirname, "../..");
const BEP20 = "BNB Smart Chain (BEP20)";
const OFF = ["ha", "yo", "ig"] as const;

let stack: Stack;
let smtp: SmtpFake;
let browser: Browser;

before(async () => {
  smtp = await startSmtp();
  stack = await startStack({
    DRAFT_LANGUAGES: "pcm",
    SMTP_URL: `smtp+plain://127.0.0.1:${smtp.port}`,
    MAIL_FROM: "Pay <pay@example.com>",
  });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await stack?.close();
  await smtp?.close();
});

async function visit(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(url);
  return page;
}

const heading = (page: Page) => page.getByRole("heading", { level: 1 }).first().textContent();
const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const language = (page: Page) =>
  page.locator("html").evaluate((html: HTMLElement) => `${html.lang} ${html.dir}`);

test("shows the whole page in Arabic, from right to left, to a browser that prefers Arabic", async () => {
  const { url } = await stack.createLink();
  const page = await visit(url, { locale: "ar-EG", viewport: { width: 390, height: 844 } });
  assert.equal(await language(page), "ar rtl");
  assert.equal(await heading(page), textsOf("ar").titles.choose);
  const checkout = checkoutPage(page);
  await checkout.choose(BEP20);
  await checkout.waitForTitle(textsOf("ar").titles.pay);
  await checkout.shot("awaiting-ar");
  // Address and amount read from left to right, as they are typed, also visually.
  const { address, amount } = await checkout.ask();
  assert.match(address, /^0x[0-9a-fA-F]{40}$/);
  assert.equal(amount, "10");
  const left = (of: string) =>
    page.getByTestId("address").evaluate((node, text) => {
      const part = [...node.querySelectorAll("span")].find((span) => span.textContent === text);
      return part?.getBoundingClientRect().left ?? Number.NaN;
    }, of);
  assert.ok((await left(address.slice(0, 4))) < (await left(address.slice(4, 8))));
  await page.context().close();
});

test("mails the payer a receipt in the language of the page, whose address to unsubscribe works", async () => {
  const on = stack.cli("merchant", "mail", "shop@example.com", "--env", "test", "--on", "receipt");
  assert.equal(on.status, 0, on.stderr);
  const { refid, url } = await stack.createLink();
  const page = await visit(`${url}?lang=fr`, { locale: "ar-EG" });
  const checkout = checkoutPage(page);
  await checkout.choose(BEP20);
  const { address, amount } = await checkout.ask();
  await stack.pay(address, amount);
  await stack.mine(30);
  await stack.waitForState(refid, "completed");
  const receipt = await until("the receipt", () => smtp.accepted[0]);
  assert.match(receipt, /^To: ada@example\.com$/im);
  assert.match(receipt, /Votre paiement de /);
  const [, stop = ""] = /^List-Unsubscribe: <(http[^>]+)>/im.exec(receipt.replaceAll(/\r\n\s+/g, " ")) ?? [];
  await page.goto(stop);
  await page.getByRole("button", { name: "Ne plus recevoir de reçus de Kaduna Coffee" }).click();
  await page.getByText("Vous ne recevrez plus de reçus de Kaduna Coffee par e-mail.").waitFor();
  assert.equal((await fetch(stop, { method: "POST" })).status, 200);
  assert.equal(smtp.accepted.length, 1);
  await page.context().close();
});

test("shows on a phone's first screen what it needs to pay, in every reviewed language", async () => {
  const { url } = await stack.createLink({ wallets: '[{"network":"bep20","token":"USDT"}]' });
  const page = await visit(url, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  const reviewed = LANGUAGE_CODES.filter((code) => languageData(code).reviewed);
  for (const code of reviewed) {
    await page.goto(`${url}?lang=${code}`);
    const { copyAmount, copyAddress } = textsOf(code);
    for (const control of [
      page.getByRole("button", { name: copyAmount }),
      page.getByRole("button", { name: copyAddress }),
      page.getByRole("link", { name: "MetaMask" }),
    ]) {
      const { y, height } = (await control.boundingBox()) ?? { y: Number.NaN, height: 0 };
      assert.ok(y + height <= 844, `${code}: ${await control.textContent()} ends at ${y + height} px`);
    }
  }
  await page.goto(`${url}?lang=en`);
  await page.getByText(textsOf("en").exchange.title).click();
  await page.getByText(url, { exact: true }).waitFor();
  await checkoutPage(page).shot("phone-exchange");
  await page.context().close();
});

test("reads an amount with a decimal comma where the language has one, and copies it with a point", async () => {
  const { url } = await stack.createLink({ amount: "9.375", amount_currency: "usdt" });
  const permissions = ["clipboard-read", "clipboard-write"];
  const page = await visit(`${url}?lang=fr`, { permissions });
  await checkoutPage(page).choose(BEP20);
  await page.getByText("9,375 USDT", { exact: true }).first().waitFor();
  assert.equal(await page.getByTestId("amount").textContent(), "9,375");
  assert.doesNotMatch((await page.locator("main").textContent()) ?? "", /9\.375|1 USDT =/);
  await page.getByRole("button", { name: textsOf("fr").copyAmount }).click();
  await page.getByText(textsOf("fr").amountCopied).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "9.375");
  await page.context().close();
});

test("names the language in headers for people and caches, and ignores one that a visitor sets", async () => {
  const { url } = await stack.createLink();
  const headers = { "accept-language": "sw-KE", "x-paylink-language": "ar" };
  for (const address of [url, `${url.slice(0, -1)}_`, url.slice(0, -9), new URL("/nowhere", url)]) {
    const answer = await fetch(address, { headers });
    assert.equal(answer.headers.get("content-language"), "sw");
    assert.match(answer.headers.get("vary") ?? "", /next-router.*accept-language/i);
    assert.match(await answer.text(), /<html lang="sw" dir="ltr"/);
  }
  const script = await fetch(new URL("/checkout.js", url), { headers });
  assert.equal(script.status, 200);
  assert.doesNotMatch(script.headers.get("vary") ?? "", /language/i);
  const page = await visit(`${url.slice(0, -1)}_?lang=fr`, { javaScriptEnabled: false });
  await checkoutPage(page).waitForTitle(textsOf("fr").linkNotFound.title);
  assert.equal(await language(page), "fr ltr");
  assert.equal(await page.title(), textsOf("fr").linkNotFound.title);
  await page.context().close();
});

for (const javaScriptEnabled of [false, true]) {
  const how = javaScriptEnabled ? "with scripts" : "without scripts";
  test(`keeps ?lang= through the choice of a network and every refresh, ${how}`, async () => {
    const link = await stack.createLink();
    const page = await visit(`${link.url}?lang=fr`, { locale: "es-ES", javaScriptEnabled });
    assert.equal(await heading(page), textsOf("fr").titles.choose);
    const checkout = checkoutPage(page);
    await checkout.choose(BEP20);
    assert.deepEqual(query(page), { network: "bep20", token: "usdt", lang: "fr" });
    const { address, amount } = await checkout.ask();
    await stack.pay(address, amount);
    await stack.mine();
    await checkout.waitForTitle(textsOf("fr").titles.confirming);
    assert.deepEqual(query(page), { network: "bep20", token: "usdt", lang: "fr" });
    await page.context().close();
  });

  test(`changes the language with the switch and keeps the network, ${how}`, async () => {
    const link = await stack.createLink();
    const page = await visit(link.url, { locale: "en-NG", javaScriptEnabled });
    await checkoutPage(page).choose(BEP20);
    const foot = page.getByRole("navigation", { name: textsOf("en").language });
    assert.equal(await foot.locator('[aria-current="true"]').textContent(), "English");
    await foot.getByRole("link", { name: "Português" }).press("Enter");
    await checkoutPage(page).waitForTitle(textsOf("pt").titles.pay);
    assert.equal(await language(page), "pt ltr");
    assert.deepEqual(query(page), { network: "bep20", token: "usdt", lang: "pt" });
    await page.context().close();
  });
}

test("serves a draft only if the operator enabled it", async () => {
  const { url } = await stack.createLink();
  const page = await visit(`${url}?lang=pcm`, { locale: "ha-NG" });
  assert.equal(await heading(page), textsOf("pcm").titles.choose);
  const codes = await page
    .locator("nav a[hreflang]")
    .evaluateAll((links) => links.map((link) => link.getAttribute("hreflang")));
  assert.deepEqual(codes, ["en", "fr", "pt", "es", "sw", "ar", "pcm"]);
  for (const code of OFF) {
    await page.goto(`${url}?lang=${code}`);
    assert.equal(await language(page), "en ltr", code);
  }
  await page.context().close();
});

test("sends no texts in the browser's code, in any language", () => {
  const read = (files: string) =>
    globSync(files, { cwd: join(ROOT, ".next") }).map((file) =>
      readFileSync(join(ROOT, ".next", file), "utf8"),
    );
  const browserCode = read("static/**/*.js").join("\n");
  const serverCode = read("server/**/*.js").join("\n");
  const escaped = (text: string) =>
    text.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const holds = (code: string, text: string) => code.includes(text) || code.includes(escaped(text));
  assert.ok(browserCode.length > 100_000);
  for (const code of LANGUAGE_CODES) {
    const { titles, linkNotFound, pageError } = textsOf(code);
    for (const text of [titles.choose, titles.expired, linkNotFound.text, pageError.title]) {
      assert.ok(holds(serverCode, text), `the server's code holds ${text}`);
      assert.ok(!holds(browserCode, text), `the browser's code holds ${text}`);
    }
  }
});
