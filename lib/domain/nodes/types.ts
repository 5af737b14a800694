import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";

export interface NetworkScope {
  readonly env: Env;
  readonly network: NetworkCode;
}
