import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { createOrUpdateCustomer } from "#lib/domain/merchants/upsert-customer.ts";
import { findNetworkSettings } from "#lib/domain/settings/queries.ts";
import { type Db, inTransaction, type Tx } from "#lib/platform/db/connection.ts";
import { allocateAddress } from "./hand-out-address.ts";
import { findUnusedAddress, lockWallets } from "./store.ts";
import type { WalletScope } from "./types.ts";

/** Unused addresses are looked for among so many of an owner's newest: a call costs the same however many there are. */
const LOOKED_AT = 100;

/** null: the merchant itself. */
export type WalletCustomer = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
} | null;

export interface GenerateWalletRequest {
  readonly env: Env;
  readonly network: string;
  readonly merchantId: number;
  readonly customer: WalletCustomer;
  /** A new address even though an unused one exists. */
  readonly fresh: boolean;
}

/**
 * An address (as people read it, with NetworkAdapter.extraOf) of a customer or of the merchant: the newest that nothing has come to yet, else a new
 * one. Of several first calls at once one makes it and all get it. Throws when the account key gives none (see
 * handOutAddress); nothing is written then.
 */
export async function generateWallet(
  db: Db | Tx,
  networks: NetworkRegistry,
  { env, network, merchantId, customer, fresh }: GenerateWalletRequest,
): Promise<
  | { ok: true; address: string; extra: string | null }
  | { ok: false; reason: "network_unknown" | "generation_disabled" }
> {
  const settings = await findNetworkSettings(db, env, network);
  if (settings === null) return { ok: false, reason: "network_unknown" };
  const adapter = networks.find(env, network);
  if (adapter === null || !settings.status || !settings.generate) {
    return { ok: false, reason: "generation_disabled" };
  }
  const address = await inTransaction(db, async (tx) => {
    const customerRow =
      customer && (await createOrUpdateCustomer(tx, { ...customer, merchantId, env, phone: null }));
    const owner = { env, network: adapter.network, merchantId, customerId: customerRow?.id ?? null };
    return fresh ? handOut(tx, adapter, owner) : reuse(tx, adapter, owner);
  });
  return {
    ok: true,
    address: adapter.displayAddress(address),
    extra: adapter.readAddressExtra?.(address) ?? null,
  };
}

async function reuse(tx: Tx, adapter: NetworkAdapter, owner: WalletScope): Promise<string> {
  const known = await findUnusedAddress(tx, owner, LOOKED_AT);
  if (known !== null) return known;
  await lockWallets(tx, owner);
  // Somebody may have made it while we waited.
  return (await findUnusedAddress(tx, owner, LOOKED_AT)) ?? handOut(tx, adapter, owner);
}

async function handOut(
  tx: Tx,
  adapter: NetworkAdapter,
  { merchantId, customerId }: WalletScope,
): Promise<string> {
  const purpose = customerId === null ? "merchant" : "customer";
  return (await allocateAddress(tx, adapter, { merchantId, purpose, customerId })).address;
}
