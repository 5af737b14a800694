import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Page } from "@playwright/test";
import sharp from "sharp";
import { openBrowser } from "#tests/support/browser.ts";
import { checkoutPage } from "#tests/support/checkout-page.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";

let stack: Stack;
let browser: Browser;
let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "paylink-branding-"));
  stack = await startStack();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await stack?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A page that records the browser's policy violations and errors. */
async function newPage(options: Parameters<Browser["newContext"]>[0] = {}) {
  const page = await (await browser.newContext(options)).newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return { page, complaints };
}

const accentOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent"));

test("shows the branding that the operator gives a merchant, under the page's strict policy", async () => {
  const link = await stack.createLink();
  const { page, complaints } = await newPage();
  const checkout = checkoutPage(page);
  await page.goto(link.url);
  assert.equal(await page.locator("header img").count(), 0);
  const own = await accentOf(page);

  const picture = join(folder, "logo.png");
  const red = { width: 300, height: 200, channels: 3, background: "#c81e1e" } as const;
  writeFileSync(picture, await sharp({ create: red }).png().toBuffer());
  const set = stack.cli(
    ...["merchant", "update", "shop@example.com", "--logo", picture],
    ...["--accent", "#c81e1e", "--support", "help@kaduna.example"],
  );
  assert.equal(set.status, 0, set.stderr);

  await page.reload();
  const logo = page.locator("header img");
  assert.ok(await logo.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth === 256));
  assert.equal(await accentOf(page), "#c81e1e");
  const answer = await page.request.get(
    String(await logo.getAttribute("src")).replace(/^/, new URL(link.url).origin),
  );
  assert.deepEqual(
    ["content-type", "cache-control", "x-content-type-options"].map((name) => answer.headers()[name]),
    ["image/webp", "public, max-age=31536000, immutable", "nosniff"],
  );
  await checkout.shot("branding-open");

  const dark = await newPage({ colorScheme: "dark", viewport: { width: 390, height: 844 } });
  await dark.page.goto(link.url);
  assert.ok(![own, "#c81e1e"].includes(await accentOf(dark.page)));
  await checkoutPage(dark.page).shot("branding-phone-dark");

  const soon = new Date(Date.now() + 2_000).toISOString();
  await page.goto((await stack.createLink({ expires_at: soon })).url);
  await checkout.waitForTitle("This payment has expired");
  const help = page.getByRole("link", { name: "help@kaduna.example" });
  assert.equal(await help.getAttribute("href"), "mailto:help@kaduna.example?subject=ORDER1");
  await checkout.shot("branding-expired");
  assert.deepEqual([...complaints, ...dark.complaints], []);
});

/** The fields that link preview readers take from a page's head, by name. */
async function headOf(url: string): Promise<{ html: string; fields: Map<string, string> }> {
  const html = await (await fetch(url, { headers: { "user-agent": "AnyChat/1.0" } })).text();
  const head = html.slice(0, html.indexOf("</head>"));
  const tags = head.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)"/g);
  return { html: head, fields: new Map([...tags].map(([, name = "", value = ""]) => [name, value])) };
}

test("previews a shared link with merchant, price and status, and nothing of the payer", async () => {
  const link = await stack.createLink();
  const page = checkoutPage((await newPage()).page);
  await page.page.goto(link.url);
  await page.choose("USDT BNB Smart Chain (BEP20)");
  const ask = await page.ask();

  const open = await headOf(link.url);
  const picture = new URL((open.fields.get("og:image") ?? "").replaceAll("&amp;", "&"));
  assert.equal(`${picture.origin}${picture.pathname}`, `${link.url}/preview.png`);
  assert.equal(open.fields.get("og:title"), "₦16,000.00 NGN to Kaduna Coffee");
  assert.equal(open.fields.get("description"), "Waiting for payment · USDT: BNB Smart Chain (BEP20)");
  assert.equal(open.fields.get("robots"), "noindex, nofollow");
  assert.deepEqual(
    ["twitter:card", "og:image:width", "og:image:height", "og:url"].map((name) => open.fields.get(name)),
    ["summary_large_image", "1200", "630", link.url],
  );
  for (const secret of [ask.address, "ada@example.com", "Obi", "ORDER1"]) {
    assert.ok(!open.html.includes(secret), secret);
  }
  assert.match(open.html, /rel="apple-touch-icon"/);

  const draw = async () => {
    const answer = await fetch(picture);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("content-type"), "image/png");
    return Buffer.from(await answer.arrayBuffer());
  };
  const before = await draw();
  const { width, height } = await sharp(before).metadata();
  assert.deepEqual([width, height], [1200, 630]);
  assert.ok((await draw()).equals(before), "the same while nothing has changed");

  await stack.pay(ask.address, ask.amount);
  await stack.mine(3);
  await stack.waitForState(link.refid, "completed");
  const paid = await draw();
  assert.ok(!paid.equals(before), "a paid link shows it in its picture");
  writeFileSync(join("test-results/screens", "preview-awaiting.png"), before);
  writeFileSync(join("test-results/screens", "preview-paid.png"), paid);
  assert.notEqual((await headOf(link.url)).fields.get("og:image"), open.fields.get("og:image"));
  assert.equal((await fetch(`${stack.pageUrl}/1111111111111111111111/preview.png`)).status, 404);
});
