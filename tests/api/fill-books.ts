import { recordRefusedAttempt } from "#lib/domain/ledger/record-refused-attempt.ts";
import { addIp } from "#lib/domain/merchants/ip-entries.ts";
import { setEndpointUrl } from "#lib/domain/webhooks/webhook-endpoints.ts";
import { actOf } from "#tests/support/acts.ts";
import type { TestApi, TestMerchant } from "#tests/support/api.ts";
import { aDeposit, evmHash } from "#tests/support/deposits.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { fund } from "#tests/support/fund.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { successOf } from "#tests/support/says.ts";
import { aForeignDeposit, anAddress, anUnmatchedDeposit } from "#tests/support/unmatched.ts";
import { aWithdrawal } from "#tests/support/withdrawals.ts";

/** Creates one record of every kind in a merchant's test environment. `n` is in none before. Returns their identifiers. */
export async function fillBooks(
  api: TestApi,
  owner: TestMerchant,
  n: number,
): Promise<Record<string, string>> {
  const { db } = api.database;
  const { networks } = api.services;
  const adapter = networks.find("test", "bep20")!;
  const now = new Date();
  const { id: addressId, address } = await anAddress(db, adapter, owner.id);
  const tx_hash = evmHash(0xabcdef00 + n);
  await aDeposit(db, addressId, { txHash: tx_hash, confirmations: 1, creditRound: 1 });
  await anUnmatchedDeposit(db, { addressId });
  await aForeignDeposit(db, { addressId });
  await fund(db, { merchantId: owner.id, token: "usdt", amount: "1000" }, now);
  const refused = { merchantId: owner.id, env: "test", token: "btc", direction: "credit" } as const;
  await recordRefusedAttempt(db, { ...refused, amount: 1n, balance: 0n, reason: "buys_disabled" }, now);
  const customer = `c${n}@private.example`;
  const customer_details = { email: customer, first_name: "A", last_name: "B" };
  const body = { ...PAYMENT_LINK, customer_details, wallets: [{ network: "bep20", token: "USDT" }] };
  const client = api.client(owner.test);
  const { refid } = successOf(await client.POST("/payment-links", { body })).data;
  const { form } = successOf(await client.POST("/forms", { body: { title: "Shoes", amount: "5" } })).data;
  const { refid: withdrawal } = await aWithdrawal({ db, networks }, owner.email);
  const ofTest = { merchantId: owner.id, env: "test" } as const;
  await db.transaction(async (tx) => {
    await setEndpointUrl(tx, { ...ofTest, url: "https://hooks.example.com/" });
    const event = { ...ofTest, type: "deposit_credited", txHashes: [tx_hash], dataJson: "{}" } as const;
    await emitRawEvent(tx, event, now);
    await addIp(actOf(tx, owner.id, { now }), { name: `office ${n}`, address: `10.0.0.${n}` });
  });
  return { tx_hash, refid, address: adapter.addresses.display(address), customer, form, withdrawal };
}
