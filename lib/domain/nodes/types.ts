import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";

export interface NetworkScope {
  readonly env: Env;
  readonly network: NetworkCode;
}

/** How a node answered from `hour` on, for one hour. */
export interface NodeHour extends NetworkScope {
  readonly node: string;
  readonly hour: Date;
  readonly requests: number;
  readonly errors: number;
  /** The most blocks that it was behind the highest node of its network. */
  readonly behind: number;
}
