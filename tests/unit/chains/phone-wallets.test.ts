import assert from "node:assert/strict";
import { test } from "node:test";
import { listPhoneWallets, type PhonePayment } from "#lib/chains/phone-wallets.ts";

const PAGE = "https://pay.example/pay/5cHtVFxqLmyBcVcnZuHYQm?lang=fr";

function evm(chainId: number, contract: string | null, units: bigint): PhonePayment["transfer"] {
  return {
    kind: "eip1193",
    chainId: `0x${chainId.toString(16)}`,
    addChain: null,
    contract,
    amount: `0x${units.toString(16)}`,
    transaction: { to: "0x", value: "0x0", data: "0x" },
  };
}

const tron = (contract: string | null): PhonePayment["transfer"] => ({
  kind: "tip1193",
  chainId: "0x2b6653dc",
  contract,
  to: "TSPrmJetAMo6S6RxMd4tswzeRCFVegBNig",
  amount: "1500000",
  feeLimit: 100_000_000,
});

const PAYMENT: PhonePayment = {
  env: "live",
  network: "erc20",
  token: "usdt",
  address: "0x650b5e446edabad7eba7fa7bb2f6119b2630bfbb",
  amount: "1",
  transfer: evm(1, "0x6B175474E89094C44Da98b954EedeAC495271d0F", 1_000_000n),
  pageUrl: PAGE,
};

const links = (payment: Partial<PhonePayment>) =>
  Object.fromEntries(listPhoneWallets({ ...PAYMENT, ...payment }).map(({ name, url }) => [name, url]));

// Each expected link is the example of the wallet's documentation (`source` in phone-wallets.ts), with the page's own
// address where the example has another page, and plain digits for 1e6 and 1e16.
test("MetaMask: a token to the recipient, of the contract, on the chain", () => {
  const { MetaMask } = links({
    address: "0x0000000",
    transfer: evm(59144, "0x176211869cA2b568f2A7D4EE941E073a821EE1ff", 1_000_000n),
  });
  assert.equal(
    MetaMask,
    "https://link.metamask.io/send/0x176211869cA2b568f2A7D4EE941E073a821EE1ff@59144/transfer?address=0x0000000&uint256=1000000",
  );
});

test("MetaMask: the chain's own coin", () => {
  const { MetaMask } = links({ address: "0x0000000", transfer: evm(137, null, 10n ** 16n) });
  assert.equal(MetaMask, "https://link.metamask.io/send/0x0000000@137?value=10000000000000000");
});

test("Trust Wallet: asset, address and amount, on main chains only", () => {
  assert.equal(
    links({})["Trust Wallet"],
    "https://link.trustwallet.com/send?asset=c60_t0x6B175474E89094C44Da98b954EedeAC495271d0F&address=0x650b5e446edabad7eba7fa7bb2f6119b2630bfbb&amount=1",
  );
  assert.equal(links({ env: "test" })["Trust Wallet"], undefined);
  const asset = (payment: Partial<PhonePayment>) =>
    new URL(links(payment)["Trust Wallet"] ?? "").searchParams.get("asset");
  // The examples of "Universal Asset ID".
  assert.equal(asset({ network: "bitcoin", token: "btc", transfer: null }), "c0");
  assert.equal(asset({ network: "bep20", token: "bnb", transfer: evm(56, null, 1n) }), "c20000714");
  const dai = "0x1af3f329e8be154074d8769d1ffa4ee058b1dbc3";
  assert.equal(asset({ network: "bep20", transfer: evm(56, dai, 1n) }), `c20000714_t${dai}`);
  const usdt = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
  assert.equal(asset({ network: "trc20", transfer: tron(usdt) }), `c195_t${usdt}`);
});

test("no link asks for a network's coin where a token is due", () => {
  assert.deepEqual(links({ network: "trc20", transfer: null }), {});
});

test("TronLink, Coinbase Wallet and Phantom open the page in their own browser", () => {
  const { TronLink } = links({ network: "trc20", transfer: tron("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t") });
  const [start, param = ""] = (TronLink ?? "").split("?param=");
  assert.equal(start, "tronlinkoutside://pull.activity");
  assert.deepEqual(JSON.parse(decodeURIComponent(param)), {
    url: PAGE,
    action: "open",
    protocol: "TronLink",
    version: "1.0",
  });
  const nft = "https://nft.coinbase.com/@barmstrong?param1=hello&param2=world";
  assert.equal(
    links({ pageUrl: nft })["Coinbase Wallet"],
    "https://go.cb-w.com/dapp?cb_url=https%3A%2F%2Fnft.coinbase.com%2F%40barmstrong%3Fparam1%3Dhello%26param2%3Dworld",
  );
  const item = "https://magiceden.io/item-details/8yjN8iRuoiYiKW487cnW9vn6mLBR5E8aCNKsBRmTP9vN";
  assert.equal(
    links({ pageUrl: item }).Phantom,
    "https://phantom.app/ul/browse/https%3A%2F%2Fmagiceden.io%2Fitem-details%2F8yjN8iRuoiYiKW487cnW9vn6mLBR5E8aCNKsBRmTP9vN?ref=https%3A%2F%2Fmagiceden.io",
  );
});

test("a network is offered to the wallets that support it, and to no other", () => {
  const names = (payment: Partial<PhonePayment>) => Object.keys(links(payment));
  const everywhere = ["MetaMask", "Trust Wallet", "Coinbase Wallet"];
  assert.deepEqual(names({ network: "bep20", transfer: evm(56, "0x55d3", 1n) }), everywhere);
  assert.deepEqual(names({}), [...everywhere, "Phantom"]);
  assert.deepEqual(names({ network: "trc20", transfer: tron("TR7N") }), ["Trust Wallet", "TronLink"]);
  assert.deepEqual(names({ network: "bitcoin", token: "btc", transfer: null }), ["Trust Wallet"]);
  assert.deepEqual(names({ network: "xrp", token: "xrp", transfer: null }), []);
});
