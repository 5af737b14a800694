import assert from "node:assert/strict";
import { installEvmWallets, installTronWallet, type WalletAnswers } from "#tests/e2e/browser-wallets.ts";
import { BEP20, test as base, expect } from "#tests/e2e/fixtures.ts";
import { scanWithWallet } from "#tests/e2e/wallet-connect.ts";
import { type CheckoutPage, checkoutPage } from "#tests/support/checkout-page.ts";

const OPEN = "Pay with a wallet in this browser";

/** A link's page, which wallets can be put into before it opens. */
interface Buyer extends CheckoutPage {
  open(pair: string): Promise<void>;
  /** Opens the panel of wallets, or presses a wallet's button. */
  press(name?: string): Promise<void>;
}

const test = base.extend<{ buyer: Buyer }>({
  buyer: async ({ shop, page }, use) => {
    const { url } = await shop.createLink();
    const checkout = checkoutPage(page);
    await use({
      ...checkout,
      open: async (pair) => {
        await page.goto(url);
        await checkout.choose(pair);
      },
      press: (name = OPEN) => page.getByRole("button", { name }).click(),
    });
  },
});
test.use({ kind: "extended" });

test("bep20: one press, the wallet switches to the chain, and the payment completes exactly", async ({
  shop,
  buyer,
}) => {
  const { page, open, press } = buyer;
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).origin));
  const [wallet] = await installEvmWallets(page, shop.chain("bep20"), ["Fox"]);
  await open(BEP20);
  const scripts = await page.evaluate(() => performance.getEntriesByType("resource").length);
  await page.getByRole("button", { name: OPEN }).waitFor();
  assert.deepEqual(wallet?.asked, [], "a wallet is asked for nothing before the press");
  await buyer.shot("browser-wallet");
  await press();
  await buyer.waitForText("Sent by your wallet.");
  assert.ok((await page.evaluate(() => performance.getEntriesByType("resource").length)) > scripts);
  await buyer.shot("browser-wallet-sent");
  await shop.mine(3);
  await buyer.waitForTitle("Payment complete");
  assert.deepEqual([...new Set(requests)], [new URL(shop.pageUrl).origin], "no third party is asked");
});

test("the page follows the payment although the notice of the wallet gets no answer", async ({
  shop,
  buyer,
}) => {
  const { page, open, press } = buyer;
  await installEvmWallets(page, shop.chain("bep20"), ["Fox"]);
  await open(BEP20);
  const stalled: string[] = [];
  await page.route(
    ({ pathname }) => pathname.startsWith("/pay/"),
    (route) => {
      const request = route.request();
      if (request.method() !== "POST") return route.continue();
      stalled.push(request.url());
    },
  );
  await press();
  await buyer.waitForText("Sent by your wallet.");
  await expect.poll(() => stalled.length).toBe(1);
  await shop.mine(3);
  await buyer.waitForTitle("Payment complete");
});

test("one button is above the code: a wallet in this browser takes the place of the link to an app", async ({
  shop,
  buyer,
}) => {
  await shop.run("merchant", "update", shop.email, "--pairs", "bep20/bnb,bep20/usdt");
  const { page, open, press } = buyer;
  await open("BNB BNB Smart Chain (BEP20)");
  const app = page.getByRole("link", { name: "Open in wallet" });
  await app.waitFor();
  await installEvmWallets(page, shop.chain("bep20"), ["Fox"]);
  await page.reload();
  const button = page.getByRole("button", { name: OPEN });
  await button.waitFor();
  await app.waitFor({ state: "hidden" });
  const topOf = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? 0;
  assert.ok((await topOf("#browser-wallet")) < (await topOf("#code")));
  await press();
  await buyer.waitForText("Sent by your wallet.");
  assert.equal(await app.isVisible(), false);
});

test("trc20: one press in TronLink's kind of wallet, to completed", async ({ shop, buyer }) => {
  const { page, open, press } = buyer;
  const wallet = await installTronWallet(page, shop.chain("trc20"), "Link");
  await open("USDT TRON (TRC20)");
  await press();
  await buyer.waitForText("Sent by your wallet.");
  assert.ok(wallet.asked.includes("trx.sign"));
  // A reload does not offer to pay again.
  await page.reload();
  await press();
  await buyer.waitForText("Sent by your wallet.");
  await shop.mine(5, "trc20");
  await buyer.waitForTitle("Payment complete");
  assert.equal(wallet.asked.filter((method) => method === "trx.sign").length, 1);
});

const fail =
  (code: number, message = "") =>
  () => {
    throw Object.assign(new Error(message), { code });
  };
const REFUSALS: readonly [WalletAnswers, string][] = [
  [{ eth_requestAccounts: fail(4001) }, "You refused in the wallet."],
  [{ eth_requestAccounts: () => [] }, "Your wallet is locked"],
  [{ wallet_switchEthereumChain: fail(4902) }, "Your wallet is not on BNB Smart Chain (BEP20)."],
  [{ eth_call: () => "0x0" }, "holds less than 10.00 USDT."],
  [
    { eth_sendTransaction: fail(-32_000, "insufficient funds for gas") },
    "too little BNB for the network fee.",
  ],
  [{ eth_sendTransaction: fail(-32_603) }, "Look in the wallet before you try again."],
];

test("each refusal of a wallet has its own sentence, the code stays, and another wallet can pay", async ({
  shop,
  buyer,
}) => {
  const { page, open, press } = buyer;
  const [first, second] = await installEvmWallets(page, shop.chain("bep20"), ["Fox", "<b>Bear</b>"]);
  await open(BEP20);
  await press();
  await buyer.waitForText("Which wallet?");
  await buyer.shot("browser-wallet-several");
  for (const [answers, sentence] of REFUSALS) {
    first!.answers = answers;
    await press("Fox");
    await page.getByRole("alert").filter({ hasText: sentence }).waitFor();
    await page
      .getByRole("img", { name: /^QR code/ })
      .first()
      .waitFor();
  }
  await buyer.shot("browser-wallet-refused");
  await press("<b>Bear</b>");
  await buyer.waitForText("Sent by your wallet.");
  assert.equal(second!.asked.at(-1), "eth_sendTransaction");
  await shop.mine(3);
  await buyer.waitForTitle("Payment complete");
});

test("a wallet on another device refuses, then pays exactly over a relay that loses its connections", async ({
  shop,
  relay,
  buyer,
}) => {
  const { page, open } = buyer;
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(new URL(socket.url()).origin));
  await open(BEP20);
  await page.getByText("Other ways to pay").click();
  const button = page.getByRole("button", { name: "Pay with a wallet on another device" });
  await button.waitFor();
  assert.ok(!sockets.includes(relay.url), "the relay is not asked before the press");
  await button.click();
  const scan = async () =>
    (await page.getByRole("link", { name: "Open a wallet on this device" }).getAttribute("href")) ?? "";
  const refusing = scanWithWallet(await scan(), relay.url, shop.chain("bep20"), { refuses: true });
  await page.getByRole("alert").filter({ hasText: "You refused in the wallet." }).waitFor();
  refusing.close();
  await page.getByRole("button", { name: "Try again" }).click();
  const uri = await scan();
  await buyer.shot("wallet-connect");
  relay.cut();
  const wallet = scanWithWallet(uri, relay.url, shop.chain("bep20"));
  await buyer.waitForText("Sent by your wallet.");
  await shop.mine(3);
  await buyer.waitForTitle("Payment complete");
  wallet.close();
});
