/** A merchant without a server sells with a form: as a payer, with scripts and without, and as an attacker. */
import assert from "node:assert/strict";
import { join } from "node:path";
import sharp from "sharp";
import { VISITOR_LIMIT } from "#lib/domain/payment-links/visitor-rules.ts";
import { addresses as addressTable } from "#lib/domain/wallets/tables.ts";
import { BEP20, test } from "#tests/e2e/fixtures.ts";
import { temporaryFolder } from "#tests/support/database.ts";
import type { Stack } from "#tests/support/stack.ts";
import { newAddress, plainForm } from "#tests/support/stranger.ts";

/** The submissions from one address. `FORM_FLOOD=10000` sends more of them. */
const SUBMISSIONS = Number(process.env.FORM_FLOOD ?? 100);
const HOSTILE = '<img src=x onerror="document.title=1">';

async function aForm(shop: Stack, ...terms: string[]): Promise<{ form: string; url: string }> {
  const made = await shop.run("form", "create", shop.email, "--env", "test", ...terms);
  return { form: String(made.form), url: String(made.form_url) };
}

const soldWith = async (shop: Stack, form: string) => {
  const { taken_quantity, taken_amount } = await shop.run("form", "show", form);
  return [taken_quantity, taken_amount];
};

/** Milliseconds until the form's page has come to another visitor. */
async function medianMs(url: string, times: number): Promise<number> {
  const address = newAddress();
  const taken: number[] = [];
  for (let i = 0; i < times; i++) {
    const started = performance.now();
    await (await fetch(url, { headers: { "x-forwarded-for": address } })).text();
    taken.push(Math.round(performance.now() - started));
  }
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)] ?? 0;
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with" : "without";
  test(`sells two of a thing to a payer ${how} scripts`, { tag: "@phone" }, async ({ shop, visit }) => {
    const picture = join(temporaryFolder(), "shirt.png");
    const blue = { width: 1_200, height: 900, channels: 3, background: "#3355aa" } as const;
    await sharp({ create: blue }).toFile(picture);
    const terms = ["--amount", "8000", "--max-quantity", "5", "--stock", "2", "--fields", "Size"];
    terms.push("--picture", picture);
    const { form, url } = await aForm(
      shop,
      "--title",
      "T-shirt",
      "--description",
      "Cotton.\nBlue.",
      ...terms,
    );
    const checkout = await visit(url, { javaScriptEnabled });
    const { page } = checkout;
    assert.equal(await checkout.title(), "T-shirt");
    await page.getByText("₦8,000.00 each").waitFor();
    const sizes = page.locator('img[src^="/buy/picture/"]').evaluate((image) => {
      const { naturalWidth, naturalHeight } = image as HTMLImageElement;
      return [naturalWidth, naturalHeight];
    });
    if (javaScriptEnabled) assert.deepEqual(await sizes, [960, 720]);
    if (javaScriptEnabled) await checkout.shot("form-open");
    await page.getByLabel("Quantity").fill("2");
    await page.getByLabel("First name").fill("Ada");
    await page.getByLabel("Last name").fill("Obi");
    await page.getByLabel("E-mail address").fill("ada@example.com");
    await page.getByLabel("Size").fill("M");
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await page.getByRole("heading", { name: "Choose how to pay" }).waitFor();
    assert.deepEqual(await soldWith(shop, form), [2, "16000"]);
    await checkout.choose(BEP20);
    const ask = await checkout.ask();
    assert.equal(ask.amount, "10");
    await shop.pay(ask.address, ask.amount);
    await shop.mine(3);
    const refid = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const { data } = await shop.waitForWebhook(refid, "payment_link_completed");
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
    } else await page.goto(`${url}?paid=${refid}`);
    await page.getByText("Thank you. Your payment is complete.").waitFor();
    await page.getByText("Sold out").waitFor();
  });
}

test("an open amount has its range, suggestions and a message, and going back creates no second link", async ({
  shop,
  visit,
  stranger,
}) => {
  const range = ["--minimum-amount", "500", "--maximum-amount", "20000", "--suggested-amounts", "1600"];
  const { form, url } = await aForm(shop, "--title", "A gift", "--ask", "note", ...range);
  const checkout = await visit(url, { javaScriptEnabled: false });
  const { page } = checkout;
  await page.getByText("At least ₦500.00. At most ₦20,000.00.").waitFor();
  const amount = page.getByLabel("Amount in NGN");
  await page.locator("form").evaluate((element) => element.setAttribute("novalidate", ""));
  await amount.fill("499.99");
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await page.getByText("This amount is not possible here.").waitFor();
  await amount.fill("1600");
  const visitKey = await page.locator('input[name="visit"]').getAttribute("value");
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await page.getByRole("heading", { name: "Choose how to pay" }).waitFor();
  const first = new URL(page.url()).pathname;
  const fields = { form, visit: visitKey ?? "", amount: "1600", quantity: "", note: "" };
  const again = await stranger.post(`/buy/${form}`, plainForm(fields, stranger.actions.submit ?? ""), {
    origin: new URL(url).origin,
  });
  assert.ok(again.location?.includes(first), `${again.status} ${again.location}`);
  assert.deepEqual(await soldWith(shop, form), [1, "1600"]);
});

test("texts of the merchant and the payer run nowhere, and no URL of a form runs as a script", async ({
  shop,
  visit,
}) => {
  const texts = ["--title", HOSTILE, "--description", HOSTILE, "--fields", HOSTILE, "--ask", "note"];
  const { url } = await aForm(shop, "--amount", "1600", ...texts);
  const checkout = await visit(url);
  const { page } = checkout;
  assert.equal(await checkout.title(), HOSTILE);
  await page.getByLabel(HOSTILE, { exact: true }).fill(HOSTILE);
  await page.getByLabel("Note").fill(HOSTILE);
  assert.equal(await page.locator("img[src=x]").count(), 0);
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await page.getByRole("heading", { name: "Choose how to pay" }).waitFor();
  assert.equal(await page.locator("img[src=x]").count(), 0);
  assert.notEqual(await page.title(), "1");
  for (const back of [
    "javascript:alert(1)",
    "data:text/html,x",
    "https://user@shop.example/",
    "//shop.example",
  ]) {
    const args = ["--title", "T", "--success-url", back];
    const { status } = await shop.cli("form", "create", shop.email, "--env", "test", ...args);
    assert.equal(status, 1, back);
  }
});

test("a flood from one address creates no address, few links, and stops nobody else", async ({
  shop,
  stranger,
}) => {
  const { form, url } = await aForm(shop, "--title", "T", "--amount", "1600", "--ask", "nothing");
  const origin = { origin: new URL(url).origin };
  const submit = (visitKey: string) => {
    const fields = { form, visit: visitKey, amount: "", quantity: "" };
    return stranger.post(`/buy/${form}`, plainForm(fields, stranger.actions.submit ?? ""), origin);
  };
  const addresses = () => shop.db.db.$count(addressTable);
  const before = await addresses();
  const keys = Array.from({ length: SUBMISSIONS }, (_, i) => i.toString(16).padStart(32, "0"));
  const quiet = await medianMs(url, 20);
  let isOver = false;
  const flood = (async () => {
    for (let i = 0; i < keys.length; i += 20) await Promise.all(keys.slice(i, i + 20).map(submit));
    isOver = true;
  })();
  const during: number[] = [];
  while (!isOver) during.push(await medianMs(url, 1));
  await flood;
  const middle = during.sort((a, b) => a - b)[Math.floor(during.length / 2)] ?? 0;
  assert.ok(middle < Math.max(1_000, 20 * quiet), `${middle} ms during the flood, ${quiet} ms before`);
  assert.equal((await soldWith(shop, form))[0], VISITOR_LIMIT);
  assert.equal(await addresses(), before);
  stranger.address = newAddress();
  const other = await submit("f".repeat(32));
  assert.match(other.location ?? "", /\/pay\//);
});

test("a posted form with anything but a visit of its own page changes nothing", async ({
  shop,
  stranger,
}) => {
  const { form, url } = await aForm(shop, "--title", "T", "--amount", "1600", "--ask", "nothing");
  const { form: other } = await aForm(shop, "--title", "Other", "--amount", "1600", "--ask", "nothing");
  const own = { origin: new URL(url).origin };
  const good = { form, visit: "e".repeat(32), amount: "", quantity: "" };
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
  assert.equal((await soldWith(shop, form))[0], 0);
});
