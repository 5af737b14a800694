import { and, desc, eq, isNull } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { unsweptAmounts } from "../tables.ts";

/** A token of one network. */
export interface SweptToken {
  readonly env: Env;
  readonly network: NetworkCode;
  readonly token: TokenCode;
}

/** An address that probably holds money. Nothing in it is proven: before it is used, the address is derived and a node is asked. */
export interface UnsweptAddress {
  readonly addressId: number;
  readonly address: string;
  /** Its number below the account key. */
  readonly index: number;
  /** Its path from the root, where it comes out of a pool. "imported" if that is not known. */
  readonly path: string;
  /** It receives again and again. Others are for one payment. */
  readonly isPermanent: boolean;
  /** Ledger units. */
  readonly amount: bigint;
}

/** Lists the addresses with the largest amounts that the signer may look at now, the largest first. */
export async function listUnswept(
  db: Db,
  { env, network, token }: SweptToken,
  limit: number,
): Promise<UnsweptAddress[]> {
  const rows = await db
    .select({
      addressId: addresses.id,
      address: addresses.address,
      index: addresses.index,
      path: addresses.path,
      purpose: addresses.purpose,
      amount: unsweptAmounts.amount,
    })
    .from(unsweptAmounts)
    .innerJoin(addresses, eq(addresses.id, unsweptAmounts.addressId))
    .where(
      and(
        eq(unsweptAmounts.env, env),
        eq(unsweptAmounts.network, network),
        eq(unsweptAmounts.token, token),
        isNull(unsweptAmounts.retryAt),
      ),
    )
    .orderBy(desc(unsweptAmounts.amount))
    .limit(limit);
  return rows.map(({ purpose, ...row }) => ({ ...row, isPermanent: purpose !== "payment_link" }));
}
