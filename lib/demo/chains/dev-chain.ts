import type { NetworkCode } from "#lib/chains/networks.ts";

/** What a wallet was asked to pay: decimal text, null where the request names no amount. */
export interface PayRequest {
  readonly address: string;
  readonly amount: string | null;
  /** In the network's own coin, where that is not what its payments are in. */
  readonly coin?: boolean;
}

/** One development chain: how the server, the demo wallet and scripts reach it. */
export interface DevChain {
  readonly network: NetworkCode;
  /** As a person reads it: "USDT on BEP20 (anvil)". */
  readonly title: string;
  /** Variables that switch the network on in the test environment, its account key aside. */
  readonly env: Readonly<Record<string, string>>;
  /** Its entry in demo.json. */
  readonly forScripts: Readonly<Record<string, unknown>>;
  height(): Promise<number>;
  mine(blocks: number): Promise<void>;
  /** null when the text is no request of this chain. */
  readRequest(text: string): PayRequest | null;
  /** Broadcasts a payment out of the faucet and answers its hash. Throws in the node's words. */
  send(address: string, amount: string, options?: { readonly coin?: boolean }): Promise<string>;
  stop(): Promise<void>;
}
