import { deposits } from "#lib/domain/deposits/tables.ts";
import type { TestApi, TestMerchant } from "#tests/support/api.ts";
import { successOf } from "#tests/support/says.ts";
import { aHash, USDT } from "#tests/support/withdrawals.ts";

/** A payment link on bep20 for which this much was credited, in whole USDT; "0": nothing. Returns its refid. */
export async function aPaidLink(api: TestApi, merchant: TestMerchant, amount: bigint): Promise<string> {
  const made = await api.client(merchant.test).POST("/payment-links", {
    body: {
      ...{ amount: "16000", payment_reference: "ORDER1", amount_currency: "ngn" },
      ...{ success_url: "https://shop.example.com/a", cancel_url: "https://shop.example.com/b" },
      customer_details: { email: "ada@example.com", first_name: "Ada", last_name: "Obi" },
      wallets: [{ network: "bep20", token: "USDT" }],
    },
  });
  const { refid } = successOf(made).data;
  if (amount === 0n) return refid;
  const { db, database } = api.database;
  const { rows } = await database.pool.query(
    `select l.id as link, w.address_id as address from payment_links l join payment_link_wallets w on w.payment_link_id = l.id
      where l.refid = $1 and w.address_id is not null`,
    [refid],
  );
  const at = new Date();
  const [deposit] = await db
    .insert(deposits)
    .values({
      ...{ env: "test", network: "bep20", token: "usdt", merchantId: merchant.id, amount: amount * USDT },
      ...{
        addressId: Number(rows[0].address),
        txHash: aHash(),
        position: 0,
        status: "credited" as const,
        creditRound: 1,
      },
      ...{ confirmations: 1, requiredConfirmations: 1, firstSeenAt: at, confirmedAt: at },
    })
    .returning();
  await database.pool.query("insert into payments (deposit_id, payment_link_id) values ($1, $2)", [
    deposit?.id,
    rows[0].link,
  ]);
  return refid;
}
