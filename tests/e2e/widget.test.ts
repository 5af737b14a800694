import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import type { FrameLocator, Page } from "@playwright/test";
import { shop as demoShop } from "#lib/demo/shop.ts";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import type {} from "#packages/widget/src/checkout.ts";
import { checkoutPage } from "#tests/support/checkout-page.ts";
import type { Stack } from "#tests/support/stack.ts";
import {
  payButton as button,
  dialog,
  gone,
  inDialog,
  keepStatuses,
  ready,
  seenBy,
} from "#tests/support/widget-shop.ts";
import { browserModules } from "./browser-modules.ts";
import { BEP20, expect, test } from "./fixtures.ts";

/** Chooses the network and pays the requested amount. The worker sees the payment once it is mined. */
async function payIn(frame: FrameLocator | Page, shop: Stack): Promise<void> {
  await frame.getByRole("button", { name: BEP20 }).click();
  const address = (await frame.getByTestId("address").textContent()) ?? "";
  await shop.pay(address, (await frame.getByTestId("amount").getAttribute("value")) ?? "");
  await shop.mine(3);
}

test("opens the page over the shop from a button; the customer pays and returns to the shop", async ({
  shop,
  widget: { site, makeLink, visitShop },
}) => {
  const { refid } = await makeLink();
  const page = await visitShop(button(refid));
  const violations: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy/.test(message.text())) violations.push(message.text());
  });
  await keepStatuses(page);
  await page.getByRole("button", { name: "Pay" }).click();
  const frame = await ready(page);
  assert.equal(await dialog(page).getAttribute("aria-label"), "Choose how to pay · Kaduna Coffee");
  assert.equal(await dialog(page).locator("iframe").getAttribute("allow"), "clipboard-write");
  await checkoutPage(page).shot("widget-desktop");
  await payIn(frame, shop);
  // The button to the shop is a link within the frame. The script follows it for the whole window.
  const wayOn = frame.getByRole("link", { name: "Continue to Kaduna Coffee" });
  await wayOn.waitFor();
  // The page reports to its parent after it has drawn.
  await expect.poll(async () => (await seenBy(page)).at(-1)).toBe("completed");
  const seen = await seenBy(page);
  assert.deepEqual(seen.slice(0, 2), ["open", "awaiting"]);
  await wayOn.click();
  await page.waitForURL(`${site.origin()}/thanks`);
  assert.deepEqual(violations, []);
  assert.equal((await shop.getLink(refid)).state, "completed");
});

for (const javaScriptEnabled of [true, false]) {
  test(`a static page sells with a form's button, scripts ${javaScriptEnabled ? "on" : "off"}`, async ({
    shop,
    visit,
    widget: { site, visitShop },
  }) => {
    const { form } = await shop.run(
      ...["form", "create", shop.email, "--env", "test", "--title", "T-shirt", "--amount", "16000"],
      ...["--ask", "email", "--success-url", `${site.origin()}/thanks`],
    );
    const snippet = String((await shop.run("form", "show", String(form))).snippet);
    let page: Page;
    if (javaScriptEnabled) {
      page = await visitShop(snippet.slice(snippet.indexOf("<a ")));
      await keepStatuses(page);
    } else {
      site.show("/", `<!doctype html><html lang="en"><title>shop</title><body>${snippet}</body></html>`);
      ({ page } = await visit(`${site.origin()}/`, { javaScriptEnabled }));
    }
    await page.getByRole("link", { name: "Buy" }).click();
    const place = javaScriptEnabled ? await ready(page) : page;
    await place.getByLabel("E-mail address").fill("ada@example.com");
    if (javaScriptEnabled) await checkoutPage(page).shot("widget-form");
    await place.getByRole("button", { name: "Continue to payment" }).click();
    await payIn(place, shop);
    await expect.poll(() => shop.webhooks.map(({ type }) => type)).toContain("payment_link_completed");
    const paid = shop.webhooks.find(({ type }) => type === "payment_link_completed");
    assert.partialDeepStrictEqual(paid?.data, { metadata: { form, email: "ada@example.com" } });
    if (javaScriptEnabled) {
      await expect.poll(async () => (await seenBy(page)).at(-1)).toBe("completed");
      await place.getByRole("link", { name: "Continue to Kaduna Coffee" }).click();
      await page.waitForURL(`${site.origin()}/thanks`);
    } else {
      await page.reload();
      await page.getByRole("heading", { name: "Payment complete" }).waitFor();
    }
  });
}

test("closes by Escape and by the cross from either side, and restores focus and scrolling", async ({
  widget: { site, makeLink, visitShop },
}) => {
  const { refid } = await makeLink();
  const page = await visitShop(button(refid));
  const opener = page.getByRole("button", { name: "Pay" });
  const overflow = () => page.evaluate(() => document.documentElement.style.overflow);
  const closings = [
    async () => page.keyboard.press("Escape"),
    async () => {
      // The shop's page receives no key events from within the frame.
      await inDialog(page).getByRole("button", { name: BEP20 }).focus();
      await page.keyboard.press("Escape");
    },
    async () => dialog(page).getByRole("button", { name: "Close" }).click(),
    async () => inDialog(page).getByRole("link", { name: "Cancel and go back" }).click(),
    async () => page.evaluate(() => window.Paylink?.close()),
  ];
  for (const close of closings) {
    await opener.focus();
    await page.keyboard.press("Enter");
    await ready(page);
    assert.equal(await overflow(), "hidden");
    // Nothing behind the dialog is reachable.
    const inside = await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.ariaLabel);
    assert.equal(inside, "Close");
    await close();
    await gone(page);
    assert.equal(await overflow(), "");
    await expect(opener).toBeFocused();
    assert.equal(page.url(), `${site.origin()}/`);
  }
});

test("Back returns from the payment to the choice, and then closes the dialog", async ({
  widget: { site, makeLink, visitShop },
}) => {
  const { refid } = await makeLink();
  const page = await visitShop(button(refid));
  await page.getByRole("button", { name: "Pay" }).click();
  const frame = await ready(page);
  await frame.getByRole("button", { name: BEP20 }).click();
  await frame.getByTestId("address").waitFor();
  // `goBack()` waits for the window itself to load something.
  const goBack = () => page.evaluate(() => history.back());
  await goBack();
  await frame.getByRole("heading", { name: "Choose how to pay" }).waitFor();
  await goBack();
  await gone(page);
  assert.equal(page.url(), `${site.origin()}/`);
  await page.getByRole("heading", { name: "A shop" }).waitFor();
});

test("open() resolves to the outcome, and does not redirect with redirect: false", async ({
  shop,
  widget: { site, makeLink, visitShop },
}) => {
  const { refid, url } = await makeLink();
  const page = await visitShop("");
  await page.clock.install();
  await page.evaluate((link) => {
    const seen: string[] = [];
    const opened = window.Paylink?.open(link, {
      redirect: false,
      onStatus: (status) => seen.push(status),
      onClose: () => seen.push("closed"),
    });
    Object.assign(window, { seen, outcome: opened });
  }, url);
  const frame = await ready(page);
  await payIn(frame, shop);
  await frame.getByRole("button", { name: "Stay here" }).waitFor();
  await expect(async () => {
    await page.clock.runFor(1_000);
    assert.equal(await page.locator("dialog").count(), 0);
  }).toPass({ intervals: [0] });
  const outcome = await page.evaluate(() => (window as unknown as { outcome: Promise<unknown> }).outcome);
  assert.deepEqual(outcome, { refid, status: "completed" });
  const seen = await seenBy(page);
  assert.deepEqual([seen[0], ...seen.slice(-2)], ["open", "completed", "closed"]);
  assert.equal(page.url(), `${site.origin()}/`);
});

test("mounts two links in the page at their content's height, without mixing their messages", async ({
  widget: { makeLink, visitShop },
}) => {
  const [one, two] = [await makeLink(), await makeLink()];
  // The second one is outside the visible part.
  const page = await visitShop(`<div id="one"></div>${"<br>".repeat(150)}<div id="two"></div>`);
  await page.evaluate(
    (refids) => {
      const seen: string[][] = [];
      for (const [refid, id] of refids) {
        const place = document.getElementById(id) as HTMLElement;
        window.Paylink?.mount(place, refid, { onStatus: (status, whose) => seen.push([whose, status]) });
      }
      Object.assign(window, { seen });
    },
    [
      [one.refid, "one"],
      [two.refid, "two"],
    ] as [string, string][],
  );
  const frames = ["#one", "#two"].map((place) => page.locator(place).locator("iframe"));
  for (const frame of frames) {
    await frame.contentFrame().getByRole("button", { name: BEP20 }).waitFor();
    await expect(async () => {
      const inner = frame.contentFrame().locator("body");
      const high = await inner.evaluate((body) => body.getBoundingClientRect().height);
      assert.ok(high > 400 && Math.abs(((await frame.boundingBox())?.height ?? 0) - high) <= 1);
    }).toPass();
  }
  await frames[1]?.contentFrame().getByRole("button", { name: BEP20 }).click();
  const seen = () => page.evaluate(() => (window as unknown as { seen: string[][] }).seen);
  await expect.poll(async () => (await seen()).length).toBe(3);
  assert.deepEqual((await seen())[2], [two.refid, "awaiting"]);
  assert.deepEqual(
    (await seen())
      .slice(0, 2)
      .map(([whose]) => whose)
      .sort(),
    [one.refid, two.refid].sort(),
  );
  await page.evaluate(() => window.Paylink?.destroy());
  assert.equal(await page.locator("iframe").count(), 0);
});

test("handles a button added later, and none after destroy()", async ({
  widget: { makeLink, visitShop },
}) => {
  const { refid, url } = await makeLink();
  const page = await visitShop("");
  await page.evaluate((id) => {
    const late = document.createElement("button");
    late.dataset.paylink = id;
    late.innerHTML = "<span>Pay late</span>";
    document.body.append(late);
  }, refid);
  await page.getByText("Pay late").click();
  await ready(page);
  await page.evaluate(() => window.Paylink?.destroy());
  await gone(page);
  await page.getByText("Pay late").click();
  assert.equal(await page.locator("iframe").count(), 0);
  // Without the script it is a plain link.
  await page.evaluate((href) => {
    document.body.append(Object.assign(document.createElement("a"), { href, textContent: "Pay here" }));
  }, url);
  await page.getByRole("link", { name: "Pay here" }).click();
  await page.waitForURL(url);
});

test("opens the link of a button that was pressed before the script loaded", async ({
  context,
  widget: { site, home, policy, makeLink },
}) => {
  const docs = readFileSync(join(import.meta.dirname, "../../docs/integrate/embed.md"), "utf8");
  const [, stub = ""] = /<script>(addEventListener.+)<\/script>/.exec(docs) ?? [];
  const digest = `'sha256-${createHash("sha256").update(stub).digest("base64")}'`;
  assert.ok(docs.includes(digest), `the documented policy must allow ${digest}`);
  const { refid } = await makeLink();
  site.show(
    "/",
    `<!doctype html><html lang="en"><title>shop</title><script>${stub}</script>
<script async src="${home}/checkout.js"></script><body>${button(refid)}</body></html>`,
    policy(digest),
  );
  const page = await context.newPage();
  const pressed = Promise.withResolvers<void>();
  await page.route(/checkout\.js/, async (route) => {
    await pressed.promise;
    await route.continue();
  });
  await page.goto(site.origin(), { waitUntil: "commit" });
  await page.getByRole("button", { name: "Pay" }).click();
  assert.equal(await page.locator("dialog").count(), 0);
  pressed.resolve();
  await ready(page);
  await page.keyboard.press("Escape");
  await gone(page);
});

test("fills a phone's screen, in the requested language and theme", async ({
  widget: { makeLink, visitShop },
}) => {
  const { refid } = await makeLink();
  const viewport = { width: 390, height: 844 };
  const page = await visitShop(button(refid, 'data-paylink-theme="dark" data-paylink-locale="ar"'), {
    viewport,
    hasTouch: true,
    isMobile: true,
    reducedMotion: "reduce",
  });
  await page.getByRole("button", { name: "Pay" }).tap();
  const frame = await ready(page);
  assert.deepEqual(await dialog(page).boundingBox(), { x: 0, y: 0, ...viewport });
  const html = frame.locator("html");
  assert.equal(await html.getAttribute("data-theme"), "dark");
  assert.equal(
    await html.evaluate((one) => getComputedStyle(one.querySelector("body") ?? one).backgroundColor),
    "rgb(18, 24, 38)",
  );
  assert.match((await dialog(page).locator("iframe").getAttribute("src")) ?? "", /[?&]lang=ar(&|$)/);
  const wide = await html.evaluate((one) => one.scrollWidth);
  assert.ok(wide <= viewport.width, `the page in the dialog is ${wide} px wide`);
});

test("keeps theme and parent after choosing a network, and lets the frame copy", async ({
  widget: { site, makeLink, visitShop },
}) => {
  const { refid } = await makeLink();
  const page = await visitShop(button(refid, 'data-paylink-theme="light"'), { colorScheme: "dark" });
  await page.getByRole("button", { name: "Pay" }).click();
  const frame = await ready(page);
  await frame.getByRole("button", { name: BEP20 }).click();
  await frame.getByTestId("address").waitFor();
  const search = await frame.locator("html").evaluate((one) => one.ownerDocument.location.search);
  const query = new URLSearchParams(search);
  assert.deepEqual(
    [query.get("network"), query.get("theme"), query.get("parent")],
    ["bep20", "light", site.origin()],
  );
  // Granted by `allow`, and accepted by the page's own policy.
  const mayCopy = await frame.locator("html").evaluate((one) => {
    const { featurePolicy } = one.ownerDocument as Document & {
      featurePolicy: { allowsFeature(name: string): boolean };
    };
    return featurePolicy.allowsFeature("clipboard-write");
  });
  assert.equal(mayCopy, true);
  const background = await frame.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
  assert.equal(background, "rgb(255, 255, 255)");
});

test("React: mounts and unmounts a button and a page under StrictMode", async ({
  widget: { site, makeLink, visitShop },
}) => {
  const { url, refid } = await makeLink();
  site.serve("/app.js", browserModules("packages/widget/src/react.tsx"));
  const page = await visitShop('<div id="app"></div>', { allow: site.origin() });
  await page.addScriptTag({ url: `${site.origin()}/app.js` });
  await page.evaluate((link) => {
    const { modules } = window as unknown as { modules(name: string): never };
    const { createElement, StrictMode } = modules("react") as typeof import("react");
    const { createRoot } = modules("react-dom/client") as typeof import("react-dom/client");
    const { PaylinkButton, PaylinkCheckout } = modules(
      "packages/widget/src/react.tsx",
    ) as typeof import("#packages/widget/src/react.tsx");
    const seen: unknown[] = [];
    const root = createRoot(document.getElementById("app") as HTMLElement);
    root.render(
      createElement(
        StrictMode,
        null,
        createElement(PaylinkButton, { link, onClose: (outcome) => seen.push(outcome) }, "Pay"),
        createElement(PaylinkCheckout, { link, onStatus: (status: string) => seen.push(status) }),
      ),
    );
    Object.assign(window, { seen, root });
  }, url);
  const inline = page.locator("#app iframe");
  await inline.contentFrame().getByRole("button", { name: BEP20 }).waitFor();
  assert.equal(await inline.count(), 1);
  const seen = () => page.evaluate(() => (window as unknown as { seen: unknown[] }).seen);
  await expect.poll(seen).toContain("open");
  await page.getByRole("button", { name: "Pay" }).click();
  await ready(page);
  await page.keyboard.press("Escape");
  await gone(page);
  assert.deepEqual((await seen()).at(-1), { refid, status: "open" });
  await page.evaluate(() => (window as unknown as { root: { unmount(): void } }).root.unmount());
  assert.equal(await page.locator("iframe").count(), 0);
});

test("the demo shop creates a link and opens it over its own page", async ({ shop, page }) => {
  const settings = { baseUrl: shop.baseUrl, testKey: shop.testKey, shopUrl: "http://localhost" };
  const port = await choosePort(0);
  const shopUrl = `http://127.0.0.1:${port}`;
  const { fetch: handle } = demoShop({ ...settings, shopUrl });
  const server = serve({ fetch: handle, hostname: "127.0.0.1", port, overrideGlobalObjects: false });
  try {
    await page.goto(shopUrl);
    await page.waitForFunction(() => window.Paylink !== undefined);
    await page.getByRole("button", { name: "Pay here" }).first().click();
    await (await ready(page)).getByText("16,000.00").waitFor();
  } finally {
    server.close();
  }
});
