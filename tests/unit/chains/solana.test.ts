import assert from "node:assert/strict";
import { test } from "node:test";
import { mnemonicToSeedSync } from "@scure/bip39";
import { createKeyPairSignerFromPrivateKeyBytes } from "@solana/kit";
import { openNetworks } from "#lib/chains/registry.ts";
import type { RpcCall, RpcClient } from "#lib/chains/rpc-client.ts";
import {
  canonicalizeSolanaAddress,
  deriveSolanaAddress,
  deriveSolanaKey,
  isKeyPairAddress,
} from "#lib/chains/solana/address.ts";
import { fetchSolanaCost, fetchSolanaPayments } from "#lib/chains/solana/fetch-transaction.ts";
import { listGains, listTokenAccountGains, POSITION_OF_TOKENS } from "#lib/chains/solana/match-balances.ts";
import type { TransactionBalances } from "#lib/chains/solana/parse-block.ts";
import { createPoolAddresses } from "#lib/domain/wallets/create-wallet.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { tokenAccountOf, USDT_MINT } from "#tests/support/solana.ts";

const WORDS = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";

test("derives the keys of SLIP-10's test vectors for ed25519", () => {
  // SLIP-0010, Test vector 1 for ed25519: seed 000102030405060708090a0b0c0d0e0f.
  const seed = Buffer.from("000102030405060708090a0b0c0d0e0f", "hex");
  const vectors = {
    m: "2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7",
    "m/0'": "68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3",
    "m/0'/1'": "b1d0bad404bf35da785a64ca1ac54b2617211d2777696fbffaf208f746ae84f2",
    "m/0'/1'/2'/2'/1000000000'": "8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793",
  };
  for (const [path, key] of Object.entries(vectors)) {
    assert.equal(Buffer.from(deriveSolanaKey(seed, path)).toString("hex"), key, path);
  }
  assert.throws(() => deriveSolanaKey(seed, "m/0"), /not all hardened/);
  assert.throws(() => deriveSolanaKey(seed, "m/2147483648'"), /not all hardened/);
});

test("derives the addresses that wallets and Solana's own library show", async () => {
  const seed = mnemonicToSeedSync(WORDS);
  assert.equal(deriveSolanaAddress(seed, "m/44'/501'/0'/0'"), "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk");
  for (const path of ["m/44'/501'/0'/0'", "m/44'/501'/7'/0'", "m/44'/501'/7'/1'"]) {
    const { address } = await createKeyPairSignerFromPrivateKeyBytes(deriveSolanaKey(seed, path));
    assert.equal(deriveSolanaAddress(seed, path), address);
    assert.ok(isKeyPairAddress(address));
  }
  const [live, test_] = createPoolAddresses(WORDS, 3);
  assert.equal(live?.addresses[0]?.address, "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk");
  assert.equal(test_?.addresses[2]?.path, "m/44'/501'/2'/1'");
  const all = [...(live?.addresses ?? []), ...(test_?.addresses ?? [])].map(({ address }) => address);
  assert.equal(new Set(all).size, 6);
});

test("accepts an address of 32 bytes in its one spelling", async () => {
  const address = "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk";
  assert.equal(canonicalizeSolanaAddress(address), address);
  for (const text of [
    address.toLowerCase(),
    ` ${address}`,
    `${address}1`,
    address.slice(1, -1).slice(0, 40),
    address.replace("H", "0"),
    "",
    // 64 bytes: a signature.
    "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
  ]) {
    assert.equal(canonicalizeSolanaAddress(text), null, text);
  }
});

test("reports that token accounts and programs have no key", async () => {
  for (let i = 0; i < 20; i++) {
    const owner = deriveSolanaAddress(mnemonicToSeedSync(WORDS), `m/44'/501'/${i}'/0'`);
    assert.equal(isKeyPairAddress(await tokenAccountOf(owner, USDT_MINT)), false);
  }
  // The system program and the native loader: points of small order, or not on the curve.
  assert.equal(isKeyPairAddress("11111111111111111111111111111111"), false);
  assert.equal(isKeyPairAddress("not an address"), false);
});

test("builds a URI from which a wallet reads address, mint and the exact amount", () => {
  const mint = "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB";
  const address = "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk";
  const config = { env: "live", network: "solana", rpcUrls: ["http://127.0.0.1:9"] } as const;
  const off = { accountKey: "", zmqUrl: null, chainId: null, contracts: {} };
  const adapter = openNetworks([{ ...config, ...off }]).find("live", "solana")!;
  const sol = (amount: bigint) => adapter.addresses.buildPaymentUri({ address, token: "sol", amount });
  const usdt = (amount: bigint) => adapter.addresses.buildPaymentUri({ address, token: "usdt", amount });
  assert.equal(sol(1n), `solana:${address}?amount=0.000000001`);
  assert.equal(sol(12_500_000_000n), `solana:${address}?amount=12.5`);
  assert.equal(usdt(10n ** 18n), `solana:${address}?amount=1&spl-token=${mint}`);
  // Never less than is due: rounded up to the token's smallest unit.
  assert.equal(usdt(1n), `solana:${address}?amount=0.000001&spl-token=${mint}`);
  assert.throws(
    () => adapter.addresses.buildPaymentUri({ address, token: "btc", amount: 1n }),
    /not received/,
  );
  assert.throws(() => adapter.addresses.derive(0), /pool/);
});

const TOKENS_LISTED = [
  { token: "sol", mint: null, decimals: 9 },
  { token: "usdt", mint: "M", decimals: 6 },
] as const;
const BALANCES: TransactionBalances = {
  signature: "s",
  failed: false,
  accounts: ["payer", "us", "ata", "other"],
  before: [100, 0, 5, 7],
  after: [60, 30, 5, 12],
  tokensBefore: [],
  tokensAfter: [],
};
const shown = (balances: TransactionBalances) =>
  listGains(balances, TOKENS_LISTED).map(({ token, address, position, sender, amount }) => [
    token,
    address,
    position,
    sender,
    amount(),
  ]);

test("lists gains by balance: coins at the account's position, tokens by owner at their account's position", () => {
  const coins = [
    ["sol", "us", 1, "payer", 30n],
    ["sol", "other", 3, "payer", 5n],
  ];
  assert.deepEqual(shown(BALANCES), coins);
  const tokens: TransactionBalances = {
    ...BALANCES,
    tokensBefore: [
      { accountIndex: 3, mint: "M", owner: "payer", amount: 10n },
      { accountIndex: 0, mint: "M", owner: "us", amount: 1n },
    ],
    tokensAfter: [
      { accountIndex: 3, mint: "M", owner: "payer", amount: 2n },
      { accountIndex: 0, mint: "M", owner: "us", amount: 0n },
      { accountIndex: 2, mint: "M", owner: "us", amount: 9n },
    ],
  };
  const unit = 10n ** BigInt(TOKENS.usdt.ledgerDecimals - 6);
  assert.deepEqual(shown(tokens), [...coins, ["usdt", "us", POSITION_OF_TOKENS + 2, "payer", 8n * unit]]);
  assert.deepEqual(shown({ ...tokens, failed: true }), []);
  const byAccount = (balances: TransactionBalances) =>
    listTokenAccountGains(balances, TOKENS_LISTED).map(({ address, amount }) => [address, amount()]);
  assert.deepEqual(byAccount(tokens), [["ata", 9n * unit]]);
  assert.deepEqual(byAccount({ ...tokens, failed: true }), []);
});

test("lists minted tokens without a sender, and no gain for an owner who loses in total", () => {
  const minted = { accountIndex: 2, mint: "M", owner: "us", amount: 4n };
  const still = { ...BALANCES, after: BALANCES.before };
  assert.deepEqual(shown({ ...still, tokensAfter: [minted] })[0]?.slice(0, 4), [
    "usdt",
    "us",
    POSITION_OF_TOKENS + 2,
    null,
  ]);
  assert.deepEqual(
    shown({
      ...still,
      tokensBefore: [{ ...minted, amount: 9n }],
      tokensAfter: [minted, { ...minted, accountIndex: 1, amount: 5n }],
    }),
    [],
  );
});

test("asks once for a transaction and once for its block", async () => {
  const signature = "4".repeat(88);
  const status = { slot: 5, err: null, confirmationStatus: "finalized" };
  const balances = { preBalances: [], postBalances: [], preTokenBalances: [], postTokenBalances: [] };
  const meta = { err: null, fee: 5_000, ...balances };
  const message = { accountKeys: [], instructions: [] };
  const transaction = { slot: 5, transaction: { signatures: [signature], message }, meta, version: 0 };
  const block = {
    blockhash: "1".repeat(32),
    previousBlockhash: "1".repeat(32),
    parentSlot: 4,
    blockTime: 1,
    blockHeight: 5,
  };
  const asked: string[] = [];
  const answers: Readonly<Record<string, unknown>> = {
    getSignatureStatuses: { value: [status] },
    getTransaction: transaction,
    getBlock: block,
  };
  const batch = async (calls: readonly RpcCall[]) =>
    calls.map(({ method }) => {
      asked.push(method);
      return answers[method];
    });
  const client = { batch } as unknown as RpcClient;
  const payments = await fetchSolanaPayments(client, [], signature);
  assert.deepEqual(payments?.block, { height: 5, hash: block.blockhash });
  assert.deepEqual(asked.splice(0), ["getSignatureStatuses", "getTransaction", "getBlock"]);
  assert.equal((await fetchSolanaCost(client, [], signature))?.fee, 5_000n);
  assert.deepEqual(asked, ["getSignatureStatuses", "getTransaction", "getBlock"]);
});
