import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { test } from "#tests/e2e/fixtures.ts";
import { temporaryFolder } from "#tests/support/database.ts";
import { endTimeToPay } from "#tests/support/link-states.ts";
import { DEVICES } from "#tests/support/page-looks.ts";

/** Keeps violations of a page's policy, and errors. */
function keepComplaints(page: Page, complaints: string[]): void {
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
}

const accentOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent"));

test("shows the branding that the operator gives a merchant, under the page's strict policy", async ({
  shop,
  visit,
}) => {
  const link = await shop.createLink();
  const complaints: string[] = [];
  const prepare = async (page: Page) => keepComplaints(page, complaints);
  const checkout = await visit(link.url, { prepare });
  const { page } = checkout;
  assert.equal(await page.locator("header img").count(), 0);
  const own = await accentOf(page);

  const picture = join(temporaryFolder(), "logo.png");
  const red = { width: 300, height: 200, channels: 3, background: "#c81e1e" } as const;
  await sharp({ create: red }).png().toFile(picture);
  await shop.run(
    ...["merchant", "update", shop.email, "--logo", picture],
    ...["--accent", "#c81e1e", "--support", "help@kaduna.example"],
  );

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

  const dark = await visit(link.url, { ...DEVICES.phone, colorScheme: "dark", prepare });
  assert.ok(![own, "#c81e1e"].includes(await accentOf(dark.page)));
  await dark.shot("branding-phone-dark");

  await endTimeToPay(shop, link.refid);
  await checkout.waitForTitle("This payment has expired");
  await page.getByText("help@kaduna.example").waitFor();
  const help = page.getByRole("link", { name: "Ask for a new link" });
  assert.equal(await help.getAttribute("href"), "mailto:help@kaduna.example?subject=ORDER1");
  await checkout.shot("branding-expired");
  assert.deepEqual(complaints, []);
});

/** The fields that link preview readers take from a page's head, by name. */
async function headOf(url: string): Promise<{ html: string; fields: Map<string, string> }> {
  const html = await (await fetch(url, { headers: { "user-agent": "AnyChat/1.0" } })).text();
  const head = html.slice(0, html.indexOf("</head>"));
  const tags = head.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)"/g);
  return { html: head, fields: new Map([...tags].map(([, name = "", value = ""]) => [name, value])) };
}

test("previews a shared link with merchant, price and status, and nothing of the payer", async ({
  shop,
  choose,
}) => {
  const { asked, ...link } = await choose();
  const open = await headOf(link.url);
  const picture = new URL((open.fields.get("og:image") ?? "").replaceAll("&amp;", "&"));
  assert.equal(`${picture.origin}${picture.pathname}`, `${link.url}/preview.png`);
  assert.equal(open.fields.get("og:title"), "₦16,000.00 to Kaduna Coffee");
  assert.equal(
    open.fields.get("description"),
    "Waiting for payment · USDT: TRON (TRC20), BNB Smart Chain (BEP20)",
  );
  assert.equal(open.fields.get("robots"), "noindex, nofollow");
  assert.deepEqual(
    ["twitter:card", "og:image:width", "og:image:height", "og:url"].map((name) => open.fields.get(name)),
    ["summary_large_image", "1200", "630", link.url],
  );
  for (const secret of [asked.address, "ada@example.com", "Obi", "ORDER1"]) {
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

  await shop.pay(asked.address, asked.amount);
  await shop.mine(3);
  await shop.waitForState(link.refid, "completed");
  const paid = await draw();
  assert.ok(!paid.equals(before), "a paid link shows it in its picture");
  assert.notEqual((await headOf(link.url)).fields.get("og:image"), open.fields.get("og:image"));
  assert.equal((await fetch(`${shop.pageUrl}/1111111111111111111111/preview.png`)).status, 404);
});
