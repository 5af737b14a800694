/** The console on a port of its own, as the people who work in it: invited, signed in, seen at work, and kept out. */
import assert from "node:assert/strict";
import { text as streamText } from "node:stream/consumers";
import { after, before, test } from "node:test";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { choosePort } from "#lib/demo/choose-port.ts";
import { openBrowser } from "#tests/support/browser.ts";
import { checkoutPage } from "#tests/support/checkout-page.ts";
import { addAuthenticator, addSignedIn, appCode } from "#tests/support/console.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";

const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };
const PASSWORD = "correct horse battery staple";

let stack: Stack;
let browser: Browser;
let consolePort: number;

before(async () => {
  consolePort = await choosePort(0);
  stack = await startStack({ CONSOLE_PORT: String(consolePort) });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await stack?.close();
});

async function run(...args: string[]) {
  const { status, stdout, stderr } = await stack.cli(...args);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const invite = (person: string, role: string): Promise<string> =>
  run("merchant", "invite", "shop@example.com", "--person", person, "--role", role).then(
    ({ invitation_url }) => invitation_url,
  );

async function lastHash(): Promise<string> {
  const { rows } = await stack.db.database.pool.query(
    "select tx_hash from deposits order by id desc limit 1",
  );
  return rows[0].tx_hash;
}

/** Makes an address of its own for a customer, as a merchant's server does. */
async function generateWallet(email: string): Promise<string> {
  const customer = JSON.stringify({ email, first_name: "Pay", last_name: "Er" });
  const response = await fetch(`${stack.baseUrl}/wallets/generate-wallet`, {
    method: "POST",
    headers: { "x-staging-api-key": stack.testKey },
    body: new URLSearchParams({ network: "bep20", customer }),
  });
  assert.equal(response.status, 200);
  return ((await response.json()) as { data: { address: string } }).data.address;
}

interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
  shot(name: string): Promise<void>;
}

async function aPerson(look: Parameters<Browser["newContext"]>[0] = DESKTOP): Promise<Person> {
  const context = await browser.newContext(look);
  const page = await context.newPage();
  const { shot } = checkoutPage(page);
  return { context, page, shot };
}

/** Signs a new person up with a passkey. */
async function join(url: string, name: string, look?: Parameters<Browser["newContext"]>[0]): Promise<Person> {
  const person = await aPerson(look);
  const { page, context } = person;
  await addAuthenticator(context, page);
  await page.goto(url);
  await page.getByLabel("Your name").first().fill(name);
  await page.getByRole("button", { name: "Sign up with a passkey" }).click();
  await page.getByRole("heading", { name: "Your account" }).waitFor();
  return person;
}

/** Presses a key until it has its effect: none has before the page's script runs. */
const pressUntil = (page: Page, key: string, isDone: () => Promise<boolean>) =>
  until(`the key ${key} to have its effect`, async () => {
    if (await isDone()) return true;
    await page.keyboard.press(key);
    return false;
  });

interface Posted {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends what a browser posted, without the browser: it gets no cookie of the answer. */
function post(url: string, { body, headers: sent }: Posted): Promise<Response> {
  const { "content-length": _, ...headers } = Object.fromEntries(
    Object.entries(sent).filter(([name]) => !name.startsWith(":")),
  );
  return fetch(url, { method: "POST", headers, body: Uint8Array.from(body), redirect: "manual" });
}

const consoleUrl = () => `http://localhost:${consolePort}/console`;

test("an owner signs up with a passkey, makes a link, sees it paid, and invites a cashier", async () => {
  const url = await invite("ada@example.com", "owner");
  const ada = await join(url, "Ada Obi");
  const { page } = ada;
  await ada.shot("console-account");
  const cookies = await ada.context.cookies();
  assert.deepEqual(
    cookies
      .filter(({ name }) => name === "paylink_session")
      .map(({ httpOnly, sameSite }) => [httpOnly, sameSite]),
    [[true, "Lax"]],
  );

  await page.goto(consoleUrl());
  await page.getByRole("link", { name: "Test" }).click();
  await page.getByText("Charts begin with the first one").waitFor();
  await page.getByRole("link", { name: "Payments" }).click();
  await page.getByText("No payments yet").waitFor();
  await ada.shot("console-payments-empty");
  await page.getByRole("link", { name: "Make the first link" }).click();
  await page.getByLabel("Amount").fill("16000");
  await page.getByLabel("Currency").selectOption("ngn");
  await page.getByLabel("Reference").fill("ORDER1");
  await page.getByLabel("Customer's e-mail address").fill("payer@example.com");
  await page.getByLabel("First name").fill("<img src=x onerror=alert(1)>");
  await page.getByLabel("Last name").fill("Payer");
  await ada.shot("console-new");
  await page.getByRole("button", { name: "Create the link" }).click();
  await page.getByRole("heading", { name: "₦16,000.00 NGN" }).waitFor();
  await ada.shot("console-payment-open");
  const pageUrl = (await page.getByRole("link", { name: /\/pay\// }).textContent()) ?? "";

  const list = await ada.context.newPage();
  await list.goto(page.url().replace(/\/[^/]*$/, ""));
  await list.getByRole("row", { name: /ORDER1.*Not opened/ }).waitFor();
  const overview = await ada.context.newPage();
  await overview.goto(list.url().replace(/payments$/, "overview"));
  await overview.getByText("1 (100%)").waitFor();

  const payer = checkoutPage((await aPerson(PHONE)).page);
  await payer.page.goto(pageUrl);
  await payer.choose("USDT BNB Smart Chain (BEP20)");
  assert.equal(
    await payer.page.getByRole("link", { name: "Cancel and go back" }).count(),
    0,
    "there is no shop",
  );
  const { amount, address } = await payer.ask();
  await stack.pay(address, amount);
  await stack.mine(20);
  await stack.waitForState(pageUrl.split("/").at(-1) ?? "", "completed");
  // No page is loaded again.
  await page.getByText("10 USDT credited").waitFor();
  await list.getByRole("row", { name: /ORDER1.*Paid/ }).waitFor();
  await overview.locator("li", { hasText: "$10.00 USD, 1 link" }).waitFor();
  await overview.locator("summary").first().click();
  await overview.getByRole("row", { name: /1 \$10.00 USD$/ }).waitFor();
  await checkoutPage(overview).shot("console-overview");
  await page.getByText("<img src=x onerror=alert(1)> Payer").waitFor();
  await page.getByRole("row", { name: /^payment_link_completed/ }).waitFor();
  await ada.shot("console-payment-paid");

  await page.getByRole("link", { name: "Payments" }).click();
  await page.getByRole("row", { name: /ORDER1.*Paid/ }).waitFor();
  await ada.shot("console-payments");
  for (const text of ["ORDER1", "PAYER@example.com", "payer", address, await lastHash()]) {
    await page.getByLabel("Search").fill(text);
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL((url) => url.searchParams.get("search") === text);
    await page.getByRole("row", { name: /ORDER1.*Paid/ }).waitFor();
  }
  const month = new Date().toISOString().slice(0, 7);
  const exported = await ada.context.newPage();
  await exported.goto(`${page.url().split("/payments")[0]}/exports`);
  await exported.getByLabel("Month").fill(month);
  await exported.getByLabel("File").selectOption("csv");
  const [file] = await Promise.all([
    exported.waitForEvent("download"),
    exported.getByRole("button", { name: "Export" }).click(),
  ]);
  const text = await streamText(await file.createReadStream());
  assert.equal(file.suggestedFilename(), `payments-test-${month}.csv`);
  assert.match(text, /^created_at,refid,[^\n]*\r\n[^\n]*,ORDER1,completed,,16000,ngn,payer@example\.com,/);
  await page.getByLabel("State").selectOption("failed");
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByText("No payment matches").waitFor();
  await page.getByLabel("State").selectOption("");
  const today = new Date().toISOString().slice(0, 10);
  for (const [day, found] of [
    [today, page.getByRole("row", { name: /ORDER1.*Paid/ })],
    ["2026-01-01", page.getByText("No payment matches")],
  ] as const) {
    await page.getByLabel("To (UTC)").fill(day);
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL((url) => url.searchParams.get("to") === day);
    await found.waitFor();
  }

  // By keyboard alone.
  const sheet = page.getByRole("heading", { name: "Keyboard" });
  await pressUntil(page, "?", () => sheet.isVisible());
  await ada.shot("console-keyboard");
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await page.getByRole("heading", { name: "Customers" }).waitFor();
  await pressUntil(page, "/", () =>
    page.getByRole("searchbox").evaluate((search) => search === document.activeElement),
  );
  await page.keyboard.type("PAYER@example.com");
  await page.keyboard.press("Enter");
  await page.waitForURL(/email=/);
  const generated = await generateWallet("payer@example.com");
  await page.getByRole("link", { name: "<img src=x onerror=alert(1)> Payer" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("row", { name: /ORDER1.*Paid/ }).waitFor();
  await page.getByText(generated).waitFor();
  await ada.shot("console-customer");

  await page.getByRole("link", { name: "Money" }).click();
  await page.getByRole("row", { name: /\+10 USDT 10 USDT/ }).waitFor();
  await page.getByText("credited $10.00 USD and debited $0.00 USD").waitFor();
  await ada.shot("console-money");
  await page.getByRole("link", { name: "Statements" }).click();
  await page.getByRole("row", { name: /Deposits 1 \+10 USDT/ }).waitFor();
  await page.getByText("make the ledger's closing balance").waitFor();
  await ada.shot("console-statement");
  await page.getByRole("link", { name: "Developers" }).click();
  await page.getByRole("link", { name: "payment_link_completed" }).click();
  await page.getByText("Attempt 1: HTTP 204").waitFor();
  await page.getByText('"payment_reference": "ORDER1"').waitFor();
  await ada.shot("console-event");
  await page.goBack();
  await page.getByRole("button", { name: "Create a key" }).click();
  const key = (await page.getByTestId("shown-once").textContent()) ?? "";
  const asked = await fetch(`${stack.baseUrl}/payment-links`, { headers: { "x-staging-api-key": key } });
  assert.equal(asked.status, 200);
  await page.getByLabel("URL of another endpoint").fill("http://127.0.0.1:1/");
  await page.getByRole("button", { name: "Add an endpoint" }).click();
  await page.getByText(/^Enter an http or https URL/).waitFor();
  const received = stack.webhooks.length;
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("The endpoint accepted the test request.").waitFor();
  assert.equal(stack.webhooks.length, received + 1);
  await page
    .getByRole("button", { name: /^Send again: evt_/ })
    .first()
    .click();
  await page.getByText("The event is being sent again.").waitFor();
  await until("the event to arrive again", async () => stack.webhooks.length > received + 1);
  await ada.shot("console-developers");
  await page.getByRole("button", { name: `Revoke the key ${key.slice(-4)}` }).click();
  await until("the key to end", async () => {
    const again = await fetch(`${stack.baseUrl}/payment-links`, { headers: { "x-staging-api-key": key } });
    return again.status === 401;
  });

  await page.getByRole("link", { name: "Members" }).click();
  await page.getByLabel("E-mail address").fill("chi@example.com");
  await page.getByRole("button", { name: "Make an invitation" }).click();
  const invitation = (await page.getByTestId("shown-once").textContent()) ?? "";
  await ada.shot("console-members");

  const chi = await join(invitation, "Chi", PHONE);
  await chi.page.goto(consoleUrl());
  await chi.page.getByRole("heading", { name: "Overview" }).waitFor();
  await chi.page.getByRole("link", { name: "Test" }).click();
  await chi.page.getByText("Paid volume").waitFor();
  await chi.shot("console-overview-phone");
  await chi.page.getByRole("link", { name: "Payments" }).click();
  await chi.page.getByRole("heading", { name: "Payments" }).waitFor();
  await chi.shot("console-phone");
  assert.equal(await chi.page.getByRole("link", { name: "Members" }).count(), 0, "a cashier manages nobody");
  const members = chi.page.url().replace(/payments$/, "members");
  assert.equal((await chi.page.goto(members))?.status(), 404);

  // A passkey signs in; the same answer, sent again, does not.
  const account = `${consoleUrl()}/account`;
  await page.goto(account);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByText("You are signed out.").waitFor();
  const posts: Posted[] = [];
  page.on("request", async (request) => {
    const body = request.postDataBuffer();
    if (request.method() === "POST" && body !== null)
      posts.push({ body, headers: await request.allHeaders() });
  });
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  const answer = posts.at(-1);
  assert.ok(answer?.body.includes("clientDataJSON") === true);
  const replayed = await post(`${consoleUrl()}/sign-in`, answer);
  assert.equal(replayed.headers.getSetCookie().length, 0);
  assert.match(await replayed.text(), /wrong_passkey/);

  // What is dangerous asks again in an old session.
  await stack.db.database.pool.query("update sessions set verified_at = now() - interval '6 minutes'");
  await page.goto(account);
  await page.getByLabel("Name of the new passkey").fill("Second");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("heading", { name: "Is it you?" }).waitFor();
  await ada.shot("console-confirm");
  // The answer that brings the new token is lost on the way: nobody is signed out.
  const lost: Response[] = [];
  await page.route(/\/console\/confirm\?/, async (route) => {
    const request = route.request();
    const body = request.postDataBuffer();
    if (lost.length > 0 || body?.includes("clientDataJSON") !== true) return route.continue();
    lost.push(await post(request.url(), { body, headers: await request.allHeaders() }));
    await route.abort();
  });
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByText("The server did not answer.").waitFor();
  assert.match(lost[0]?.headers.getSetCookie().join() ?? "", /paylink_session=/);
  await ada.shot("console-confirm-lost");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("heading", { name: "Your account" }).waitFor();

  // The invitation is used up.
  const stranger = await aPerson();
  await stranger.page.goto(url);
  await stranger.page.getByText("This invitation has ended").waitFor();
});

test("a password needs the app's code, ten wrong tries lock it, and a recovery code works once", async () => {
  const bob = await aPerson();
  const { page } = bob;
  await page.goto(await invite("bob@example.com", "manager"));
  await page.getByText("Use a password and an authenticator app").click();
  const form = page.locator("form", { hasText: "Scan this" });
  const secret = (await form.locator("code").textContent()) ?? "";
  await form.getByLabel("Your name").fill("Bob");
  await form.getByLabel("Password").fill(PASSWORD);
  await form.getByLabel("Code that the app shows").fill("000000");
  await bob.shot("console-join-password");
  await form.getByRole("button").click();
  await page.getByText("The code is wrong").waitFor();
  await page.getByText("Use a password and an authenticator app").click();
  assert.equal(await form.locator("code").textContent(), secret, "a mistake does not ask for another scan");
  await form.getByLabel("Your name").fill("Bob");
  await form.getByLabel("Password").fill(PASSWORD);
  const used = appCode(secret);
  await form.getByLabel("Code that the app shows").fill(used);
  await form.getByRole("button").click();
  await page.getByRole("heading", { name: "Your account" }).waitFor();
  await page.getByRole("button", { name: "Make recovery codes" }).click();
  await page.getByTestId("recovery-codes").waitFor();
  const codes = await page.getByTestId("recovery-codes").locator("span").allTextContents();
  assert.equal(codes.length, 10);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByText("You are signed out.").waitFor();
  await bob.shot("console-sign-in");

  const signIn = async (code: string, { email = "BOB@example.com", password = PASSWORD } = {}) => {
    await page.goto(`${consoleUrl()}/sign-in`);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByLabel("Code").fill(code);
    await page.getByRole("button", { name: "Sign in with a password" }).click();
    await page.waitForURL(/notice=|overview$/);
    return new URL(page.url()).searchParams.get("notice");
  };
  assert.equal(await signIn(used), "wrong_sign_in", "the code of the sign-up was used already");
  assert.equal(await signIn(codes[0] ?? "", { password: "wrong password here" }), "wrong_sign_in");
  assert.equal(await signIn(codes[0] ?? "", { email: "nobody@example.com" }), "wrong_sign_in");
  assert.equal(await signIn((codes[0] ?? "").toLowerCase()), null);
  await page.goto(`${consoleUrl()}/account`);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByText("You are signed out.").waitFor();
  assert.equal(await signIn(codes[0] ?? ""), "wrong_sign_in", "a recovery code works once");
});

test("the operator sees each network, and adds a merchant whose owner signs up", async () => {
  const url = (await run("console", "operator", "add", "root@example.com")).invitation_url;
  const root = await join(url, "Root");
  const { page } = root;
  await page.goto(consoleUrl());
  await page.getByRole("link", { name: "This installation" }).click();
  const network = page.getByRole("region", { name: /BNB Smart Chain/ });
  await network.getByText("Read", { exact: true }).waitFor();
  await root.shot("console-operator");
  await page.getByRole("link", { name: "Merchants" }).click();
  await page.getByLabel("Name on the payment page").fill("Abuja Books");
  await page.getByLabel("Owner's e-mail address").fill("owner@abuja.example");
  await page.getByRole("button", { name: "Add the merchant" }).click();
  const invitation = (await page.getByTestId("shown-once").textContent()) ?? "";
  await root.shot("console-operator-merchants");
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByText("Root (root@example.com) created the merchant").waitFor();
  await root.shot("console-operator-audit");
  const owner = await join(invitation, "Bisi", PHONE);
  await owner.page.goto(consoleUrl());
  await owner.page.getByRole("heading", { name: "Overview" }).waitFor();
  await owner.page.getByText("Abuja Books").waitFor();
});

test("the console's port serves it and nothing else, and no other port serves it", async () => {
  const { refid } = await stack.createLink();
  const others = new URL(stack.pageUrl).origin;
  const own = new URL(consoleUrl()).origin;
  const statusOf = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(url, { ...init, redirect: "manual" });
    await response.body?.cancel();
    return response.status;
  };
  for (const path of ["/console/sign-in", `/pay/${refid}/version`])
    assert.equal(await statusOf(own + path), 200, path);
  for (const path of ["/console", "/console/sign-in", "/console/operator"])
    assert.equal(await statusOf(others + path), 404, path);
  const forPayers = [`/pay/${refid}`, "/checkout.js", "/receipt", "/v1/payment-links", "/healthz"];
  for (const path of forPayers) {
    assert.notEqual(await statusOf(others + path), 404, path);
    assert.equal(await statusOf(own + path), 404, path);
  }
  const posted = { method: "POST", body: "email=a", headers: { origin: own, "content-type": "text/plain" } };
  assert.equal(await statusOf(`${others}/console/sign-in`, posted), 405);
  // What follows a merchant's links is the console too.
  const { token } = await addSignedIn(stack.db.database, { merchantId: await merchantId(), role: "cashier" });
  const { rows } = await stack.db.database.pool.query("select code from merchants where id = $1", [
    await merchantId(),
  ]);
  const follow = (origin: string) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(`${origin.replace("http", "ws")}/realtime/?EIO=4&transport=websocket`, {
        headers: { origin: own, cookie: `paylink_session=${token}` },
      } as unknown as string[]);
      socket.addEventListener("message", ({ data }) => {
        if (String(data).startsWith("0")) socket.send(`40{"desk":"${rows[0].code}/test"}`);
        else if (!String(data).startsWith("40")) {
          resolve(String(data));
          socket.close();
        }
      });
      socket.addEventListener("error", () => resolve("refused"));
    });
  assert.equal(await follow(own), '42["joined"]');
  assert.match(await follow(others), /^44.*unknown merchant/);
});

async function merchantId(): Promise<number> {
  const { rows } = await stack.db.database.pool.query("select min(id) as id from merchants");
  return Number(rows[0].id);
}
