import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serve } from "@hono/node-server";
import type { Browser, BrowserContextOptions, FrameLocator, Page } from "playwright";
import { choosePort } from "#lib/demo/choose-port.ts";
import { shop as demoShop } from "#lib/demo/shop.ts";
import { updateMerchant } from "#lib/merchants/update-merchant.ts";
import type {} from "#lib/widget/checkout.ts";
import { makeScript } from "#lib/widget/make-script.ts";
import { openBrowser } from "#tests/support/browser.ts";
import { browserModules } from "#tests/support/browser-modules.ts";
import { checkoutPage } from "#tests/support/checkout-page.ts";
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
const policy = (more = "") =>
  `default-src 'none'; script-src ${home} ${more}; frame-src ${home} ${more}; base-uri 'none'`;

/** A link that leads back to the shop. */
function makeLink(fields: Record<string, string> = {}) {
  const origin = shop.origin();
  return stack.createLink({ success_url: `${origin}/thanks`, cancel_url: `${origin}/cart`, ...fields });
}

/** A visitor on a shop's page with this in it, and the script loaded as the docs say. */
async function visitShop(
  body: string,
  options: BrowserContextOptions & { host?: "127.0.0.1" | "localhost"; allow?: string } = {},
): Promise<Page> {
  const { host = "localhost", allow, ...context } = options;
  const page = await (await browser.newContext(context)).newPage();
  page.setDefaultTimeout(10_000);
  shop.show(
    "/",
    `<!doctype html><html lang="en"><title>shop</title><meta name="viewport" content="width=device-width">
<script async src="${home}/checkout.js"></script><body><main><h1>A shop</h1>${body}</main></body></html>`,
    policy(allow),
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
  await checkoutPage(page).shot("widget-desktop");
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
  await payIn(frame);
  await frame.getByRole("button", { name: "Stay here" }).waitFor();
  await until("the countdown to be over", async () => {
    await page.clock.runFor(1_000);
    return (await page.locator("dialog").count()) === 0;
  });
  const outcome = await page.evaluate(() => (window as unknown as { outcome: Promise<unknown> }).outcome);
  assert.deepEqual(outcome, { refid, status: "completed" });
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
  await checkoutPage(page).shot("widget-refused");
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
  // What this server says to the page, nobody outside says in its place.
  const forged = { "x-paylink-parent": "https://evil.example", "x-paylink-theme": "dark" };
  const page = await (await fetch(`${home}/pay/${refid}`, { headers: forged })).text();
  assert.deepEqual([page.includes("evil"), page.includes('<html lang="en" dir="ltr">')], [false, true]);
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

test("the script believes the page alone: neither a look-alike in its frame, nor another window of its origin", async () => {
  const { refid } = await makeLink();
  const evil = shop.origin("127.0.0.1");
  const page = await visitShop(`${button(refid)}<iframe id="other"></iframe>`, { allow: evil });
  const forged = { paylink: 1, refid, type: "outcome", status: "completed", url: `${evil}/stolen` };
  shop.show("/evil", `<script>parent.postMessage(${JSON.stringify(forged)}, "*")</script>`);
  await page.evaluate(() => {
    const heard: string[] = [];
    addEventListener("message", ({ origin }) => heard.push(origin));
    addEventListener("paylink:status", () => heard.push("believed"));
    Object.assign(window, { heard });
  });
  const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
  await page.getByRole("button", { name: "Pay" }).click();
  await ready(page);
  // From the shop's own window; from the very frame, once something else is in it; from another frame of our origin.
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
  await until("all forgeries to be heard", async () => {
    const origins = await heard();
    return [shop.origin(), evil, home].every((one) => origins.includes(one));
  });
  assert.deepEqual(
    (await heard()).filter((one) => one === "believed"),
    ["believed"],
    "only the page's own status was believed",
  );
  assert.equal(await dialog(page).count(), 1);
  assert.equal(page.url(), `${shop.origin()}/`);
});

test("the page believes and answers its parent alone", async () => {
  const cancel = `${shop.origin("127.0.0.1")}/cart`;
  const { refid } = await makeLink({ cancel_url: cancel });
  const page = await visitShop("");
  /** Frames the page without the script, which tells it that `parent` is above it; keeps what it says. */
  const frameIt = async (parent: string) => {
    const src = `${home}/pay/${refid}?parent=${encodeURIComponent(parent)}`;
    await page.evaluate((address) => {
      const heard: unknown[] = [];
      addEventListener("message", ({ data }) => heard.push(data.type));
      const frame = Object.assign(document.createElement("iframe"), { src: address });
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

  const right = await frameIt(shop.origin());
  await until("the page to be ready", async () => (await heard()).includes("ready"));
  // A greeting of another window of the right origin, of another origin, of another link, of another version.
  await right.locator("body").evaluate(
    (_, [data, origin, other]) => {
      const tell = (from: string, source: Window) =>
        window.dispatchEvent(new MessageEvent("message", { data, origin: from, source }));
      tell(origin, window);
      tell(other, window.parent);
    },
    [hello, shop.origin(), shop.origin("127.0.0.1")] as const,
  );
  await greet({ ...hello, refid: "1111111111111111111111" });
  await greet({ ...hello, paylink: 2 });
  await press(right);
  assert.deepEqual(await heard(), ["ready"]);
  await greet(hello);
  await until("the page to answer", async () => (await heard()).includes("resize"));
  await press(right);
  await until("Escape to be told", async () => (await heard()).includes("close"));

  // One that may frame it, but is not who frames it: the browser keeps what is said from everybody else.
  const wrong = await frameIt(shop.origin("127.0.0.1"));
  await wrong.getByRole("button", { name: BEP20 }).click();
  await wrong.getByTestId("address").waitFor();
  await greet(hello);
  assert.deepEqual(await heard(), []);
});

test("React: a button, and a page in the page, under StrictMode and away again", async () => {
  const { url, refid } = await makeLink();
  shop.serve("/app.js", browserModules("lib/widget/react.tsx"));
  const page = await visitShop('<div id="app"></div>', { allow: shop.origin() });
  await page.addScriptTag({ url: `${shop.origin()}/app.js` });
  await page.evaluate((link) => {
    const { modules } = window as unknown as { modules(name: string): never };
    const { createElement, StrictMode } = modules("react") as typeof import("react");
    const { createRoot } = modules("react-dom/client") as typeof import("react-dom/client");
    const { PaylinkButton, PaylinkCheckout } = modules(
      "lib/widget/react.tsx",
    ) as typeof import("#lib/widget/react.tsx");
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
  await until("the status in the page", async () => (await seen()).includes("open"));
  await page.getByRole("button", { name: "Pay" }).click();
  await ready(page);
  await page.keyboard.press("Escape");
  await gone(page);
  assert.deepEqual((await seen()).at(-1), { refid, status: "open" });
  await page.evaluate(() => (window as unknown as { root: { unmount(): void } }).root.unmount());
  assert.equal(await page.locator("iframe").count(), 0);
});

test("the demo shop makes a link and opens it over itself", async () => {
  const settings = { baseUrl: stack.baseUrl, testKey: stack.testKey, shopUrl: "http://localhost" };
  const port = await choosePort(0);
  const shopUrl = `http://127.0.0.1:${port}`;
  const { fetch: handle } = demoShop({ ...settings, shopUrl });
  const server = serve({ fetch: handle, hostname: "127.0.0.1", port, overrideGlobalObjects: false });
  try {
    const page = await (await browser.newContext()).newPage();
    await page.goto(shopUrl);
    await page.waitForFunction(() => window.Paylink !== undefined);
    await page.getByRole("button", { name: "Pay here" }).first().click();
    await (await ready(page)).getByText("16,000.00").waitFor();
  } finally {
    server.close();
  }
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
