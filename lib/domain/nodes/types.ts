import type { NetworkScope } from "#lib/chains/networks.ts";

/** How a node answered from `hour` on, for one hour. */
export interface NodeHour extends NetworkScope {
  readonly node: string;
  readonly hour: Date;
  readonly requests: number;
  readonly errors: number;
  /** The most blocks that it was behind the highest node of its network. */
  readonly behind: number;
}
