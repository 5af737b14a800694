import { eq } from "drizzle-orm";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { settlePayments } from "#lib/domain/payment-links/settle/settle-links.ts";
import type { TestApi, TestMerchant } from "./api.ts";
import { successOf } from "./says.ts";
import { aHash, USDT } from "./withdrawals.ts";

/** An invoice whose customer has chosen USDT on bep20, and the id of the address. */
export interface PickedInvoice {
  readonly refid: string;
  readonly addressId: number;
}

/** Payments of a merchant's links on bep20, recorded as the watcher records them. */
export function payShop(api: TestApi, merchant: TestMerchant) {
  const { database, networks, rates, settings } = api.services;
  const { db } = database;
  return {
    async invoice(terms: {
      readonly amount: string;
      readonly amount_currency: "ngn";
      readonly payment_reference: string;
    }): Promise<PickedInvoice> {
      const made = await api.client(merchant.test).POST("/payment-links", {
        body: {
          ...terms,
          success_url: "https://shop.example.com/a",
          cancel_url: "https://shop.example.com/b",
          customer_details: { email: "ada@example.com", first_name: "Ada", last_name: "Obi" },
          wallets: [{ network: "bep20", token: "USDT" }],
        },
      });
      const { refid } = successOf(made).data;
      const { rows } = await database.pool.query(
        `select w.address_id as id from payment_links l join payment_link_wallets w on w.payment_link_id = l.id
          where l.refid = $1`,
        [refid],
      );
      return { refid, addressId: Number(rows[0].id) };
    },
    /** Records a payment of hundredths of USDT. Returns the deposit. */
    pay(addressId: number, cents: bigint): Promise<number> {
      return db.transaction(async (tx) => {
        const at = new Date();
        const [row] = await tx
          .insert(deposits)
          .values({
            env: "test",
            network: "bep20",
            token: "usdt",
            merchantId: merchant.id,
            addressId,
            txHash: aHash(),
            position: 0,
            amount: (cents * USDT) / 100n,
            requiredConfirmations: 1,
            firstSeenAt: at,
          })
          .returning();
        await settlePayments(tx, { networks, rates, settings }, [row!.id], at);
        return row!.id;
      });
    },
    /** Makes a payment final. */
    async credit(id: number): Promise<void> {
      await db.transaction(async (tx) => {
        const at = new Date();
        const credited = { status: "credited", confirmations: 1, confirmedAt: at, creditRound: 1 } as const;
        await tx.update(deposits).set(credited).where(eq(deposits.id, id));
        await settlePayments(tx, { networks, rates, settings }, [id], at);
      });
    },
  };
}
