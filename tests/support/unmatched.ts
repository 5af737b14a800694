import { eq } from "drizzle-orm";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { depositCause } from "#lib/domain/deposits/rules.ts";
import { deposits, foreignDeposits } from "#lib/domain/deposits/tables.ts";
import { creditMerchants } from "#lib/domain/ledger/credit-merchants.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import type { DepositStatus } from "#lib/domain/types.ts";
import { allocateAddress } from "#lib/domain/wallets/allocate-address.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import type { Db } from "#lib/platform/db/connection.ts";

export const SENDER = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const OTHER_TOKEN = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const hash = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;

/** A merchant, by e-mail address. */
export async function aMerchant(db: Db, email: string, name = "Shop"): Promise<number> {
  const [row] = await db.insert(merchants).values({ email, name }).returning({ id: merchants.id });
  return row!.id;
}

let transactions = 0;

/** One of the merchant's addresses on the adapter's network. */
export function anAddress(db: Db, adapter: NetworkAdapter, merchantId: number) {
  return db.transaction((tx) =>
    allocateAddress(tx, adapter, { merchantId, purpose: "merchant", customerId: null }),
  );
}

interface Held {
  readonly addressId: number;
  readonly status?: Exclude<DepositStatus, "credited">;
  readonly at?: Date;
}

/** An unmatched USDT deposit as the watcher stores it. Held ones are in the ledger. */
export async function anUnmatchedDeposit(
  db: Db,
  given: Held,
  amount = 5n * 10n ** 18n,
): Promise<{ id: number; txHash: string }> {
  const [deposit] = await unmatchedDeposits(db, given, [amount]);
  return deposit!;
}

/** One of each amount. */
export async function unmatchedDeposits(
  db: Db,
  { addressId, status = "held", at = new Date() }: Held,
  amounts: readonly bigint[],
): Promise<{ id: number; txHash: string }[]> {
  const { env, network, merchantId } = await readAddress(db, addressId);
  const common = {
    ...{ env, network, merchantId, addressId, status },
    token: "usdt",
    position: 4,
    sender: SENDER,
    unmatchedReason: "no_purpose",
    blockHeight: status === "dropped" ? null : 100,
    blockHash: status === "dropped" ? null : hash(100),
    blockTime: at,
    confirmations: status === "held" ? 1 : 0,
    requiredConfirmations: 1,
    creditRound: status === "held" ? 1 : 0,
    firstSeenAt: at,
    createdAt: at,
    updatedAt: at,
  } as const;
  const rows = await db
    .insert(deposits)
    .values(amounts.map((amount) => ({ ...common, amount, txHash: hash(++transactions) })))
    .returning({ id: deposits.id, txHash: deposits.txHash, amount: deposits.amount });
  const credits = rows.map(({ id, amount }) => ({
    ...{ env, network, amount, merchantId: null, token: "usdt" as const },
    cause: depositCause({ id, creditRound: 1 }),
  }));
  if (status === "held") await db.transaction((tx) => creditMerchants(tx, credits, at));
  return rows;
}

async function readAddress(db: Db, addressId: number) {
  const [address] = await db.select().from(addresses).where(eq(addresses.id, addressId));
  return address!;
}

/** An unlisted token, as the search stores it. */
export async function aForeignDeposit(
  db: Db,
  { addressId, at = new Date() }: { addressId: number; at?: Date },
  rawAmount = 2n ** 255n,
): Promise<{ id: number; txHash: string }> {
  transactions += 1;
  const address = await readAddress(db, addressId);
  const { env, network } = address;
  const merchantId = address.merchantId!;
  const txHash = hash(transactions);
  const [row] = await db
    .insert(foreignDeposits)
    .values({
      ...{ env, network, merchantId, addressId, txHash, rawAmount },
      contract: OTHER_TOKEN,
      position: 6,
      sender: SENDER,
      blockHeight: 100,
      blockHash: hash(100),
      createdAt: at,
      updatedAt: at,
    })
    .returning({ id: foreignDeposits.id });
  return { id: row!.id, txHash };
}
