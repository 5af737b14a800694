import { pino } from "pino";
import type { NetworkConfig, NetworkRegistry } from "#lib/chains/network.ts";
import { openNetworks } from "#lib/chains/registry.ts";

/** Opens the networks of a command. A command prints an answer and writes no log. */
export function openCommandNetworks(networks: readonly NetworkConfig[]): NetworkRegistry {
  return openNetworks(networks, pino({ level: "silent" }));
}
