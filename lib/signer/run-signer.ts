import type { Logger } from "pino";
import { type NetworkRegistry, NodeError } from "#lib/chains/network.ts";
import type { WithdrawalQueue } from "#lib/domain/withdrawals/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { findChainSigner } from "./families.ts";
import { type Journal, JournalError } from "./journal.ts";
import { openPayer, type Payer } from "./pay-network.ts";
import { policyName } from "./policy-rules.ts";
import type { Policy } from "./types.ts";

export interface SignerDeps {
  readonly db: Db;
  readonly networks: NetworkRegistry;
  readonly mnemonic: string;
  readonly journal: Journal;
  /** The policy that holds now. */
  readonly policy: () => Policy;
  readonly log: Logger;
  readonly now?: () => Date;
}

/** A network that the signer pays on. `account`: where it pays from, canonical; `address`: the same as people see it. */
export interface SignerNetwork extends Payer, WithdrawalQueue {
  readonly name: string;
  readonly account: string;
  readonly address: string;
  /** Why sweeps of tokens wait. */
  readonly sweepWaits: ReadonlyMap<TokenCode, string>;
}

/**
 * Opens what the policy names: each network with the account that pays there. Throws a KeyError if the words are not those of the
 * configured keys. A network that is off, or that the signer cannot pay on, is left out and logged.
 */
export function openSigner({ networks, now = () => new Date(), ...deps }: SignerDeps): SignerNetwork[] {
  const opened: SignerNetwork[] = [];
  for (const name of deps.policy().networks.keys()) {
    const adapter = networks.all().find((one) => policyName(one) === name);
    const open = adapter && findChainSigner(adapter);
    if (!adapter || !open) {
      deps.log.error({ network: name }, "the signer cannot pay on this network");
      continue;
    }
    const policy = () => deps.policy().networks.get(name) ?? null;
    const sweepWaits = new Map<TokenCode, string>();
    const chain = open({ ...deps, adapter, policy, now, sweepWaits });
    const { env, network } = adapter;
    const address = adapter.displayAddress(chain.account);
    const payer = openPayer({ ...deps, adapter, chain, now });
    opened.push({ ...payer, name, env, network, account: chain.account, address, sweepWaits });
  }
  return opened;
}

/**
 * Takes a step of a network. Returns false if none of its nodes is usable, or if it fails otherwise: an answer that no one expected ends this
 * step of this network alone. What is thrown stops all networks: a journal that cannot be written.
 */
export async function stepNetwork(network: SignerNetwork, log: Logger): Promise<boolean> {
  try {
    await network.step();
    return true;
  } catch (error) {
    if (error instanceof JournalError) throw error;
    if (error instanceof NodeError)
      log.warn({ network: network.name, err: error }, "nothing paid: no node is usable");
    else log.error({ network: network.name, err: error }, "nothing paid: the step failed");
    return false;
  }
}
