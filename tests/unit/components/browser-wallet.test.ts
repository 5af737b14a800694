import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeFunctionData, erc20Abi } from "viem";
import { payByEvmWallet } from "#components/checkout/browser-wallet/pay-evm.ts";
import { payByTronWallet } from "#components/checkout/browser-wallet/pay-tron.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import type { EvmWalletTransfer, TronWalletTransfer } from "#lib/chains/wallet-transfer.ts";
import { ACCOUNT_KEY } from "#tests/support/watched-chain.ts";

const ADDRESS = "0x9858effd232b4033e47d90003d41ec34ecaeda94";
const AMOUNT = 12_500_000_000_000_000_001n;

function transferOn(env: "live" | "test", token: "usdt" | "bnb" = "usdt"): EvmWalletTransfer {
  const given = { rpcUrls: ["http://127.0.0.1:1"], accountKey: ACCOUNT_KEY, contracts: {} };
  const networks = openNetworks([{ env, network: "bep20", zmqUrl: null, chainId: null, ...given }]);
  const [adapter] = networks.all();
  return adapter!.addresses.buildWalletTransfer({
    address: ADDRESS,
    token,
    amount: AMOUNT,
  }) as EvmWalletTransfer;
}

test("asks for the exact transfer that another library encodes", () => {
  const transfer = transferOn("live");
  assert.deepEqual(transfer.transaction, {
    to: "0x55d398326f99059fF775485246999027B3197955",
    value: "0x0",
    data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [ADDRESS, AMOUNT] }),
  });
  assert.equal(transfer.chainId, "0x38");
  assert.deepEqual(transfer.addChain, {
    chainId: "0x38",
    chainName: "BNB Smart Chain (BEP20)",
    nativeCurrency: { name: "BNB", symbol: "BNB", decimals: 18 },
    rpcUrls: ["https://bsc-dataseed.bnbchain.org"],
    blockExplorerUrls: ["https://bscscan.com"],
  });
  const coin = transferOn("test", "bnb");
  assert.equal(BigInt(coin.transaction.value), AMOUNT);
  assert.equal(coin.transaction.data, "0x");
  assert.equal(coin.contract, null);
});

type Answers = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;
const ACCOUNT = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const fail =
  (code: number, message = "") =>
  () => {
    throw Object.assign(new Error(message), { code });
  };

/** An EVM wallet on BNB Smart Chain that has enough, unless `answers` say otherwise. */
function evmWallet(answers: Answers = {}) {
  const asked: string[] = [];
  const all: Answers = {
    eth_requestAccounts: () => [ACCOUNT],
    eth_chainId: () => "0x38",
    eth_call: () => `0x${AMOUNT.toString(16).padStart(64, "0")}`,
    eth_sendTransaction: () => `0x${"ab".repeat(32)}`,
    ...answers,
  };
  const request = async ({ method, params = [] }: { method: string; params?: unknown[] }) => {
    asked.push(method);
    return all[method]?.(params) ?? null;
  };
  return { request, asked };
}

const REFUSALS: readonly [string, string, Answers][] = [
  ["an account is not shown", "refused", { eth_requestAccounts: fail(4001) }],
  ["a locked wallet names no account", "locked", { eth_requestAccounts: () => [] }],
  ["the wallet already asks for something", "locked", { eth_requestAccounts: fail(-32_002) }],
  [
    "another chain, and the payer does not switch",
    "wrongChain",
    { eth_chainId: () => "0x1", wallet_switchEthereumChain: fail(4001) },
  ],
  ["the wallet only says that it switched", "wrongChain", { eth_chainId: () => "0x1" }],
  ["one unit is missing", "tooLittle", { eth_call: () => `0x${(AMOUNT - 1n).toString(16)}` }],
  [
    "the fee is missing",
    "noFee",
    { eth_sendTransaction: fail(-32_000, "insufficient funds for gas * price + value") },
  ],
  ["the payer refuses", "refused", { eth_sendTransaction: fail(4001, "User denied transaction signature.") }],
  ["the wallet fails", "failed", { eth_sendTransaction: fail(-32_603, "Internal error") }],
];
for (const [name, reason, answers] of REFUSALS) {
  test(`EVM wallet: ${name}`, async () => {
    assert.equal(await payByEvmWallet(evmWallet(answers), transferOn("live")), reason);
  });
}

test("adds a chain that the wallet does not know, and sends on it", async () => {
  let chain = "0x1";
  const unknown = { message: "Unrecognized chain", data: { originalError: { code: 4902 } } };
  const wallet = evmWallet({
    eth_chainId: () => chain,
    wallet_switchEthereumChain: () => {
      throw unknown;
    },
    wallet_addEthereumChain: ([added]) => {
      chain = (added as { chainId: string }).chainId;
    },
  });
  assert.equal(await payByEvmWallet(wallet, transferOn("live")), null);
  assert.equal(wallet.asked.at(-1), "eth_sendTransaction");
});

test("sends where the wallet does not show balances", async () => {
  assert.equal(await payByEvmWallet(evmWallet({ eth_call: fail(4200) }), transferOn("live")), null);
});

const TRON: TronWalletTransfer = {
  kind: "tip1193",
  chainId: "0x2b6653dc",
  contract: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  to: "TQKLs3GzCNLjzyCvaPWSrqcpUGUhadxm7P",
  amount: "10000000",
  feeLimit: 100_000_000,
};

function tronWallet(
  changes: { sign?: () => never; balance?: bigint; sent?: object; answers?: Answers } = {},
) {
  const { sign, balance = 10_000_000n, sent = { result: true } } = changes;
  const calls: unknown[] = [];
  const tronWeb = {
    transactionBuilder: {
      triggerConstantContract: async () => ({ constant_result: [balance.toString(16).padStart(64, "0")] }),
      triggerSmartContract: async (...args: unknown[]) => {
        calls.push(args);
        return { transaction: {} };
      },
    },
    trx: { sign: async (made: object) => sign?.() ?? made, sendRawTransaction: async () => sent },
  };
  const answers = {
    eth_requestAccounts: () => ["TFrom"],
    eth_chainId: () => "0x2b6653dc",
    ...changes.answers,
  };
  const { request } = evmWallet(answers);
  return { request, tronWeb, calls };
}

test("TRON wallet: asks for the exact transfer, with a limit of the fee", async () => {
  const wallet = tronWallet();
  assert.equal(await payByTronWallet(wallet, TRON), null);
  assert.deepEqual(wallet.calls, [
    [
      TRON.contract,
      "transfer(address,uint256)",
      { feeLimit: 100_000_000 },
      [
        { type: "address", value: TRON.to },
        { type: "uint256", value: "10000000" },
      ],
      "TFrom",
    ],
  ]);
});

test("TRON wallet: says why nothing was sent", async () => {
  const declined = () => {
    throw "Confirmation declined by user";
  };
  assert.equal(await payByTronWallet(tronWallet({ sign: declined }), TRON), "refused");
  assert.equal(await payByTronWallet(tronWallet({ balance: 9_999_999n }), TRON), "tooLittle");
  assert.equal(await payByTronWallet(tronWallet({ sent: { code: "BANDWITH_ERROR" } }), TRON), "noFee");
  assert.equal(await payByTronWallet(tronWallet({ sent: { code: "SIGERROR" } }), TRON), "failed");
  const elsewhere = { eth_chainId: () => "0xcd8690dc", wallet_switchEthereumChain: fail(4902) };
  assert.equal(await payByTronWallet(tronWallet({ answers: elsewhere }), TRON), "wrongChain");
});
