import type { WalletTransfer } from "#lib/chains/wallet-transfer.ts";

/** The interface that every wallet offers to a page (EIP-1193, TIP-1193). */
export interface WalletProvider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
}

/** A wallet in this browser. `icon` is a data URI, or null. */
export interface Wallet {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly provider: WalletProvider;
}

/** Objects that wallets put into a page. */
interface WalletWindow {
  readonly ethereum?: WalletProvider;
  readonly tron?: WalletProvider;
}

/** Events of EIP-6963 and TIP-6963, and the object of wallets that announce nothing. */
const DISCOVERY = {
  eip1193: {
    announce: "eip6963:announceProvider",
    request: "eip6963:requestProvider",
    object: ({ ethereum }: WalletWindow) => ethereum,
  },
  tip1193: {
    announce: "TIP6963:announceProvider",
    request: "TIP6963:requestProvider",
    object: ({ tron }: WalletWindow) => tron,
  },
} as const;

/** Calls `found` with every wallet that announces itself, again whenever there is one more. Returns what ends it. */
export function findWallets(
  kind: WalletTransfer["kind"],
  found: (wallets: readonly Wallet[]) => void,
): () => void {
  const { announce, request, object } = DISCOVERY[kind];
  const wallets = new Map<string, Wallet>();
  const onAnnounced = (event: Event) => {
    const { info, provider } = (event as CustomEvent).detail ?? {};
    const [id, name, icon] = [info?.uuid, info?.name, info?.icon].map((text) => String(text ?? ""));
    if (!id || !name || typeof provider?.request !== "function") return;
    wallets.set(id, { id, name, icon: icon?.startsWith("data:image/") ? icon : null, provider });
    found([...wallets.values()]);
  };
  window.addEventListener(announce, onAnnounced);
  window.dispatchEvent(new Event(request));
  // Wallets answer at once. Browsers inside of wallets may have the object alone.
  const provider = object(window as WalletWindow);
  if (wallets.size === 0 && typeof provider?.request === "function") {
    found([{ id: "object", name: "", icon: null, provider }]);
  }
  return () => window.removeEventListener(announce, onAnnounced);
}
