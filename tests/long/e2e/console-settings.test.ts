/** A merchant's own settings in the console: what a manager types there is what customers see. */
import assert from "node:assert/strict";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { test } from "#tests/e2e/fixtures.ts";
import { DESKTOP, PHONE } from "#tests/support/console.ts";
import { holdScripts } from "#tests/support/hold-scripts.ts";

const colorOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).backgroundColor);

test("a manager gives the payment page a name, a color, a logo and a contact, and sees them first", async ({
  shop,
  desk,
  visit,
}) => {
  const { page, shot } = await desk.tabOf("manager", DESKTOP);
  await page.goto(`${desk.base}/settings`);
  const preview = page.getByTestId("preview");
  const before = await colorOf(page, "[data-testid=preview] .bg-accent:last-child");
  await page.getByLabel("Name").fill("Kaduna <b>Roasters</b>");
  await page.getByLabel("Color").fill("#C81E1E");
  await preview.getByText("Kaduna <b>Roasters</b>").waitFor();
  assert.notEqual(await colorOf(page, "[data-testid=preview] .bg-accent:last-child"), before);
  await page.getByLabel("Help for customers").fill("not an address");
  await page.getByRole("form", { name: "Appearance" }).getByRole("button", { name: "Save" }).click();
  await page.getByText("Enter an e-mail address, an https address").waitFor();
  assert.equal(await page.getByLabel("Color").inputValue(), "#C81E1E", "a refusal keeps what was typed");
  await page.getByLabel("Help for customers").fill("help@shop.example");
  await page.getByRole("form", { name: "Appearance" }).getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();

  const logo = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#0a6b43" } })
    .png()
    .toBuffer();
  await page.getByLabel("Logo").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: logo });
  await page.getByRole("button", { name: "Upload" }).click();
  await page.getByText("The settings are saved.").waitFor();
  await preview.locator("img").waitFor();
  await shot("console-settings");

  const { refid } = await shop.createLink();
  const { page: payer } = await visit(`${desk.origin}/pay/${refid}`);
  await payer.getByText("Kaduna <b>Roasters</b>").first().waitFor();
  await payer.locator("img[src^='/pay/logo/']").waitFor();
  assert.equal(await payer.locator("link[href*='/accent/c81e1e-']").count(), 1);
  await page.getByRole("button", { name: "Remove the logo" }).click();
  await page.getByRole("button", { name: "Remove the logo" }).waitFor({ state: "detached" });
});

test("the preview shows a name and a color that were typed before the page's script ran", async ({
  desk,
}) => {
  const { page } = await desk.tabOf("manager", DESKTOP);
  const release = await holdScripts(page);
  await page.goto(`${desk.base}/settings`, { waitUntil: "domcontentloaded" });
  const button = "[data-testid=preview] .bg-accent:last-child";
  const before = await colorOf(page, button);
  await page.getByLabel("Name").fill("Early tea");
  await page.getByLabel("Color").fill("#C81E1E");
  release();
  await page.getByTestId("preview").getByText("Early tea").waitFor();
  assert.notEqual(await colorOf(page, button), before);
});

test("percentages, rates, pairs and websites are saved as they are typed, or refused next to their field", async ({
  shop,
  desk,
}) => {
  const { page, shot } = await desk.tabOf("owner", PHONE);
  await page.goto(`${desk.base}/settings`);
  const payments = page.getByRole("form", { name: "Payments" });
  const save = payments.getByRole("button", { name: "Save" });
  for (const [label, bad, message] of [
    ["May be missing", "100", "Enter 0 to 99.99 percent."],
    ["Mark-up", "1.234", "Enter 0 to 100 percent."],
    ["Rates of your own", "usdt=1", "Enter one rate in each line"],
  ] as const) {
    const field = page.getByLabel(label);
    const former = await field.inputValue();
    await field.fill(bad);
    await save.click();
    await page.getByText(message).waitFor();
    assert.equal(await field.inputValue(), bad);
    await field.fill(former);
  }
  await page.getByLabel("May be missing").fill("0.75");
  await page.getByLabel("Rates of your own").fill("usdt/ngn=1600\nbtc/usd=60000");
  await page.getByLabel("BTC on Bitcoin").fill("2");
  await page.getByLabel("USDT on BNB Smart Chain (BEP20)").fill("1");
  await page.getByLabel("USDT on TRON (TRC20)").fill("");
  await save.click();
  await payments.getByText("Saved.").waitFor();
  await page.getByLabel("Websites that may open").fill("https://shop.example/path");
  await page.getByRole("form", { name: "Websites" }).getByRole("button", { name: "Save" }).click();
  await page.getByText("without a path, one in each line").waitFor();
  await page.getByLabel("Websites that may open").fill("https://shop.example\nhttps://other.example");
  await page.getByRole("form", { name: "Websites" }).getByRole("button", { name: "Save" }).click();
  await page.getByRole("form", { name: "Websites" }).getByText("Saved.").waitFor();
  await shot("console-settings-phone");
  const { rows } = await shop.db.database.pool.query(
    "select tolerance_under_bps, fixed_rates, payment_pairs, allow_origins from merchants where id = $1",
    [desk.merchantId],
  );
  assert.deepEqual(rows[0], {
    tolerance_under_bps: 75,
    fixed_rates: "usdt/ngn=1600,btc/usd=60000",
    payment_pairs: ["bep20/usdt", "bitcoin/btc"],
    allow_origins: ["https://shop.example", "https://other.example"],
  });
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByText("owner (").first().waitFor();
  await page.getByText("0 → 75").waitFor();
  await shot("console-audit-phone");
});

test("days begin in the merchant's time zone, in lists, exports and statements", async ({ shop, desk }) => {
  const { page, shot } = await desk.tabOf("owner", {
    ...DESKTOP,
    timezoneId: "America/New_York",
    locale: "en-US",
  });
  const { refid } = await shop.createLink();
  await shop.db.database.pool.query(
    "update payment_links set created_at = '2026-11-23T23:30:00Z' where refid = $1",
    [refid],
  );
  await page.goto(`${desk.base}/payments`);
  await page.getByRole("cell", { name: /^Nov 23, 2026, 6:30\sPM$/ }).waitFor();
  await page.goto(`${desk.base}/settings`);
  const form = page.getByRole("form", { name: "Console" });
  await form.getByLabel("Time zone").selectOption("Africa/Lagos");
  await form.getByLabel("Currency of balances").selectOption("ngn");
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByText("Saved.").waitFor();
  await form.scrollIntoViewIfNeeded();
  await shot("console-time-zone-phone");
  await page.goto(`${desk.base}/payments`);
  await page.getByRole("cell", { name: /^Nov 24, 2026, 12:30\sAM$/ }).waitFor();
  for (const [query, count] of [
    ["from=2026-11-24", 1],
    ["to=2026-11-24", 1],
    ["to=2026-11-23", 0],
    ["from=2026-11-25", 0],
  ] as const) {
    await page.goto(`${desk.base}/payments?${query}`);
    await page.getByLabel("From (Lagos time)").waitFor();
    assert.equal(await page.locator(`a[href$="/payments/${refid}"]`).count(), count, query);
    const file = await page.request.get(`${desk.base}/exports/file?what=payments&format=csv&${query}`);
    assert.equal((await file.text()).includes(refid), count === 1, query);
  }
  await page.goto(`${desk.base}/money/statements?month=2026-11`);
  await page.getByText("Months are those of Lagos time.").waitFor();
  await page.goto(`${desk.base}/overview`);
  await page.getByText("Days are those of Lagos time.").waitFor();
  await page.goto(`${desk.base}/settings/audit`);
  await page.getByText("UTC → Africa/Lagos").waitFor();
  await page.getByText("usd → ngn").waitFor();
});

test("no upload but a small picture from this console is taken, and only by whom the role allows", async ({
  desk,
}) => {
  const { origin } = desk;
  const { token } = await desk.tabOf("owner");
  const upload = async (bytes: Buffer | string, headers: Record<string, string> = {}, as = token) => {
    const body = new FormData();
    body.set("logo", new Blob([typeof bytes === "string" ? bytes : Uint8Array.from(bytes)]), "logo.png");
    const response = await fetch(`${desk.base}/settings/logo`, {
      method: "POST",
      redirect: "manual",
      body,
      headers: { cookie: `paylink_session=${as}`, origin, ...headers },
    });
    return `${response.status} ${new URLSearchParams(response.headers.get("location")?.split("?")[1]).get("notice")}`;
  };
  const bomb = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: "#fff" } })
    .png({ compressionLevel: 9 })
    .toBuffer();
  assert.equal(await upload(bomb), "303 picture_too_many_pixels");
  assert.equal(await upload(Buffer.alloc(2_100_000)), "303 picture_too_large");
  assert.equal(
    await upload('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
    "303 picture_wrong_type",
  );
  assert.equal(await upload(bomb.subarray(0, 200)), "303 picture_too_many_pixels");
  assert.equal(await upload(""), "303 picture_missing");
  assert.match(await upload(bomb, { origin: "https://evil.example" }), /^403/);
  const { token: developer } = await desk.tabOf("developer");
  assert.match(await upload(bomb, {}, developer), /^404/);
  assert.match(await upload(bomb, {}, "x".repeat(43)), /^303/);
  assert.equal(await desk.count("merchant_logos"), 0);
});
