import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { textsOf } from "#components/checkout/texts.ts";
import { LANGUAGE_CODES } from "#lib/platform/languages/languages.ts";
import { expect, test } from "#tests/e2e/fixtures.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** Without its first word, which is a translation. */
const NETWORK = "BNB Smart Chain (BEP20)";

const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const language = (page: Page) =>
  page.locator("html").evaluate((html: HTMLElement) => `${html.lang} ${html.dir}`);

const phone = { tag: "@phone" };

test(
  "shows the whole page in Arabic, from right to left, to a browser that prefers Arabic",
  phone,
  async ({ shop, visit }) => {
    const checkout = await visit((await shop.createLink()).url, { locale: "ar-EG" });
    const { page } = checkout;
    assert.equal(await language(page), "ar rtl");
    assert.equal(await checkout.title(), textsOf("ar").titles.choose);
    await checkout.choose(NETWORK);
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
  },
);

test("mails the payer a receipt in the language of the page, whose address to unsubscribe works", async ({
  shop,
  visit,
  mail,
}) => {
  await shop.run("merchant", "mail", shop.email, "--env", "test", "--on", "receipt");
  const { refid, url } = await shop.createLink();
  const received = mail.accepted.length;
  const checkout = await visit(`${url}?lang=fr`, { locale: "ar-EG" });
  const { page } = checkout;
  await checkout.choose(NETWORK);
  const { address, amount } = await checkout.ask();
  await shop.pay(address, amount);
  await shop.mine(30);
  await shop.waitForState(refid, "completed");
  await expect.poll(() => mail.accepted.length).toBe(received + 1);
  const receipt = mail.accepted.at(-1) ?? "";
  assert.match(receipt, /^To: ada@example\.com$/im);
  assert.match(receipt, /Votre paiement de /);
  const [, stop = ""] = /^List-Unsubscribe: <(http[^>]+)>/im.exec(receipt.replaceAll(/\r\n\s+/g, " ")) ?? [];
  await page.goto(stop);
  await page.getByRole("button", { name: "Ne plus recevoir de reçus de Kaduna Coffee" }).click();
  await page.getByText("Vous ne recevrez plus de reçus de Kaduna Coffee par e-mail.").waitFor();
  assert.equal((await fetch(stop, { method: "POST" })).status, 200);
  assert.equal(mail.accepted.length, received + 1);
});

test(
  "shows on a phone's first screen what it needs to pay, in every language",
  phone,
  async ({ shop, visit }) => {
    const { url } = await shop.createLink({ wallets: '[{"network":"bep20","token":"USDT"}]' });
    const { page, shot } = await visit(url);
    for (const code of LANGUAGE_CODES) {
      await page.goto(`${url}?lang=${code}`);
      const { copyAmount, copyAddress } = textsOf(code);
      for (const control of [
        page.getByRole("button", { name: copyAmount }),
        page.getByRole("button", { name: copyAddress }),
        page.locator("summary", { hasText: textsOf(code).phoneWallets }),
      ]) {
        const { y, height } = (await control.boundingBox()) ?? { y: Number.NaN, height: 0 };
        assert.ok(y + height <= 844, `${code}: ${await control.textContent()} ends at ${y + height} px`);
      }
    }
    await page.goto(`${url}?lang=en`);
    await page.getByText(textsOf("en").exchange.title).click();
    await page.getByText(url, { exact: true }).waitFor();
    await shot("phone-exchange");
  },
);

test("reads an amount with a decimal comma where the language has one, and copies it with a point", async ({
  shop,
  visit,
}) => {
  const { url } = await shop.createLink({ amount: "9.375", amount_currency: "usdt" });
  const permissions = ["clipboard-read", "clipboard-write"];
  const { page, choose: pick } = await visit(`${url}?lang=fr`, { permissions });
  await pick(NETWORK);
  await page.getByText("9,375 USDT", { exact: true }).first().waitFor();
  assert.equal(await page.getByTestId("amount").textContent(), "9,375");
  assert.doesNotMatch((await page.locator("main").textContent()) ?? "", /9\.375|1 USDT =/);
  await page.getByRole("button", { name: textsOf("fr").copyAmount }).click();
  await page.getByText(textsOf("fr").amountCopied).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "9.375");
});

test("names the language in headers for people and caches, and ignores one that a visitor sets", async ({
  shop,
  visit,
}) => {
  const { url } = await shop.createLink();
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
  const { page, waitForTitle } = await visit(`${url.slice(0, -1)}_?lang=fr`, { javaScriptEnabled: false });
  await waitForTitle(textsOf("fr").linkNotFound.title);
  assert.equal(await language(page), "fr ltr");
  assert.equal(await page.title(), textsOf("fr").linkNotFound.title);
});

for (const javaScriptEnabled of [false, true]) {
  const how = javaScriptEnabled ? "with scripts" : "without scripts";
  test(`keeps ?lang= through the choice of a network and every refresh, ${how}`, async ({ shop, visit }) => {
    const link = await shop.createLink();
    const checkout = await visit(`${link.url}?lang=fr`, { locale: "es-ES", javaScriptEnabled });
    const { page } = checkout;
    assert.equal(await checkout.title(), textsOf("fr").titles.choose);
    await checkout.choose(NETWORK);
    assert.deepEqual(query(page), { network: "bep20", token: "usdt", lang: "fr" });
    const { address, amount } = await checkout.ask();
    await shop.pay(address, amount);
    await shop.mine();
    await shop.waitForState(link.refid, "detected");
    if (!javaScriptEnabled) await page.reload();
    await checkout.waitForTitle(textsOf("fr").titles.confirming);
    assert.deepEqual(query(page), { network: "bep20", token: "usdt", lang: "fr" });
  });

  test(`changes the language with the switch and keeps the network, ${how}`, async ({ shop, visit }) => {
    const link = await shop.createLink();
    const checkout = await visit(link.url, { locale: "en-NG", javaScriptEnabled });
    const { page } = checkout;
    await checkout.choose(NETWORK);
    const foot = page.getByRole("navigation", { name: textsOf("en").language });
    assert.equal(await foot.locator('[aria-current="true"]').textContent(), "English");
    await foot.getByRole("link", { name: "Português" }).press("Enter");
    await checkout.waitForTitle(textsOf("pt").titles.pay);
    assert.equal(await language(page), "pt ltr");
    assert.deepEqual(query(page), { network: "bep20", token: "usdt", lang: "pt" });
  });
}

test("answers in English for a language that the page does not have", async ({ shop, visit }) => {
  const { url } = await shop.createLink();
  const { page } = await visit(`${url}?lang=ha`, { locale: "yo-NG" });
  assert.equal(await language(page), "en ltr");
  const codes = await page
    .locator("nav a[hreflang]")
    .evaluateAll((links) => links.map((link) => link.getAttribute("hreflang")));
  assert.deepEqual(codes, LANGUAGE_CODES);
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
