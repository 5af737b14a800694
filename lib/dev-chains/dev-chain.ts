import type { NetworkCode } from "#lib/chains/networks.ts";

/** A payment request for a wallet. The amount is decimal text, null if the request has none. */
export interface PayRequest {
  readonly address: string;
  readonly amount: string | null;
  /** In the network's own coin, where payments use another token. */
  readonly coin?: boolean;
}

/** One development chain: how the server, the demo wallet and scripts reach it. */
export interface DevChain {
  readonly network: NetworkCode;
  /** A name for people: "USDT on BEP20 (anvil)". */
  readonly title: string;
  /** Variables that enable the network in the test environment, without its account key. */
  readonly env: Readonly<Record<string, string>>;
  /** Its entry in demo.json. */
  readonly forScripts: Readonly<Record<string, unknown>>;
  height(): Promise<number>;
  mine(blocks: number): Promise<void>;
  /** Returns null if the text is not a request for this chain. */
  readRequest(text: string): PayRequest | null;
  /** Broadcasts a payment from the faucet and returns its hash. Throws the node's error message. */
  send(address: string, amount: string, options?: { readonly coin?: boolean }): Promise<string>;
  stop(): Promise<void>;
}
