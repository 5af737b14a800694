import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import { defineProgramVerb } from "#lib/domain/authority/define-verb.ts";
import type { ProgramAct } from "#lib/domain/authority/types.ts";
import { createOrUpdateCustomer } from "#lib/domain/merchants/create-customers.ts";
import { findNetworkSettings } from "#lib/domain/settings/queries.ts";
import { joinTransaction, type Tx } from "#lib/platform/db/connection.ts";
import { allocateAddress, refuseAboveLimit } from "./allocate-address.ts";
import { findUnusedAddress, lockWallets } from "./store.ts";
import type { WalletScope } from "./types.ts";

/** An unused address is searched among this many of the newest, so that the cost of a call is limited. */
const SEARCH_LIMIT = 100;

/** The customer that the address is for. Null: the merchant itself. */
export type WalletCustomer = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
} | null;

export interface GenerateWalletRequest {
  readonly networks: NetworkRegistry;
  readonly network: string;
  readonly customer: WalletCustomer;
  /** Allocate a new address even if an unused one exists. */
  readonly fresh: boolean;
}

/**
 * Returns an address of a customer or of the merchant, in display form: the newest without a deposit, else a new one. Of
 * several concurrent first calls one allocates it and all return it. Throws if no address can be allocated (see
 * allocateAddress). Then, and after a refusal, nothing is written, or the caller rolls its transaction back. The row of the address is its
 * record: it leaves no audit entry.
 */
export const generateWallet = defineProgramVerb("address.allocate", generate);

async function generate(
  { db, env, merchantId }: ProgramAct,
  { networks, network, customer, fresh }: GenerateWalletRequest,
): Promise<
  | { ok: true; address: string; extra: string | null }
  | { ok: false; reason: "network_unknown" | "generation_disabled" | "address_limit_reached" }
> {
  const settings = await findNetworkSettings(db, env, network);
  if (settings === null) return { ok: false, reason: "network_unknown" };
  const adapter = networks.find(env, network);
  if (adapter === null || !settings.status || !settings.generate) {
    return { ok: false, reason: "generation_disabled" };
  }
  return refuseAboveLimit(() =>
    joinTransaction(db, async (tx) => {
      const customerRow =
        customer && (await createOrUpdateCustomer(tx, { ...customer, merchantId, env, phone: null }));
      const scope = { env, network: adapter.network, merchantId, customerId: customerRow?.id ?? null };
      const address = await (fresh ? allocateNew(tx, adapter, scope) : reuseOrAllocate(tx, adapter, scope));
      const extra = adapter.addresses.tags?.read(address)?.tag ?? null;
      return { ok: true, address: adapter.addresses.display(address), extra } as const;
    }),
  );
}

async function reuseOrAllocate(tx: Tx, adapter: NetworkAdapter, scope: WalletScope): Promise<string> {
  const unused = await findUnusedAddress(tx, scope, SEARCH_LIMIT);
  if (unused !== null) return unused;
  await lockWallets(tx, scope);
  // Another transaction may have allocated one while this one waited.
  return (await findUnusedAddress(tx, scope, SEARCH_LIMIT)) ?? allocateNew(tx, adapter, scope);
}

async function allocateNew(
  tx: Tx,
  adapter: NetworkAdapter,
  { merchantId, customerId }: WalletScope,
): Promise<string> {
  const purpose = customerId === null ? "merchant" : "customer";
  return (await allocateAddress(tx, adapter, { merchantId, purpose, customerId })).address;
}
