/** A refund whose address the payer enters: from the console to the chain, on a phone, without scripts, and attacked. */
import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import type { Browser, Page } from "@playwright/test";
import { openBrowser } from "#tests/support/browser.ts";
import { checkoutPage } from "#tests/support/checkout-page.ts";
import { type ShopConsole, shopConsole } from "#tests/support/console.ts";
import { keepSecrets } from "#tests/support/kept-logs.ts";
import { awaitingLink } from "#tests/support/link-states.ts";
import { privateText } from "#tests/support/private-data.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { aStranger, plainForm, type Stranger } from "#tests/support/stranger.ts";
import { until } from "#tests/support/until.ts";
import { DESTINATION } from "#tests/support/withdrawals.ts";

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;
const DESKTOP = { viewport: { width: 1280, height: 900 } };
const OTHER = "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955";

let stack: Stack;
let browser: Browser;
let shop: ShopConsole;
let stranger: Stranger;
let address = "198.51.100.1";
/** A link for 10 USDT that was paid with 40. */
let paid: { refid: string; address: string };

before(async () => {
  stack = await startStack({ TRUSTED_PROXIES: "127.0.0.1" });
  browser = await openBrowser();
  shop = await shopConsole(stack, browser);
  stranger = await aStranger(stack, () => address);
  const { pool } = stack.db.database;
  await pool.query("update merchants set support = 'help@shop.example.com', accent = '#0a6b43'");
  paid = await awaitingLink(stack, "bep20");
  await stack.pay(paid.address, "40");
  await stack.mine(20);
  await stack.waitForState(paid.refid, "overpaid");
});
after(async () => {
  stranger?.close();
  await browser?.close();
  await stack?.close();
});

const count = async (table: string) =>
  Number((await stack.db.database.pool.query(`select count(*) as n from ${table}`)).rows[0].n);
const origin = () => new URL(stack.pageUrl).origin;
const secretOf = (url: string) => url.split("/").at(-1) ?? "";

/** Makes a claim with a key. Returns its URL. */
async function aClaim(amount: string, note = ""): Promise<string> {
  const answer = await fetch(`${stack.baseUrl}/payment-links/${paid.refid}/refunds`, {
    method: "POST",
    headers: { "x-staging-api-key": stack.testKey, "idempotency-key": randomUUID() },
    body: new URLSearchParams({ network: "bep20", token: "usdt", amount, note }),
  });
  const { data, message } = (await answer.json()) as { data: { refund_url: string }; message: string };
  assert.equal(answer.status, 200, message);
  keepSecrets(secretOf(data.refund_url));
  return data.refund_url;
}

async function visit(url: string, options: Parameters<Browser["newContext"]>[0] = PHONE) {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(url);
  return checkoutPage(page);
}

const enter = async (page: Page, to: string) => {
  await page.getByLabel("USDT address on BNB Smart Chain (BEP20)").fill(to);
  await page.getByRole("button", { name: "Continue" }).click();
};
const stageOf = (page: Page) => page.locator("main").getAttribute("data-stage");
const waitForStage = (page: Page, stage: string) => page.locator(`[data-stage=${stage}]`).waitFor();

/** What a person does with the newest withdrawal. Returns the hash of its transaction. */
async function sendIt(amount: string): Promise<string> {
  const { rows } = await stack.db.database.pool.query(
    "select refid from withdrawals order by id desc limit 1",
  );
  const hash = await stack.pay(DESTINATION, amount);
  const sent = stack.cli("withdrawal", "sent", rows[0].refid, "--tx-hash", hash);
  assert.equal(sent.status, 0, sent.stderr);
  return hash;
}

test("a manager makes a link, the payer enters an address on a phone and follows the refund to its end", async () => {
  const manager = await shop.tabOf("manager", DESKTOP);
  const { page: desk } = manager;
  await desk.goto(`${shop.base}/payments/${paid.refid}`);
  await desk.getByRole("link", { name: "Refund", exact: true }).click();
  await desk.getByRole("link", { name: "Let the customer enter one" }).click();
  assert.equal(await desk.getByLabel("Amount").inputValue(), "30", "it begins with what was paid too much");
  await desk.getByLabel("Amount").fill("41");
  await desk.getByRole("button", { name: "Make the refund link" }).click();
  await desk.getByRole("alert").filter({ hasText: "more than was paid" }).waitFor();
  await checkoutPage(desk).shot("console-claim-form");
  await desk.getByLabel("Amount").fill("2");
  await desk.getByLabel("Message to the customer").fill("Sorry for the mix-up.");
  await desk.getByRole("button", { name: "Make the refund link" }).click();
  const url = (await desk.getByTestId("shown-once").textContent()) ?? "";
  assert.equal(await checkoutPage(desk).scanQr(), url);
  await checkoutPage(desk).shot("console-claim-made");
  keepSecrets(secretOf(url));
  await desk.goto(`${shop.base}/payments/${paid.refid}`);
  const waiting = desk.getByRole("region", { name: "Waiting for the customer's address" });
  await waiting.getByText("2 USDT").waitFor();
  assert.ok(!(await desk.content()).includes(secretOf(url)), "the link is shown once");
  await checkoutPage(desk).shot("console-claims");

  const payer = await visit(url);
  const { page } = payer;
  await payer.waitForText("You receive all of it: Kaduna Coffee pays the network fee.");
  await payer.waitForText("Sorry for the mix-up.");
  assert.equal(await page.getByTestId("amount").textContent(), "2 USDT");
  await payer.shot("refund-enter");
  await enter(page, "0x1234");
  await payer.waitForText("This is not an address of BNB Smart Chain (BEP20).");
  assert.equal(await page.getByLabel("USDT address on").inputValue(), "0x1234", "what was typed stays");
  await payer.shot("refund-malformed");
  await enter(page, paid.address);
  await payer.waitForText("This address cannot receive your refund.");
  await enter(page, DESTINATION.toLowerCase());
  await payer.waitForTitle("Is this your address?");
  assert.equal(await page.getByTestId("address").textContent(), DESTINATION);
  await payer.shot("refund-confirm");
  await page.getByRole("link", { name: "Change the address" }).click();
  await enter(page, DESTINATION);
  await page.getByRole("checkbox").check();
  assert.equal(await count("withdrawals"), 0, "nothing is created before it is confirmed");
  await page.getByRole("button", { name: "Send it to this address" }).click();
  await payer.waitForTitle("Your refund is being prepared");
  assert.ok(!page.url().includes("?"), "no address stays in the history");
  await payer.shot("refund-pending");
  assert.deepEqual([await count("withdrawals"), await count("withdrawal_approvals")], [1, 0]);

  // The page follows it by itself.
  const hash = await sendIt("2");
  await payer.waitForTitle("Your refund is on its way");
  await page.getByText(hash).waitFor();
  await payer.shot("refund-sending");
  await stack.mine(20);
  await payer.waitForTitle("Refund complete");
  await payer.shot("refund-completed");
  await desk.reload();
  await desk.getByText("2 USDT, refund").waitFor();
  assert.equal(await waiting.count(), 0);
  const event = await until("the webhook of the refund", async () =>
    stack.webhooks.find(({ type }) => type === "refund_completed"),
  );
  assert.equal(event.data.payment_link, paid.refid);
  assert.ok(!JSON.stringify(stack.webhooks).includes(secretOf(url)));
});

test("works without scripts, in Arabic from right to left and in the dark", async () => {
  const url = await aClaim("1", "نأسف");
  const payer = await visit(`${url}?lang=ar`, { ...PHONE, javaScriptEnabled: false, colorScheme: "dark" });
  const { page } = payer;
  assert.equal(await page.locator("html").getAttribute("dir"), "rtl");
  await payer.shot("refund-ar-enter", { axe: false });
  await page.locator("input[name=to]").fill(DESTINATION);
  await page.getByRole("button").click();
  assert.equal(await stageOf(page), "confirm");
  await payer.shot("refund-ar-confirm", { axe: false });
  await page.getByRole("checkbox").check();
  await page.getByRole("button").click();
  await waitForStage(page, "pending");
  assert.match(page.url(), /\/refund\/[0-9a-f]{32}\?lang=ar$/);
  await payer.shot("refund-ar-pending", { axe: false });
});

test("a used, revoked or expired link says so, and reveals nothing", async () => {
  const used = await aClaim("1");
  const revoked = await aClaim("1");
  const expired = await aClaim("1");
  const { pool } = stack.db.database;
  const ids = await pool.query("select id from refund_claims order by id desc limit 3");
  await pool.query("update refund_claims set expires_at = now() - interval '1 minute' where id = $1", [
    ids.rows[0].id,
  ]);
  const { page: desk } = await shop.tabOf("manager", DESKTOP);
  await desk.goto(`${shop.base}/payments/${paid.refid}`);
  const waiting = desk.getByRole("region", { name: "Waiting for the customer's address" });
  assert.equal(await waiting.getByRole("button", { name: "Revoke" }).count(), 2);
  await waiting.getByRole("button", { name: "Revoke" }).first().click();
  await desk.getByText("The refund link is revoked.").waitFor();
  const cashier = await shop.tabOf("cashier", DESKTOP);
  await cashier.page.goto(`${shop.base}/payments/${paid.refid}`);
  assert.equal(await cashier.page.getByRole("region", { name: "Waiting for" }).count(), 0);
  const first = await visit(used, DESKTOP);
  await enter(first.page, DESTINATION);
  await first.page.getByRole("checkbox").check();
  await first.page.getByRole("button", { name: "Send it" }).click();
  await first.waitForTitle("Your refund is being prepared");
  for (const [url, stage] of [
    [used, "pending"],
    [revoked, "revoked"],
    [expired, "expired"],
  ] as const) {
    // An address in the query of an ended claim changes nothing.
    const { page, shot } = await visit(`${url}?to=${OTHER}`, { ...DESKTOP, colorScheme: "dark" });
    assert.equal(await stageOf(page), stage);
    assert.equal(await page.getByTestId("address").count(), stage === "pending" ? 1 : 0);
    assert.equal(await page.getByText("3d99").count(), 0);
    await shot(`refund-${stage}-desktop`);
    const html = await (await fetch(url)).text();
    assert.equal(privateText(stack, html), null);
    for (const secret of [paid.refid, "ada@example.com", paid.address])
      assert.ok(!html.includes(secret), `${stage} has ${secret}`);
  }
});

test("the payer reads that it cannot be sent now, the merchant reads why, and the link stays valid", async () => {
  const url = await aClaim("20");
  const { pool } = stack.db.database;
  await pool.query(
    "insert into withdrawal_limits (merchant_id, env, token, per_day) select id, 'test', 'usdt', 1 from merchants on conflict (merchant_id, env, token) do update set per_day = 1",
  );
  const payer = await visit(url);
  await enter(payer.page, DESTINATION);
  await payer.page.getByRole("checkbox").check();
  await payer.page.getByRole("button", { name: "Send it" }).click();
  await payer.waitForText("The refund cannot be sent right now");
  await payer.page.getByRole("link", { name: "help@shop.example.com" }).waitFor();
  await payer.shot("refund-not-now");
  assert.doesNotMatch(await payer.page.content(), /limit|balance/i);
  const { page: desk } = await shop.tabOf("manager", DESKTOP);
  await desk.goto(`${shop.base}/payments/${paid.refid}`);
  await desk.getByText("above what is left of your limit for 24 hours").waitFor();
  await checkoutPage(desk).shot("console-claim-problem");
  await pool.query("delete from withdrawal_limits");
  await enter(payer.page, DESTINATION);
  await payer.page.getByRole("checkbox").check();
  await payer.page.getByRole("button", { name: "Send it" }).click();
  await payer.waitForTitle("Your refund is being prepared");
});

test("the page is kept nowhere, indexed nowhere, framed nowhere, and no link from it reveals its address", async () => {
  const url = await aClaim("1");
  const { headers, status } = await fetch(url);
  assert.equal(status, 200);
  assert.match(headers.get("cache-control") ?? "", /no-store/);
  assert.equal(headers.get("referrer-policy"), "no-referrer");
  assert.match(headers.get("x-robots-tag") ?? "", /noindex/);
  assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
  const version = await fetch(`${url}/version`);
  assert.match(version.headers.get("cache-control") ?? "", /no-store/);
  assert.deepEqual(Object.keys((await version.json()) as object), ["version"]);
  // The payment's own page and answers never give it away.
  const pay = await (await fetch(`${stack.pageUrl}/${paid.refid}`)).text();
  for (const text of [pay, JSON.stringify(await stack.getLink(paid.refid))])
    assert.ok(!text.includes(secretOf(url)) && !/refund\//.test(text));
  assert.ok(!stack.log().includes(secretOf(url)), "the log has no secret");
  assert.match(stack.log(), /"path":"\/refund\/\[hidden\]"/);
});

test("guesses, forged forms and other paths change nothing and learn nothing", async () => {
  const url = await aClaim("1");
  const secret = secretOf(url);
  const action = stranger.actions.sendRefund ?? assert.fail();
  const form = (fields: Record<string, string> = {}) =>
    plainForm({ to: OTHER, compared: "yes", ...fields }, action);
  const before = [await count("withdrawals"), await count("audit_log")];
  address = "198.51.100.2";
  const read = async (path: string) => {
    const answer = await fetch(`${origin()}${path}`, { headers: { "x-forwarded-for": address } });
    // Each answer has a nonce of its own.
    const text = (await answer.text()).replaceAll(/[\w+/]{22}==/g, "");
    return [answer.status, createHash("sha256").update(text).digest("hex")];
  };
  const unknown = await read(`/refund/${"0".repeat(32)}`);
  assert.equal(unknown[0], 404);
  for (const wrong of ["x", secret.toUpperCase(), secret.slice(1), `${secret}0`, paid.refid, "%00"])
    assert.deepEqual(await read(`/refund/${wrong}`), unknown, wrong);
  for (const path of [
    `/refund/${secret}/x`,
    `/refund/${secret}%2f..`,
    `/refund%2f${secret}`,
    `/pay/${secret}`,
  ])
    assert.notEqual((await read(path))[0], 200, path);
  address = "198.51.100.3";
  const { post } = stranger;
  const path = `/refund/${secret}`;
  for (const [what, headers, to, body] of [
    ["from another site", { origin: "https://evil.example" }, path, form()],
    ["from a hidden origin", { origin: "null" }, path, form()],
    [
      "from a hidden origin of another site",
      { origin: "null", "sec-fetch-site": "cross-site" },
      path,
      form(),
    ],
    ["to an unknown claim", {}, `/refund/${"0".repeat(32)}`, form()],
    ["to the page of the payment", { "x-paylink-claim": secret }, `/pay/${paid.refid}`, form()],
    ["with an own header", { "x-paylink-claim": secret }, `/refund/${"0".repeat(32)}`, form()],
    ["to the version", {}, `${path}/version`, form()],
    ["without comparing", {}, path, form({ compared: "" })],
    ["with a wrong address", {}, path, form({ to: "0x12" })],
    ["with our own address", {}, path, form({ to: paid.address })],
    ["with a long address", {}, path, form({ to: "x".repeat(9_000) })],
  ] as const) {
    const { status } = await post(to, body, headers);
    assert.ok(status === 303 || status === 200 || (status >= 400 && status < 500), `${what}: ${status}`);
    assert.deepEqual([await count("withdrawals"), await count("audit_log")], before, what);
  }
  // Two submissions at once create one withdrawal.
  address = "198.51.100.4";
  const sent = await Promise.all(
    [DESTINATION, OTHER, OTHER, DESTINATION].map((to) => post(path, form({ to }))),
  );
  for (const { status, location } of sent) assert.deepEqual([status, location], [303, path]);
  assert.equal(await count("withdrawals"), (before[0] ?? 0) + 1);
  // A visitor who guesses much is refused whatever the secret is; others are not.
  address = "198.51.100.5";
  const answers: unknown[] = [];
  for (let n = 0; n < 31; n++) answers.push((await read(`/refund/${String(n).padStart(32, "a")}`))[0]);
  assert.deepEqual([answers.indexOf(429), new Set(answers).size], [30, 2]);
  assert.equal((await read(path))[0], 429);
  address = "198.51.100.6";
  assert.equal((await read(path))[0], 200);
});
