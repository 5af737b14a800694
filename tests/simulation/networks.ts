import type { NetworkAdapter } from "#lib/chains/network.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { encodeXAddress } from "#lib/chains/xrp/address.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { bitcoinNetwork } from "#tests/support/bitcoin-adapter.ts";
import { bep20 } from "#tests/support/watched-chain.ts";
import { log } from "#tests/support/watched-network.ts";
import { DESTINATION } from "#tests/support/withdrawals.ts";
import type { ChainKind } from "./model-chain.ts";

/** A network that histories use. */
export interface SimulatedNetwork extends ChainKind {
  readonly adapter: NetworkAdapter;
  readonly token: TokenCode;
  /** Ledger units that are worth one at the first price. */
  readonly dollar: bigint;
  /** An address that is not ours, for withdrawals. Canonical. null: no history withdraws there. */
  readonly destination: string | null;
}

const UNREACHABLE = "http://127.0.0.1:9";
const XRP_ACCOUNT = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";

function openXrp(): NetworkAdapter {
  const off = { zmqUrl: null, chainId: 1, contracts: {} };
  const config = {
    env: "test",
    network: "xrp",
    rpcUrls: [UNREACHABLE],
    accountKey: XRP_ACCOUNT,
    ...off,
  } as const;
  return openNetworks([config], { log }).find("test", "xrp")!;
}

/** Derivations take longer than a whole move. All histories use the same addresses. */
export function withMemory(base: NetworkAdapter): NetworkAdapter {
  const derived = new Map<number, { address: string; path: string }>();
  const derive = (index: number) => {
    const known = derived.get(index) ?? base.addresses.derive(index);
    derived.set(index, known);
    return known;
  };
  return { ...base, addresses: { ...base.addresses, derive } };
}

export const BEP20: SimulatedNetwork = {
  adapter: withMemory(bep20(UNREACHABLE).find("test", "bep20")!),
  token: "usdt",
  dollar: 10n ** 18n,
  destination: DESTINATION.toLowerCase(),
  finalDepth: 3,
  deepestReorganization: 3,
};

export const BITCOIN: SimulatedNetwork = {
  adapter: withMemory(bitcoinNetwork(UNREACHABLE).find("test", "bitcoin")!),
  token: "btc",
  dollar: 2_000n,
  destination: "bcrt1qmtgcvc8e3l5c72wzvyv2derkf9vvegn74f2ge0",
  finalDepth: null,
  deepestReorganization: 4,
};

/** Its addresses are tags of one account: anyone can pay one before it is allocated. */
const XRP: SimulatedNetwork = {
  adapter: withMemory(openXrp()),
  token: "xrp",
  dollar: 500_000n,
  destination: null,
  finalDepth: 0,
  deepestReorganization: 0,
};

/** The networks of one history, each as often as it is in the list. */
export const NETWORK_SETS: readonly (readonly SimulatedNetwork[])[] = [
  [BEP20],
  [BEP20],
  [BITCOIN],
  [BITCOIN],
  [BEP20, BITCOIN],
  [XRP],
];

/** The address that a payment to a tag is held at while the tag is unassigned. Absent where addresses are not tags. */
export function collectingAddress(
  { env, addresses }: Pick<NetworkAdapter, "env" | "addresses">,
  address: string,
): string | null {
  const tagged = addresses.tags?.read(address) ?? null;
  return tagged === null ? null : encodeXAddress({ account: tagged.account, tag: null }, env);
}
