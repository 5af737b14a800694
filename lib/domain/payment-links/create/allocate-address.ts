import type { NetworkAdapter } from "#lib/chains/network.ts";
import { allocateAddress } from "#lib/domain/wallets/hand-out-address.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { insertLinkWallet, type LinkRow } from "../store.ts";
import type { NetworkToken } from "../types.ts";

/** Hands out the link's one address on this network. `visitor`: the keyed hash of who asked; null: the merchant did. */
export async function allocateLinkAddress(
  tx: Tx,
  { link }: LinkRow,
  adapter: NetworkAdapter,
  token: NetworkToken["token"],
  visitor: Buffer | null,
  now: Date,
): Promise<{ address: string; addressId: number }> {
  const owner = {
    merchantId: link.merchantId,
    purpose: "payment_link",
    customerId: link.customerId,
  } as const;
  const { id, address } = await allocateAddress(tx, adapter, owner);
  const { network } = adapter;
  await insertLinkWallet(tx, {
    paymentLinkId: link.id,
    network,
    token,
    addressId: id,
    visitor,
    createdAt: now,
  });
  return { address, addressId: id };
}
