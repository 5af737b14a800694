/** The request to a wallet in the payer's browser to sign and to send, as JSON for the page. */
export type WalletTransfer = EvmWalletTransfer | TronWalletTransfer;

export interface EvmWalletTransfer {
  readonly kind: "eip1193";
  /** 0x and hex digits without leading zeros (EIP-695). */
  readonly chainId: string;
  /** The parameter of `wallet_addEthereumChain` (EIP-3085). Null: wallets know the chain. */
  readonly addChain: {
    readonly chainId: string;
    readonly chainName: string;
    readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number };
    readonly rpcUrls: readonly string[];
    readonly blockExplorerUrls: readonly string[];
  } | null;
  /** The token's contract. Null: the network's own coin. */
  readonly contract: string | null;
  /** The balance that the payer's account needs, in the chain's units: 0x and hex digits. */
  readonly amount: string;
  /** `eth_sendTransaction` without `from`. */
  readonly transaction: { readonly to: string; readonly value: string; readonly data: string };
}

/** For TronWeb, which a TRON wallet gives to the page (TIP-1193). Addresses are base58check. */
export interface TronWalletTransfer {
  readonly kind: "tip1193";
  /** As for EVM chains (TIP-3326). */
  readonly chainId: string;
  readonly contract: string | null;
  readonly to: string;
  /** Units of the chain, decimal digits. */
  readonly amount: string;
  /** The most SUN that the transfer may burn for energy. */
  readonly feeLimit: number;
}

/** An address that consists of an account and a destination tag. Some wallets want both by themselves. */
export interface TaggedAddress {
  /** As the network's wallets write it. */
  readonly account: string;
  /** Decimal digits. */
  readonly tag: string;
}
