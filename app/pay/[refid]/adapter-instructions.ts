import type { DuePayment } from "#components/checkout/payment-instructions.ts";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { NETWORKS, type PaymentPair } from "#lib/chains/networks.ts";

/** The instructions of the adapters of the link's networks. A network may have been switched off. */
export function adapterInstructions(networks: NetworkRegistry, env: Env) {
  const find = ({ pair }: DuePayment) => networks.find(env, pair.network);
  const request = ({ pair, address, amount }: DuePayment) => ({ address, token: pair.token, amount });
  return {
    paymentUri: (due: DuePayment) => find(due)?.addresses.buildPaymentUri(request(due)) ?? due.address,
    // A contract's transfer of a token is in the logs. Only the network's own coin moves without one.
    missesContracts: ({ network, token }: PaymentPair) =>
      NETWORKS[network].coin === token && networks.find(env, network)?.missesContracts === true,
    taggedAddress: (due: DuePayment) => find(due)?.addresses.tags?.read(due.address) ?? null,
    walletTransfer: (due: DuePayment) => find(due)?.addresses.buildWalletTransfer(request(due)) ?? null,
  };
}
