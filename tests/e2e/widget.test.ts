import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, BrowserContextOptions, FrameLocator, Page } from "playwright";
import { updateMerchant } from "#lib/merchants/update-merchant.ts";
import type {} from "#lib/widget/checkout.ts";
import { makeScript } from "#lib/widget/make-script.ts";
import { openBrowser } from "#tests/support/browser.ts";
import { type ShopServer, startShopServer } from "#tests/support/shop-server.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";
import packageJson from "../../package.json" with { type: "json" };

const BEP20 = "USDT BNB Smart Chain (BEP20)";
const SHOTS = join(import.meta.dirname, "../../test-results/screens");

let stack: Stack;
let browser: Browser;
let shop: ShopServer;
/** Where the page, and the script, come from. */
let home: string;

before(async () => {
  [stack, browser, shop] = await Promise.all([startStack(), openBrowser(), startShopServer()]);
  home = new URL(stack.pageUrl).origin;
  shop.show("/thanks", "<title>shop</title><h1>Thank you</h1>");
  shop.show("/cart", "<title>shop</title><h1>Cart</h1>");
});
after(async () => {
  await browser?.close();
  await shop?.close();
  await stack?.close();
});

/** The policy that docs/embed.md tells a shop to send. */
const policy = () => `default-src 'none'; script-src ${home}; frame-src ${home}; base-uri 'none'`;

/** A link that leads back to the shop. */
function makeLink(fields: Record<string, string> = {}) {
  const origin = shop.origin();
  return stack.createLink({ success_url: `${origin}/thanks`, cancel_url: `${origin}/cart`, ...fields });
}

/** A visitor on a shop's page with this in it, and the script loaded as the docs say. */
async function visitShop(
  body: string,
  options: BrowserContextOptions & { host?: "127.0.0.1" | "localhost" } = {},
): Promise<Page> {
  const { host = "localhost", ...context } = options;
  const page = await (await browser.newContext(context)).newPage();
  page.setDefaultTimeout(10_000);
  shop.show(
    "/",
    `<!doctype html><html lang="en"><title>shop</title><meta name="viewport" content="width=device-width">
<script async src="${home}/checkout.js"></script><body>${body}<p id="tall">A long page.</p></body></html>`,
    policy(),
  );
  await page.goto(`${shop.origin(host)}/`);
  await page.waitForFunction(() => window.Paylink !== undefined);
  return page;
}

const button = (refid: string, more = "") => `<button data-paylink="${refid}" ${more}>Pay</button>`;
const dialog = (page: Page) => page.getByRole("dialog");
const inDialog = (page: Page): FrameLocator => dialog(page).frameLocator("iframe");

async function ready(page: Page): Promise<FrameLocator> {
  await dialog(page).and(page.locator(".ready")).waitFor();
  return inDialog(page);
}

/** Closed and cleared away, which comes a moment after it is out of sight. */
const gone = (page: Page) => page.locator("dialog").waitFor({ state: "detached" });

/** Picks the network and pays what is asked; the worker sees it once mined. */
async function payIn(frame: FrameLocator, blocks = 3): Promise<void> {
  await frame.getByRole("button", { name: BEP20 }).click();
  const address = (await frame.getByTestId("address").textContent()) ?? "";
  await stack.pay(address, (await frame.getByTestId("amount").textContent()) ?? "");
  await stack.mine(blocks);
}

/** As `merchant update --allow-origin` does. */
async function registerOrigins(allowOrigins: string[]): Promise<void> {
  const updated = await stack.db.db.transaction((tx) =>
    updateMerchant(tx, "shop@example.com", { allowOrigins }, new Date()),
  );
  assert.ok(updated.ok);
}

test("a button opens the page over the shop; the customer pays and lands on the shop's thanks", async () => {
  const { refid } = await makeLink();
  const page = await visitShop(button(refid));
  const violations: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy/.test(message.text())) violations.push(message.text());
  });
  await page.evaluate(() => {
    addEventListener("paylink:status", (event) => {
      (window as unknown as { seen: string[] }).seen ??= [];
      (window as unknown as { seen: string[] }).seen.push((event as CustomEvent).detail.status);
    });
  });
  await page.getByRole("button", { name: "Pay" }).click();
  const frame = await ready(page);
  assert.equal(await dialog(page).getAttribute("aria-label"), "Pay Kaduna Coffee");
  assert.equal(await dialog(page).locator("iframe").getAttribute("allow"), "clipboard-write");
  await page.screenshot({ path: join(SHOTS, "widget-desktop.png") });
  await payIn(frame);
  // The way on is a link of the frame's; the script follows it for the whole window.
  const wayOn = frame.getByRole("link", { name: "Continue to Kaduna Coffee" });
  await wayOn.waitFor();
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  assert.equal(seen[0], "open");
  assert.equal(seen[1], "awaiting");
  assert.equal(seen.at(-1), "completed");
  await wayOn.click();
  await page.waitForURL(`${shop.origin()}/thanks`);
  assert.deepEqual(violations, []);
  assert.equal((await stack.getLink(refid)).state, "completed");
});

test("Escape and the cross close it from either side; focus and scrolling are given back", async () => {
  const { refid } = await makeLink();
  const page = await visitShop(button(refid));
  const opener = page.getByRole("button", { name: "Pay" });
  const overflow = () => page.evaluate(() => document.documentElement.style.overflow);
  const closings = [
    async () => page.keyboard.press("Escape"),
    async () => {
      // Within the frame the shop's page hears no key.
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
    // Nothing behind the dialog can be reached.
    const inside = await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.ariaLabel);
    assert.equal(inside, "Close");
    await close();
    await gone(page);
    assert.equal(await overflow(), "");
    await until("focus to be back", () => opener.evaluate((one) => one === document.activeElement));
    assert.equal(page.url(), `${shop.origin()}/`);
  }
});

test("open() answers with what came of it, and stays where it is when told to", async () => {
  const { refid, url } = await makeLink();
  const page = await visitShop("");
  await page.evaluate((link) => {
    const seen: string[] = [];
    const opened = window.Paylink?.open(link, {
      redirect: false,
      onStatus: (status) => seen.push(status),
      onClose: () => seen.push("closed"),
    });
    Object.assign(window, { seen, outcome: opened });
  }, url);
  await payIn(await ready(page));
  const outcome = await page.evaluate(() => (window as unknown as { outcome: Promise<unknown> }).outcome);
  assert.deepEqual(outcome, { refid, status: "completed" });
  await gone(page);
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  assert.deepEqual([seen[0], ...seen.slice(-2)], ["open", "completed", "closed"]);
  assert.equal(page.url(), `${shop.origin()}/`);
});

test("two links stand in the page, as high as they need; their talk is not mixed up", async () => {
  const [one, two] = [await makeLink(), await makeLink()];
  const page = await visitShop('<div id="one"></div><div id="two"></div>');
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
    await until("the frame to be as high as its page", async () => {
      const inner = frame.contentFrame().locator("body");
      const high = await inner.evaluate((body) => body.getBoundingClientRect().height);
      return Math.abs(((await frame.boundingBox())?.height ?? 0) - high) <= 1 && high > 400;
    });
  }
  await frames[1]?.contentFrame().getByRole("button", { name: BEP20 }).click();
  const seen = () => page.evaluate(() => (window as unknown as { seen: string[][] }).seen);
  await until("the second link's choice to be told", async () => (await seen()).length === 3);
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

test("a button that is added later works; after destroy() none does", async () => {
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
  // Without the script it is the link that it is.
  await page.evaluate((href) => {
    document.body.append(Object.assign(document.createElement("a"), { href, textContent: "Pay here" }));
  }, url);
  await page.getByRole("link", { name: "Pay here" }).click();
  await page.waitForURL(url);
});

test("on a phone it fills the screen, in the language and theme asked for", async () => {
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
    "rgb(10, 14, 23)",
  );
  assert.match((await dialog(page).locator("iframe").getAttribute("src")) ?? "", /[?&]lang=ar(&|$)/);
  const wide = await html.evaluate((one) => one.scrollWidth);
  assert.ok(wide <= viewport.width, `the page in the dialog is ${wide} px wide`);
  await page.screenshot({ path: join(SHOTS, "widget-phone-dark.png") });
});

test("the choice of a network keeps theme and parent; the frame may copy", async () => {
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
    ["bep20", "light", shop.origin()],
  );
  // Given on by `allow`, and taken by the page's own policy.
  const mayCopy = await frame.locator("html").evaluate((one) => {
    const { featurePolicy } = one.ownerDocument as Document & {
      featurePolicy: { allowsFeature(name: string): boolean };
    };
    return featurePolicy.allowsFeature("clipboard-write");
  });
  assert.equal(mayCopy, true);
  const background = await frame.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
  assert.equal(background, "rgb(243, 245, 249)");
});

test("a shop that is not the link's is refused the frame, and its customer is given a way out", async () => {
  const { refid, url } = await makeLink();
  // The same server by its other name is another origin.
  const page = await visitShop(button(refid), { host: "127.0.0.1" });
  await page.getByRole("button", { name: "Pay" }).click();
  const out = dialog(page).getByRole("link", { name: "Open the payment page" });
  await out.waitFor();
  await page.screenshot({ path: join(SHOTS, "widget-refused.png") });
  await out.click();
  await page.waitForURL(url);

  await registerOrigins([shop.origin("127.0.0.1")]);
  const again = await visitShop(button(refid), { host: "127.0.0.1" });
  await again.getByRole("button", { name: "Pay" }).click();
  await ready(again);
  await registerOrigins([]);
});

test("who may frame a page is said of each link by itself", async () => {
  const { refid } = await makeLink({ cancel_url: `${shop.origin("127.0.0.1")}/cart` });
  const framers = async (path: string) => {
    const { headers } = await fetch(`${home}${path}`);
    return /frame-ancestors ([^;]*)/.exec(headers.get("content-security-policy") ?? "")?.[1];
  };
  const both = `'self' ${shop.origin()} ${shop.origin("127.0.0.1")}`;
  assert.equal(await framers(`/pay/${refid}`), both);
  assert.equal(await framers(`/pay/${refid}?network=bep20`), both);
  assert.equal(await framers("/pay/1111111111111111111111"), "'self'");
  const other = await stack.createLink();
  assert.equal(await framers(`/pay/${other.refid}`), `'self' ${stack.merchantUrl}`);
});

test("the script believes the frame alone, the page its parent alone", async () => {
  const { refid } = await makeLink();
  const page = await visitShop(button(refid));
  await page.getByRole("button", { name: "Pay" }).click();
  const frame = await ready(page);
  const forged = { paylink: 1, refid, type: "outcome", status: "completed", url: `${shop.origin()}/thanks` };
  // From the shop's own window, and from a frame of a host that looks like ours (localhost for 127.0.0.1).
  const lookAlike = home.replace("127.0.0.1", "localhost");
  await page.evaluate((message) => window.postMessage(message, "*"), forged);
  await page.evaluate((message) => {
    const other = document.createElement("iframe");
    document.body.append(other);
    other.contentWindow?.parent.postMessage(message, "*");
    // An event that claims to be of our origin, from another window.
    const origin = document.querySelector("div")?.shadowRoot?.querySelector("iframe")?.src ?? "";
    window.dispatchEvent(
      new MessageEvent("message", {
        data: message,
        origin: new URL(origin).origin,
        source: other.contentWindow,
      }),
    );
  }, forged);
  // The page in its turn: a greeting and a command of another window in the same tab are no parent's.
  await frame.locator("body").evaluate(
    (_, [message, origin]) => {
      window.dispatchEvent(new MessageEvent("message", { data: message, origin, source: window.parent }));
      window.dispatchEvent(new MessageEvent("message", { data: message, origin, source: window }));
    },
    [{ paylink: 1, refid, type: "close" }, lookAlike] as const,
  );
  await frame.getByRole("button", { name: BEP20 }).click();
  await frame.getByTestId("address").waitFor();
  assert.equal(await dialog(page).count(), 1);
  assert.equal(page.url(), `${shop.origin()}/`);
});

test("a page whose parent is another than it was told says nothing to it", async () => {
  const { refid } = await makeLink({ cancel_url: `${shop.origin("127.0.0.1")}/cart` });
  const page = await visitShop("");
  const heard = await page.evaluate(
    async ([src]) => {
      const all: unknown[] = [];
      addEventListener("message", (event) => all.push(event.data));
      const frame = document.createElement("iframe");
      frame.src = src ?? "";
      const loaded = new Promise((resolve) => {
        frame.onload = resolve;
      });
      document.body.append(frame);
      Object.assign(window, { all });
      await loaded;
      return all;
    },
    [`${home}/pay/${refid}?parent=${encodeURIComponent(shop.origin("127.0.0.1"))}`],
  );
  assert.deepEqual(heard, []);
  const frame = page.frameLocator("iframe");
  await frame.getByRole("button", { name: BEP20 }).click();
  await frame.getByTestId("address").waitFor();
  assert.deepEqual(await page.evaluate(() => (window as unknown as { all: unknown[] }).all), []);
});

test("a choice posted from another site, or from none, is refused", async () => {
  const { url } = await makeLink();
  for (const origin of [shop.origin(), "null", home.replace("127.0.0.1", "localhost.example")]) {
    const { status } = await fetch(url, { method: "POST", headers: { origin }, body: new FormData() });
    assert.equal(status, 403, origin);
  }
});

test("the script is served to every shop, and its pinned name for good", async () => {
  const built = readFileSync(join(import.meta.dirname, "../../public/checkout.js"), "utf8");
  const plain = await fetch(`${home}/checkout.js`);
  assert.equal(await plain.text(), built);
  assert.match(plain.headers.get("content-type") ?? "", /javascript; charset=utf-8/i);
  assert.equal(plain.headers.get("access-control-allow-origin"), "*");
  assert.match(plain.headers.get("cache-control") ?? "", /max-age=300/);
  const { pinned: name, integrity } = await makeScript(packageJson.version);
  const pinned = await fetch(`${home}/${name}`);
  assert.equal(await pinned.text(), built);
  assert.match(pinned.headers.get("cache-control") ?? "", /max-age=31536000, immutable/);

  const page = await (await browser.newContext()).newPage();
  const script = (hash: string) =>
    `<script src="${home}/${name}" integrity="${hash}" crossorigin="anonymous"></script>`;
  for (const [hash, loaded] of [
    [integrity, true],
    ["sha384-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", false],
  ] as const) {
    shop.show("/pinned", `<!doctype html><title>shop</title>${script(hash)}`, policy());
    await page.goto(`${shop.origin()}/pinned`);
    assert.equal(await page.evaluate(() => window.Paylink !== undefined), loaded);
  }
});
