import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "@playwright/test";
import { openBrowser } from "#tests/support/browser.ts";
import { installEvmWallets, installTronWallet, type WalletAnswers } from "#tests/support/browser-wallets.ts";
import { checkoutPage } from "#tests/support/checkout-page.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { type FakeRelay, scanWithWallet, startFakeRelay } from "#tests/support/wallet-connect.ts";

const BEP20 = "USDT BNB Smart Chain (BEP20)";
const OPEN = "Pay with a wallet in this browser";

let stack: Stack;
let browser: Browser;
let relay: FakeRelay;

before(async () => {
  relay = await startFakeRelay();
  const relayed = { WALLETCONNECT_PROJECT_ID: "f".repeat(32), WALLETCONNECT_RELAY_URL: relay.url };
  stack = await startStack(relayed, ["trc20", "bep20"]);
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await stack?.close();
  relay?.close();
});

/** A link's page in a browser without wallets. `press` opens the panel of wallets. */
async function visit() {
  const link = await stack.createLink();
  const page = await (await browser.newContext()).newPage();
  const checkout = checkoutPage(page);
  const open = async (pair: string) => {
    await page.goto(link.url);
    await checkout.choose(pair);
  };
  return {
    ...link,
    page,
    checkout,
    open,
    press: (name = OPEN) => page.getByRole("button", { name }).click(),
  };
}

test("bep20: one press, the wallet switches to the chain, and the payment completes exactly", async () => {
  const { page, checkout, open, press } = await visit();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).origin));
  const [wallet] = await installEvmWallets(page, stack.chain("bep20"), ["Fox"]);
  await open(BEP20);
  const scripts = await page.evaluate(() => performance.getEntriesByType("resource").length);
  await page.getByRole("button", { name: OPEN }).waitFor();
  assert.deepEqual(wallet?.asked, [], "a wallet is asked for nothing before the press");
  await checkout.shot("browser-wallet");
  await press();
  await checkout.waitForText("Sent by your wallet.");
  assert.ok((await page.evaluate(() => performance.getEntriesByType("resource").length)) > scripts);
  await checkout.shot("browser-wallet-sent");
  await stack.mine(3);
  await checkout.waitForTitle("Payment complete");
  assert.deepEqual([...new Set(requests)], [new URL(stack.pageUrl).origin], "no third party is asked");
});

test("trc20: one press in TronLink's kind of wallet, to completed", async () => {
  const { page, checkout, open, press } = await visit();
  const wallet = await installTronWallet(page, stack.chain("trc20"), "Link");
  await open("USDT TRON (TRC20)");
  await press();
  await checkout.waitForText("Sent by your wallet.");
  assert.ok(wallet.asked.includes("trx.sign"));
  // A reload does not offer to pay again.
  await page.reload();
  await press();
  await checkout.waitForText("Sent by your wallet.");
  await stack.mine(5, "trc20");
  await checkout.waitForTitle("Payment complete");
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
  [{ eth_call: () => "0x0" }, "holds less than 10 USDT."],
  [
    { eth_sendTransaction: fail(-32_000, "insufficient funds for gas") },
    "too little BNB for the network fee.",
  ],
  [{ eth_sendTransaction: fail(-32_603) }, "Look in the wallet before you try again."],
];

test("each refusal of a wallet has its own sentence, the code stays, and another wallet can pay", async () => {
  const { page, checkout, open, press } = await visit();
  const [first, second] = await installEvmWallets(page, stack.chain("bep20"), ["Fox", "<b>Bear</b>"]);
  await open(BEP20);
  await press();
  await checkout.waitForText("Which wallet?");
  await checkout.shot("browser-wallet-several");
  for (const [answers, sentence] of REFUSALS) {
    first!.answers = answers;
    await press("Fox");
    await page.getByRole("alert").filter({ hasText: sentence }).waitFor();
    await page
      .getByRole("img", { name: /^QR code/ })
      .first()
      .waitFor();
  }
  await checkout.shot("browser-wallet-refused");
  await press("<b>Bear</b>");
  await checkout.waitForText("Sent by your wallet.");
  assert.equal(second!.asked.at(-1), "eth_sendTransaction");
  await stack.mine(3);
  await checkout.waitForTitle("Payment complete");
});

test("a wallet on another device refuses, then pays exactly over a relay that loses its connections", async () => {
  const { page, checkout, open } = await visit();
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(new URL(socket.url()).origin));
  await open(BEP20);
  const button = page.getByRole("button", { name: "Pay with a wallet on another device" });
  await button.waitFor();
  assert.ok(!sockets.includes(relay.url), "the relay is not asked before the press");
  await button.click();
  const scan = async () =>
    (await page.getByRole("link", { name: "Open a wallet on this device" }).getAttribute("href")) ?? "";
  const refusing = scanWithWallet(await scan(), relay.url, stack.chain("bep20"), { refuses: true });
  await page.getByRole("alert").filter({ hasText: "You refused in the wallet." }).waitFor();
  refusing.close();
  await page.getByRole("button", { name: "Try again" }).click();
  const uri = await scan();
  await checkout.shot("wallet-connect");
  relay.cut();
  const wallet = scanWithWallet(uri, relay.url, stack.chain("bep20"));
  await checkout.waitForText("Sent by your wallet.");
  await stack.mine(3);
  await checkout.waitForTitle("Payment complete");
  wallet.close();
});
