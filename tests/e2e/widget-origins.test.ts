import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FrameLocator } from "@playwright/test";
import { updateMerchant } from "#lib/domain/merchants/update-merchant.ts";
import { buildWidgetScript } from "#packages/widget/build.ts";
import type {} from "#packages/widget/src/checkout.ts";
import { actOf } from "#tests/support/acts.ts";
import { checkoutPage } from "#tests/support/checkout-page.ts";
import { payButton as button, dialog, ready } from "#tests/support/widget-shop.ts";
import packageJson from "../../package.json" with { type: "json" };
import { BEP20, expect, test } from "./fixtures.ts";

test("refuses the frame to a shop that is not the link's, says so to its customer, and offers a link", async ({
  shop,
  widget: { site, makeLink, visitShop },
}) => {
  const { refid, url } = await makeLink();
  // The same server under its other host name is another origin.
  const page = await visitShop(button(refid), { host: "127.0.0.1" });
  await page.getByRole("button", { name: "Pay" }).click();
  const out = dialog(page).getByRole("link", { name: "Open the payment page" });
  await out.waitFor();
  assert.equal(
    await dialog(page).getByRole("status").textContent(),
    "The payment page is blocked or slow here.Open the payment page",
  );
  await checkoutPage(page).shot("widget-refused");
  await out.click();
  await page.waitForURL(url);

  // As `merchant update --allow-origin` does.
  const allowOrigins = [site.origin("127.0.0.1")];
  const updated = await shop.db.db.transaction((tx) =>
    updateMerchant(actOf(tx, shop.merchantId), { allowOrigins }),
  );
  assert.ok(updated.ok);
  const again = await visitShop(button(refid), { host: "127.0.0.1" });
  await again.getByRole("button", { name: "Pay" }).click();
  await ready(again);
});

test("sets the allowed framing origins per link", async ({ shop, widget: { site, home, makeLink } }) => {
  const { refid } = await makeLink({ cancel_url: `${site.origin("127.0.0.1")}/cart` });
  // A visitor cannot set the headers that this server sets for the page.
  const forged = { "x-paylink-parent": "https://evil.example", "x-paylink-theme": "dark" };
  const page = await (await fetch(`${home}/pay/${refid}`, { headers: forged })).text();
  assert.deepEqual([page.includes("evil"), page.includes('<html lang="en" dir="ltr">')], [false, true]);
  const framers = async (path: string) => {
    const { headers } = await fetch(`${home}${path}`);
    return /frame-ancestors ([^;]*)/.exec(headers.get("content-security-policy") ?? "")?.[1];
  };
  const both = `'self' ${site.origin()} ${site.origin("127.0.0.1")}`;
  assert.equal(await framers(`/pay/${refid}`), both);
  assert.equal(await framers(`/pay/${refid}?network=bep20`), both);
  assert.equal(await framers("/pay/1111111111111111111111"), "'self'");
  const other = await shop.createLink();
  assert.equal(await framers(`/pay/${other.refid}`), `'self' ${shop.merchantUrl}`);
});

test("the script accepts messages from the page only, not from a look-alike or another window of its origin", async ({
  widget: { site, home, makeLink, visitShop },
}) => {
  const { refid } = await makeLink();
  const evil = site.origin("127.0.0.1");
  const page = await visitShop(`${button(refid)}<iframe id="other"></iframe>`, { allow: evil });
  const forged = { paylink: 1, refid, type: "outcome", status: "completed", url: `${evil}/stolen` };
  site.show("/evil", `<script>parent.postMessage(${JSON.stringify(forged)}, "*")</script>`);
  await page.evaluate(() => {
    const heard: string[] = [];
    addEventListener("message", ({ origin }) => heard.push(origin));
    addEventListener("paylink:status", () => heard.push("believed"));
    Object.assign(window, { heard });
  });
  const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
  await page.getByRole("button", { name: "Pay" }).click();
  await ready(page);
  // From the shop's own window, from the frame after it navigated away, and from another frame of our origin.
  await page.evaluate((message) => window.postMessage(message, "*"), forged);
  await dialog(page)
    .locator("iframe")
    .evaluate((frame: HTMLIFrameElement, src) => {
      frame.src = src;
    }, `${evil}/evil`);
  await page.evaluate(
    ([message, origin]) => {
      const source = document.querySelector<HTMLIFrameElement>("#other")?.contentWindow ?? null;
      window.dispatchEvent(new MessageEvent("message", { data: message, origin, source }));
    },
    [forged, home] as const,
  );
  await expect.poll(heard).toEqual(expect.arrayContaining([site.origin(), evil, home]));
  assert.deepEqual(
    (await heard()).filter((one) => one === "believed"),
    ["believed"],
    "only the page's own status was believed",
  );
  assert.equal(await dialog(page).count(), 1);
  assert.equal(page.url(), `${site.origin()}/`);
});

test("the page accepts messages from its parent only and answers no one else", async ({
  widget: { site, home, makeLink, visitShop },
}) => {
  const cancel = `${site.origin("127.0.0.1")}/cart`;
  const { refid } = await makeLink({ cancel_url: cancel });
  const page = await visitShop("");
  /**
   * Frames the page without the script, and claims that `parent` is above it. Records the page's messages.
   */
  const frameIt = async (parent: string) => {
    const src = `${home}/pay/${refid}?parent=${encodeURIComponent(parent)}`;
    await page.evaluate((address) => {
      const heard: unknown[] = [];
      const frame = Object.assign(document.createElement("iframe"), { src: address });
      // A message of the frame before may still be on its way.
      addEventListener("message", ({ data, source }) => {
        if (source === frame.contentWindow) heard.push(data.type);
      });
      document.body.replaceChildren(frame);
      Object.assign(window, { heard });
    }, src);
    const frame = page.frameLocator("iframe");
    await frame.getByRole("button", { name: BEP20 }).waitFor();
    return frame;
  };
  const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
  const press = async (frame: FrameLocator) => {
    await frame.getByRole("button", { name: BEP20 }).focus();
    await page.keyboard.press("Escape");
  };
  const greet = (message: object) =>
    page.evaluate((hello) => window.frames[0]?.postMessage(hello, "*"), message);
  const hello = { paylink: 1, refid, type: "hello" };

  const right = await frameIt(site.origin());
  await expect.poll(heard).toContain("ready");
  // A greeting of another window of the right origin, of another origin, of another link, of another version.
  await right.locator("body").evaluate(
    (_, [data, origin, other]) => {
      const tell = (from: string, source: Window) =>
        window.dispatchEvent(new MessageEvent("message", { data, origin: from, source }));
      tell(origin, window);
      tell(other, window.parent);
    },
    [hello, site.origin(), site.origin("127.0.0.1")] as const,
  );
  await greet({ ...hello, refid: "1111111111111111111111" });
  await greet({ ...hello, paylink: 2 });
  await press(right);
  assert.deepEqual(await heard(), ["ready"]);
  await greet(hello);
  await expect.poll(heard).toContain("resize");
  await press(right);
  await expect.poll(heard).toContain("close");

  // An origin that may frame it but does not. The browser delivers the messages to no other origin.
  const wrong = await frameIt(site.origin("127.0.0.1"));
  await wrong.getByRole("button", { name: BEP20 }).click();
  await wrong.getByTestId("address").waitFor();
  await greet(hello);
  assert.deepEqual(await heard(), []);
});

test("refuses a choice posted from another site or without an origin", async ({
  widget: { site, home, makeLink },
}) => {
  const { url } = await makeLink();
  for (const origin of [site.origin(), "null", home.replace("127.0.0.1", "localhost.example")]) {
    const { status } = await fetch(url, { method: "POST", headers: { origin }, body: new FormData() });
    assert.equal(status, 403, origin);
  }
});

test("serves the script to every shop, and its pinned name forever", async ({
  page,
  widget: { site, home, policy },
}) => {
  const built = readFileSync(join(import.meta.dirname, "../../public/checkout.js"), "utf8");
  const plain = await fetch(`${home}/checkout.js`);
  assert.equal(await plain.text(), built);
  assert.match(plain.headers.get("content-type") ?? "", /javascript; charset=utf-8/i);
  assert.equal(plain.headers.get("access-control-allow-origin"), "*");
  assert.match(plain.headers.get("cache-control") ?? "", /max-age=300/);
  const { pinnedName: name, integrity } = await buildWidgetScript(packageJson.version);
  const pinned = await fetch(`${home}/${name}`);
  assert.equal(await pinned.text(), built);
  assert.match(pinned.headers.get("cache-control") ?? "", /max-age=31536000, immutable/);

  const script = (hash: string) =>
    `<script src="${home}/${name}" integrity="${hash}" crossorigin="anonymous"></script>`;
  for (const [hash, loaded] of [
    [integrity, true],
    ["sha384-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", false],
  ] as const) {
    site.show("/pinned", `<!doctype html><title>shop</title>${script(hash)}`, policy());
    await page.goto(`${site.origin()}/pinned`);
    assert.equal(await page.evaluate(() => window.Paylink !== undefined), loaded);
  }
});
