import assert from "node:assert/strict";
import { test } from "node:test";
import { findTransactionNetwork } from "#lib/chains/network.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { openEvmSigner } from "#lib/signer/evm/open-evm-signer.ts";
import { ACCOUNT_KEY, WORDS } from "#tests/support/signer-world.ts";
import { evmNetwork, log } from "#tests/support/watched-chain.ts";

test("pays a token with fewer decimals than the ledger, and holds an amount that the chain cannot express", () => {
  const contracts = { usdt: "0xdac17f958d2ee523a2206206994597c13d831ec7" };
  const networks = evmNetwork("erc20", ["http://127.0.0.1:9"], contracts, { accountKey: ACCOUNT_KEY });
  const signer = openEvmSigner({
    adapter: findTransactionNetwork(networks, { env: "test", network: "erc20" })!,
    mnemonic: WORDS,
    policy: () => null,
    // Nothing is asked.
    db: null as unknown as Db,
    log,
    now: () => new Date(),
  });
  const check = (amount: bigint, to = "0xaa00000000000000000000000000000000000000") =>
    signer.checkPayout({
      env: "test",
      network: "erc20",
      refid: "1",
      merchantId: 1,
      token: "usdt",
      amount,
      to,
    });
  assert.equal(check(1_234_567n * 10n ** 12n), null);
  assert.equal(check(1_234_567n * 10n ** 12n + 1n), "amount_not_exact");
  assert.equal(check(10n ** 18n, signer.account), "destination_unsafe");
  assert.equal(check(10n ** 18n, contracts.usdt), "destination_unsafe");
});
