import type { ModelChain, ModelTransaction } from "./model-chain.ts";
import { chainHash, type ModelNodes } from "./model-network.ts";
import { collectingAddress, type SimulatedNetwork } from "./networks.ts";

/** One network of a history, with its chain and its nodes. */
export interface Side {
  readonly network: SimulatedNetwork;
  readonly chain: ModelChain;
  readonly nodes: ModelNodes;
}

/** A transaction of a side, as deposits name it. */
export const hashOn = ({ network }: Side, { hash }: Pick<ModelTransaction, "hash">) =>
  chainHash(network.adapter, hash);

/** True where anyone can pay an address before it is allocated. */
export const hasTags = ({ network: { adapter } }: Side) =>
  collectingAddress(adapter, adapter.addresses.derive(0).address) !== null;
