/** A plugin of a shop asks for its key, gets it by the browser of a person who agrees, and is paid with it. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { DESKTOP } from "#tests/support/console.ts";
import { BEP20, test } from "./fixtures.ts";

test.use({ kind: "extended" });

const PERMISSIONS = [
  "btcpay.store.canviewinvoices",
  "btcpay.store.cancreateinvoice",
  "btcpay.store.canviewstoresettings",
  "btcpay.store.canmodifyinvoices",
];

/** A shop's page that a form brings a key to. */
async function startShop() {
  const posted: { readonly type: string; readonly form: URLSearchParams }[] = [];
  const server = createServer(async (request, response) => {
    const text = await readText(request);
    const type = request.headers["content-type"] ?? "";
    if (request.method === "POST") posted.push({ type, form: new URLSearchParams(text) });
    response.setHeader("content-type", "text/html").end("<h1>The shop has its key</h1>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { posted, url: `http://127.0.0.1:${port}/callback`, close: () => server.close() };
}

const queryOf = (redirect: string, permissions: readonly string[] = PERMISSIONS) => {
  const query = new URLSearchParams({ applicationName: "WooCommerce", strict: "true", redirect });
  for (const permission of permissions) query.append("permissions", permission);
  return query;
};

test("a person agrees, the browser posts the key to the shop, and the shop is paid with it", async ({
  shop,
  desk,
  visit,
}) => {
  const plugin = await startShop();
  const { page } = await desk.tabOf("developer", DESKTOP);
  const origin = new URL(shop.pageUrl).origin;
  await page.goto(`${origin}/api-keys/authorize/?${queryOf(plugin.url)}`);
  await page.getByText("WooCommerce asks for an API key").waitFor();
  await page.getByText(new URL(plugin.url).origin).waitFor();
  for (const permission of PERMISSIONS) await page.getByText(permission, { exact: true }).waitFor();
  const before = await desk.count("api_keys");
  await page.getByRole("radio", { name: "(test)" }).check();
  await page.getByRole("button", { name: "Give this key" }).click();
  await page.getByRole("heading", { name: "The shop has its key" }).waitFor();
  assert.equal(await desk.count("api_keys"), before + 1);
  const [given] = plugin.posted;
  assert.equal(given?.type, "application/x-www-form-urlencoded");
  const key = given.form.get("apiKey") ?? "";
  const store = given.form.getAll("permissions[]")[0]?.split(":")[1] ?? "";
  assert.deepEqual(
    given.form.getAll("permissions[]"),
    PERMISSIONS.map((permission) => `${permission}:${store}`),
  );
  const ask = async (path: string, json?: unknown) => {
    const answer = await fetch(`${origin}/api/v1/stores/${store}${path}`, {
      headers: { authorization: `token ${key}`, "content-type": "application/json" },
      ...(json !== undefined && { method: "POST", body: JSON.stringify(json) }),
    });
    assert.equal(answer.status, 200);
    return answer.json();
  };
  const invoice = await ask("/invoices", {
    ...{ amount: "16000", currency: "NGN", metadata: { orderId: "wc-13" } },
    checkout: { redirectURL: `${shop.merchantUrl}/success` },
  });
  const checkout = await visit(invoice.checkoutLink);
  await checkout.choose(BEP20);
  const asked = await checkout.ask();
  const [method] = await ask(`/invoices/${invoice.id}/payment-methods`);
  assert.deepEqual([method.paymentMethodId, method.due], ["USDT-BEP20", asked.amount]);
  await shop.pay(asked.address, asked.amount);
  await shop.mine(3);
  await checkout.waitForTitle("Payment complete");
  const settled = await ask(`/invoices/${invoice.id}`);
  assert.deepEqual(
    [settled.status, settled.additionalStatus, settled.paidAmount],
    ["Settled", "None", "16000"],
  );
  const methods = await ask(`/invoices/${invoice.id}/payment-methods`);
  assert.equal(methods.length, 1);
  assert.equal(methods[0].payments[0].status, "Settled");
  await page.goto(`${origin}/invoices/${invoice.id}`);
  await page.waitForURL(`**/test/payments/${invoice.id}`);
  plugin.close();
});

test("nobody can give a key that asks for more than there is, or without the right to make keys", async ({
  shop,
  desk,
}) => {
  const origin = new URL(shop.pageUrl).origin;
  const open = async (role: "developer" | "cashier", query: URLSearchParams) => {
    const { page } = await desk.tabOf(role, DESKTOP);
    await page.goto(`${origin}/api-keys/authorize?${query}`);
    return page;
  };
  const refused = [
    await open("developer", queryOf("https://shop.example/", ["btcpay.server.canmodifyserversettings"])),
    await open("developer", queryOf("javascript:alert(1)")),
    await open("cashier", queryOf("https://shop.example/")),
  ];
  for (const page of refused) {
    await page.getByRole("alert").first().waitFor();
    assert.equal(await page.getByRole("button", { name: "Give this key" }).count(), 0);
  }
  const page = await open("developer", queryOf("https://shop.example/callback"));
  const answer = await page.reload();
  const policy = answer?.headers()["content-security-policy"] ?? "";
  assert.match(policy, /form-action 'self' https:\/\/shop\.example;/);
  const other = await page.goto(`${desk.base}/developers?redirect=https://shop.example/`);
  assert.match(other?.headers()["content-security-policy"] ?? "", /form-action 'self';/);
});

test("a key that a person copies into a plugin is named after its shop, or after the plugins that it fits", async ({
  desk,
}) => {
  const { page } = await desk.tabOf("developer", DESKTOP);
  const plugins = "Shopware 6, OpenCart, WHMCS, Zapier, Cal.com";
  for (const [url, name] of [
    ["https://shop.example", "shop.example"],
    ["", plugins],
  ] as const) {
    await page.goto(`${desk.base}/developers`);
    const form = page.locator("form", { has: page.getByLabel("Key for the plugin of") });
    await form.getByLabel("Key for the plugin of").selectOption(plugins);
    await form.locator("input[name=url]").fill(url);
    await form.getByRole("button", { name: "Make a plugin's key" }).click();
    await page.getByText(/^pl_test_/).waitFor();
    await page.goto(`${desk.base}/developers`);
    await page
      .getByRole("listitem")
      .filter({ hasText: "what a plugin of a shop asked for" })
      .getByText(name)
      .waitFor();
  }
});
