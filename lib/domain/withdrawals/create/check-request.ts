import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import { type Env, findNetworkToken } from "#lib/chains/network-data.ts";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import { findNetworkSettings, getTokenSettings } from "#lib/domain/settings/queries.ts";
import type { TokenSettings } from "#lib/domain/settings/types.ts";
import { listKnownAddresses } from "#lib/domain/wallets/queries.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { type SendAmountRefusal, sendAmountRefusal } from "../rules.ts";
import { isUnsafeDestination } from "./is-unsafe-destination.ts";

export type SendableRefusal =
  | "merchant_disabled"
  | "network_off"
  | "network_only_receives"
  | "token_not_on_network"
  | "sends_disabled_for_network"
  | "sends_disabled_for_token"
  | SendAmountRefusal;

export type DestinationRefusal = "destination_malformed" | "destination_is_ours" | "destination_unsafe";

/** Whether a merchant can send this much of a token on a network, to any address. `network` may be unknown. */
export async function checkSendable(
  db: Db | Tx,
  networks: NetworkRegistry,
  { status }: Pick<Merchant, "status">,
  {
    env,
    network,
    token,
    amount,
  }: { readonly env: Env; readonly network: string; readonly token: TokenCode; readonly amount: bigint },
): Promise<
  | { readonly ok: true; readonly adapter: NetworkAdapter; readonly tokenSettings: TokenSettings }
  | { readonly ok: false; readonly reason: SendableRefusal }
> {
  const refuse = (reason: SendableRefusal) => ({ ok: false, reason }) as const;
  if (status !== "active") return refuse("merchant_disabled");
  const adapter = networks.find(env, network);
  if (adapter === null) return refuse("network_off");
  // Nobody could tell whether the withdrawal was paid.
  if (adapter.transactions === null) return refuse("network_only_receives");
  const listed = findNetworkToken(adapter.data, env, token);
  if (listed === null) return refuse("token_not_on_network");
  const networkSettings = await findNetworkSettings(db, env, network);
  if (!networkSettings?.status || !networkSettings.send) return refuse("sends_disabled_for_network");
  const tokenSettings = await getTokenSettings(db, env, token);
  if (!tokenSettings.status || !tokenSettings.send) return refuse("sends_disabled_for_token");
  const { minimumSend: minimum, maximumSend: maximum } = tokenSettings;
  const step = 10n ** BigInt(TOKENS[token].ledgerDecimals - listed.decimals);
  const refusal = sendAmountRefusal(amount, { minimum, maximum, step });
  return refusal === null ? { ok: true, adapter, tokenSettings } : refuse(refusal);
}

/**
 * An address as a person wrote it, in canonical form. Refuses our own addresses, on any network: an address of one EVM network is
 * valid on all of them.
 */
export async function checkDestination(
  db: Db | Tx,
  adapter: NetworkAdapter,
  to: string,
): Promise<
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly reason: DestinationRefusal }
> {
  const address = adapter.addresses.canonicalize(to);
  if (address === null) return { ok: false, reason: "destination_malformed" };
  if (isUnsafeDestination(adapter.data, adapter.env, address))
    return { ok: false, reason: "destination_unsafe" };
  const all = Object.keys(NETWORKS) as NetworkCode[];
  const ours = await listKnownAddresses(db, adapter.env, all, [address]);
  return ours.length > 0 ? { ok: false, reason: "destination_is_ours" } : { ok: true, address };
}
