import type { Logger } from "pino";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { listPayable } from "#lib/domain/withdrawals/queries.ts";
import type { WithdrawalQueue } from "#lib/domain/withdrawals/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { findPayable } from "./families.ts";
import { type Journal, JournalError } from "./journal.ts";
import { openPayer, type Payer } from "./pay-network.ts";
import { policyName } from "./policy-rules.ts";
import type { HoldReason, Policy } from "./types.ts";

const PAGE_SIZE = 100;

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

/** A network of the policy. */
export interface PolicyNetwork extends Payer, WithdrawalQueue {
  readonly name: string;
  /** Why sweeps of tokens wait. */
  readonly sweepWaits: ReadonlyMap<TokenCode, string>;
}

/** A network that the signer pays on. `account`: where it pays from, canonical; `address`: the same as people see it. */
export interface SignerNetwork extends PolicyNetwork {
  readonly account: string;
  readonly address: string;
}

export const isPaying = (network: PolicyNetwork): network is SignerNetwork => "account" in network;

/**
 * Opens what the policy names: each network with the account that pays there. Throws a KeyError if the words are not those of the
 * configured keys. A network that is off, or whose nodes cannot pay, is left out (openUnpaid).
 */
export function openSigner({ networks, now = () => new Date(), ...deps }: SignerDeps): SignerNetwork[] {
  const opened: SignerNetwork[] = [];
  for (const name of deps.policy().networks.keys()) {
    const network = findNamed(networks, name);
    const payable = network && findPayable(network);
    if (payable === null) continue;
    const { adapter, open } = payable;
    const policy = () => deps.policy().networks.get(name) ?? null;
    const sweepWaits = new Map<TokenCode, string>();
    const chain = open({ ...deps, adapter, policy, now, sweepWaits });
    const { env } = adapter;
    const address = adapter.addresses.display(chain.account);
    const payer = openPayer({ ...deps, adapter, chain, now });
    opened.push({
      ...payer,
      name,
      env,
      network: adapter.network,
      account: chain.account,
      address,
      sweepWaits,
    });
  }
  return opened;
}

/** Opens the networks of the policy that the signer cannot pay on. Their withdrawals wait, with that reason. */
export function openUnpaid({ networks, policy, db, log }: SignerDeps): PolicyNetwork[] {
  return [...policy().networks.keys()].flatMap((name) => {
    const adapter = findNamed(networks, name);
    if (adapter !== null && findPayable(adapter) !== null) return [];
    const why = adapter ? "its nodes show the chain and cannot pay" : "it is not configured here";
    log.error({ network: name, why }, "the signer cannot pay on this network");
    const [env, network] = name.split(".") as [Env, NetworkCode];
    const held = new Map<string, HoldReason>();
    return {
      name,
      env,
      network,
      held,
      alarms: new Map(),
      sweepWaits: new Map(),
      async step() {
        const refids = await listPayableRefids(db, { env, network });
        held.clear();
        for (const refid of refids) held.set(refid, "no_node_that_pays");
      },
    };
  });
}

async function listPayableRefids(db: Db, queue: WithdrawalQueue): Promise<readonly string[]> {
  const refids: string[] = [];
  for (let after = 0; ; ) {
    const page = await listPayable(db, queue, { after, limit: PAGE_SIZE });
    refids.push(...page.map(({ refid }) => refid));
    if (page.length < PAGE_SIZE) return refids;
    after = page.at(-1)?.id ?? after;
  }
}

/** A network by its name in the policy. Null where it is off. */
const findNamed = (networks: NetworkRegistry, name: string) =>
  networks.all().find((one) => policyName(one) === name) ?? null;

/**
 * Takes a step of a network. Returns false if none of its nodes is usable, or if it fails otherwise: an answer that no one expected ends this
 * step of this network alone. A thrown error stops all networks: a journal that cannot be written.
 */
export async function stepNetwork(network: PolicyNetwork, log: Logger): Promise<boolean> {
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
