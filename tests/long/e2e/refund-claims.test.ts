/** A refund whose address the payer enters: from the console to the chain, on a phone, without scripts, and attacked. */
import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { test as base, expect } from "#tests/e2e/fixtures.ts";
import { checkoutPage } from "#tests/support/checkout-page.ts";
import { keepSecrets } from "#tests/support/kept-logs.ts";
import { awaitingLink } from "#tests/support/link-states.ts";
import { privateText } from "#tests/support/private-data.ts";
import type { Stack } from "#tests/support/stack.ts";
import { newAddress, plainForm } from "#tests/support/stranger.ts";
import { DESTINATION } from "#tests/support/withdrawals.ts";

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;
const DESKTOP = { viewport: { width: 1280, height: 900 } };
const OTHER = "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955";

/** A link for 10 USDT that was paid with 40. */
interface Paid {
  readonly refid: string;
  readonly address: string;
  /** Makes a claim with a key. Returns its URL. */
  claim(amount: string, note?: string): Promise<string>;
  /** How many rows the merchant has in a table. */
  count(table: "withdrawals" | "audit_log"): Promise<number>;
}

const test = base.extend<{ paid: Paid }>({
  paid: async ({ shop, desk }, use) => {
    const { pool } = shop.db.database;
    const set = "update merchants set support = 'help@shop.example.com', accent = '#0a6b43' where id = $1";
    await pool.query(set, [shop.merchantId]);
    const link = await awaitingLink(shop, "bep20");
    await shop.pay(link.address, "40");
    await shop.mine(20);
    await shop.waitForState(link.refid, "overpaid");
    await use({
      ...link,
      async claim(amount, note = "") {
        const answer = await fetch(`${shop.baseUrl}/payment-links/${link.refid}/refunds`, {
          method: "POST",
          headers: { "x-staging-api-key": shop.testKey, "idempotency-key": randomUUID() },
          body: new URLSearchParams({ network: "bep20", token: "usdt", amount, note }),
        });
        const { data, message } = (await answer.json()) as { data: { refund_url: string }; message: string };
        assert.equal(answer.status, 200, message);
        keepSecrets(secretOf(data.refund_url));
        return data.refund_url;
      },
      count: desk.count,
    });
  },
});

const secretOf = (url: string) => url.split("/").at(-1) ?? "";
const enter = async (page: Page, to: string) => {
  await page.getByLabel("USDT address on BNB Smart Chain (BEP20)").fill(to);
  await page.getByRole("button", { name: "Continue" }).click();
};
const stageOf = (page: Page) => page.locator("main").getAttribute("data-stage");

/** Pays the newest withdrawal by hand. Returns the hash of its transaction. */
async function sendIt(shop: Stack, amount: string): Promise<string> {
  const newest = "select refid from withdrawals where merchant_id = $1 order by id desc limit 1";
  const { rows } = await shop.db.database.pool.query(newest, [shop.merchantId]);
  const hash = await shop.pay(DESTINATION, amount);
  await shop.run("withdrawal", "sent", rows[0].refid, "--tx-hash", hash);
  return hash;
}

test("a manager makes a link, the payer enters an address on a phone and follows the refund to its end", {
  tag: "@phone",
}, async ({ shop, visit, desk, paid }) => {
  const manager = await desk.tabOf("manager", DESKTOP);
  const { page: office } = manager;
  await office.goto(`${desk.base}/payments/${paid.refid}`);
  await office.getByRole("link", { name: "Refund", exact: true }).click();
  await office.getByRole("link", { name: "Let the customer enter one" }).click();
  assert.equal(await office.getByLabel("Amount").inputValue(), "30", "it begins with what was paid too much");
  await office.getByLabel("Amount").fill("41");
  await office.getByRole("button", { name: "Make the refund link" }).click();
  await office.getByRole("alert").filter({ hasText: "more than was paid" }).waitFor();
  await checkoutPage(office).shot("console-claim-form");
  await office.getByLabel("Amount").fill("2");
  await office.getByLabel("Message to the customer").fill("Sorry for the mix-up.");
  await office.getByRole("button", { name: "Make the refund link" }).click();
  const url = (await office.getByTestId("shown-once").textContent()) ?? "";
  assert.equal(await checkoutPage(office).scanQr(), url);
  await checkoutPage(office).shot("console-claim-made");
  keepSecrets(secretOf(url));
  await office.goto(`${desk.base}/payments/${paid.refid}`);
  const waiting = office.getByRole("region", { name: "Waiting for the customer's address" });
  await waiting.getByText("2 USDT").waitFor();
  assert.ok(!(await office.content()).includes(secretOf(url)), "the link is shown once");
  await checkoutPage(office).shot("console-claims");

  const payer = await visit(url, PHONE);
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
  assert.equal(await paid.count("withdrawals"), 0, "nothing is created before it is confirmed");
  await page.getByRole("button", { name: "Send it to this address" }).click();
  await payer.waitForTitle("Your refund is being prepared");
  assert.ok(!page.url().includes("?"), "no address stays in the history");
  await payer.shot("refund-pending");
  assert.equal(await paid.count("withdrawals"), 1);
  const approved = "select 1 from withdrawal_approvals a join withdrawals w on w.id = a.withdrawal_id";
  const { rowCount } = await shop.db.database.pool.query(`${approved} where w.merchant_id = $1`, [
    shop.merchantId,
  ]);
  assert.equal(rowCount, 0);
  const setWaiting = (waits: boolean) =>
    shop.db.database.pool.query("update withdrawals set needs_approval = $2 where merchant_id = $1", [
      shop.merchantId,
      waits,
    ]);
  await setWaiting(true);
  const { page: approver } = await desk.tabOf("owner", DESKTOP);
  await approver.goto(`${desk.base}/money/withdrawals`);
  await approver.getByRole("link", { name: "2 USDT", exact: true }).click();
  // The link was shown to the manager, who may have opened it.
  await approver.getByText("Somebody with the link of the refund entered this address.").waitFor();
  await setWaiting(false);

  // The page follows it by itself, also where the host that sends has an earlier clock than the one that asked.
  const setAhead =
    "update withdrawals set updated_at = updated_at + interval '1 hour' where merchant_id = $1";
  await shop.db.database.pool.query(setAhead, [shop.merchantId]);
  await page.reload();
  const hash = await sendIt(shop, "2");
  await payer.waitForTitle("Your refund is on its way");
  await page.getByText(hash).waitFor();
  await payer.shot("refund-sending");
  await shop.mine(20);
  await payer.waitForTitle("Refund complete");
  await payer.shot("refund-completed");
  await office.reload();
  await office.getByText("2 USDT, refund").waitFor();
  assert.equal(await waiting.count(), 0);
  await expect.poll(() => shop.webhooks.map(({ type }) => type)).toContain("refund_completed");
  const event = shop.webhooks.find(({ type }) => type === "refund_completed");
  assert.equal(event?.data.payment_link, paid.refid);
  assert.ok(!JSON.stringify(shop.webhooks).includes(secretOf(url)));
});

test("works without scripts, in Arabic from right to left and in the dark", { tag: "@phone" }, async ({
  visit,
  paid,
}) => {
  const url = await paid.claim("1", "نأسف");
  const payer = await visit(`${url}?lang=ar`, { ...PHONE, javaScriptEnabled: false, colorScheme: "dark" });
  const { page } = payer;
  assert.equal(await page.locator("html").getAttribute("dir"), "rtl");
  await page.locator("input[name=to]").fill(DESTINATION);
  await page.getByRole("button").click();
  assert.equal(await stageOf(page), "confirm");
  await page.getByRole("checkbox").check();
  await page.getByRole("button").click();
  await page.locator("[data-stage=pending]").waitFor();
  assert.match(page.url(), /\/refund\/[0-9a-f]{32}\?lang=ar$/);
});

test("a used, revoked or expired link says so, and reveals nothing", async ({ shop, visit, desk, paid }) => {
  const used = await paid.claim("1");
  const revoked = await paid.claim("1");
  const expired = await paid.claim("1");
  const { pool } = shop.db.database;
  const past = "set expires_at = now() - interval '1 minute' where id = (select max(id) from refund_claims)";
  await pool.query(`update refund_claims ${past}`);
  const { page: office } = await desk.tabOf("manager", DESKTOP);
  await office.goto(`${desk.base}/payments/${paid.refid}`);
  const waiting = office.getByRole("region", { name: "Waiting for the customer's address" });
  assert.equal(await waiting.getByRole("button", { name: "Revoke" }).count(), 2);
  await waiting.getByRole("button", { name: "Revoke" }).first().click();
  await office.getByText("The refund link is revoked.").waitFor();
  const cashier = await desk.tabOf("cashier", DESKTOP);
  await cashier.page.goto(`${desk.base}/payments/${paid.refid}`);
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
    assert.equal(privateText(shop, html), null);
    for (const secret of [paid.refid, "ada@example.com", paid.address])
      assert.ok(!html.includes(secret), `${stage} has ${secret}`);
  }
});

test("the payer reads that it cannot be sent now, the merchant reads why, and the link stays valid", async ({
  shop,
  visit,
  desk,
  paid,
}) => {
  const url = await paid.claim("20");
  const { pool } = shop.db.database;
  await pool.query(
    "insert into withdrawal_limits (merchant_id, env, token, per_day) values ($1, 'test', 'usdt', 1)",
    [shop.merchantId],
  );
  const payer = await visit(url, PHONE);
  await enter(payer.page, DESTINATION);
  await payer.page.getByRole("checkbox").check();
  await payer.page.getByRole("button", { name: "Send it" }).click();
  await payer.waitForText("The refund cannot be sent right now");
  await payer.page.getByRole("link", { name: "help@shop.example.com" }).waitFor();
  await payer.shot("refund-not-now");
  assert.doesNotMatch(await payer.page.content(), /limit|balance/i);
  const { page: office } = await desk.tabOf("manager", DESKTOP);
  await office.goto(`${desk.base}/payments/${paid.refid}`);
  await office.getByText("above what is left of your limit for 24 hours").waitFor();
  await checkoutPage(office).shot("console-claim-problem");
  await pool.query("delete from withdrawal_limits where merchant_id = $1", [shop.merchantId]);
  await enter(payer.page, DESTINATION);
  await payer.page.getByRole("checkbox").check();
  await payer.page.getByRole("button", { name: "Send it" }).click();
  await payer.waitForTitle("Your refund is being prepared");
});

test("the page is kept nowhere, indexed nowhere, framed nowhere, and no link from it reveals its address", async ({
  shop,
  paid,
}) => {
  const url = await paid.claim("1");
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
  const pay = await (await fetch(`${shop.pageUrl}/${paid.refid}`)).text();
  for (const text of [pay, JSON.stringify(await shop.getLink(paid.refid))])
    assert.ok(!text.includes(secretOf(url)) && !/refund\//.test(text));
  assert.ok(!shop.log().includes(secretOf(url)), "the log has no secret");
  assert.match(shop.log(), /"path":"\/refund\/\[hidden\]"/);
});

test("guesses, forged forms and other paths change nothing and learn nothing", async ({
  shop,
  stranger,
  paid,
}) => {
  const url = await paid.claim("1");
  const secret = secretOf(url);
  const { origin } = new URL(shop.pageUrl);
  const action = stranger.actions.sendRefund ?? assert.fail();
  const form = (fields: Record<string, string> = {}) =>
    plainForm({ to: OTHER, compared: "yes", ...fields }, action);
  const before = [await paid.count("withdrawals"), await paid.count("audit_log")];
  const read = async (path: string) => {
    const answer = await fetch(`${origin}${path}`, { headers: { "x-forwarded-for": stranger.address } });
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
  stranger.address = newAddress();
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
    assert.deepEqual([await paid.count("withdrawals"), await paid.count("audit_log")], before, what);
  }
  // Two submissions at once create one withdrawal.
  stranger.address = newAddress();
  const sent = await Promise.all(
    [DESTINATION, OTHER, OTHER, DESTINATION].map((to) => post(path, form({ to }))),
  );
  for (const { status, location } of sent) assert.deepEqual([status, location], [303, path]);
  assert.equal(await paid.count("withdrawals"), (before[0] ?? 0) + 1);
  // A visitor who guesses much is refused whatever the secret is; others are not.
  stranger.address = newAddress();
  const answers: unknown[] = [];
  for (let n = 0; n < 31; n++) answers.push((await read(`/refund/${String(n).padStart(32, "a")}`))[0]);
  assert.deepEqual([answers.indexOf(429), new Set(answers).size], [30, 2]);
  assert.equal((await read(path))[0], 429);
  stranger.address = newAddress();
  assert.equal((await read(path))[0], 200);
});
