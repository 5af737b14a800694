import assert from "node:assert/strict";
import { test } from "node:test";
import { NETWORKS } from "#lib/chains/networks.ts";
import { unmatchedReasonFor } from "#lib/domain/deposits/rules.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { generateWallet } from "#lib/domain/wallets/generate-wallet.ts";
import { listMerchantAddresses } from "#lib/domain/wallets/queries.ts";
import { programOf } from "#tests/support/acts.ts";
import { sendEvmUsdt } from "#tests/support/anvil.ts";
import { openWatchedChain, USDT } from "#tests/support/watched-chain.ts";

test("credits money at a customer's and at the merchant's own address to the merchant", async (t) => {
  const chain = await openWatchedChain(t);
  const { db, networks, merchantId } = chain;
  const wallet = async (email: string | null) => {
    const customer = email === null ? null : { email, firstName: "Ada", lastName: "Obi" };
    const act = { db, now: new Date(), actor: programOf(1), merchantId, env: "test" } as const;
    const generated = await generateWallet(act, { networks, network: "bep20", customer, fresh: false });
    if (!generated.ok) throw new Error(JSON.stringify(generated));
    return generated.address;
  };
  const own = await wallet(null);
  const customers = await wallet("ada@example.com");
  chain.watch();
  await chain.caughtUp();
  await sendEvmUsdt(chain.url, own, 3n * USDT);
  await sendEvmUsdt(chain.url, customers, 4n * USDT);
  await sendEvmUsdt(chain.url, customers, 5n * USDT);
  await chain.mine(4);
  await chain.depositsAre(["credited", "credited", "credited"]);

  assert.equal(await chain.balance(), 12n * USDT);
  const rows = await db.select().from(deposits);
  assert.deepEqual(new Set(rows.map((row) => row.unmatchedReason)), new Set([null]));
  const scope = { env: "test", network: "bep20", merchantId } as const;
  const listed = await listMerchantAddresses(db, scope, "usdt", { before: null, limit: 10 });
  assert.deepEqual(
    listed.map(({ purpose, customerEmail, totalReceived }) => [purpose, customerEmail, totalReceived]),
    [
      ["customer", "ada@example.com", 9n * USDT],
      ["merchant", null, 3n * USDT],
    ],
  );
  const events = await chain.events();
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.genesis, data.customer, data.value]),
    [
      ["deposit_credited", 1, null, "3"],
      ["deposit_credited", 0, "ada@example.com", "4"],
      ["deposit_credited", 0, "ada@example.com", "5"],
    ],
  );
  assert.deepEqual((await chain.ledger()).problems, []);
  // Both were used: the next calls allocate others.
  assert.notEqual(await wallet(null), own);
  assert.notEqual(await wallet("ada@example.com"), customers);
});

test("these addresses accept any listed token, but not another network's money or an unlisted token", () => {
  const usdt = { token: "usdt", unmatchedReason: null, block: null } as const;
  const createdAt = new Date();
  for (const purpose of ["customer", "merchant"] as const) {
    const own = { network: "bep20", purpose, createdAt } as const;
    assert.equal(unmatchedReasonFor(usdt, NETWORKS.bep20, own, null), null);
    assert.equal(unmatchedReasonFor({ ...usdt, token: "bnb" }, NETWORKS.bep20, own, null), null);
    assert.equal(
      unmatchedReasonFor(usdt, NETWORKS.bep20, { ...own, network: "trc20" }, null),
      "other_network",
    );
  }
});
