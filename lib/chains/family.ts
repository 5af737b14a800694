import type { AccountKeyFormat } from "./account-keys.ts";
import type { Env, NetworkData } from "./network-data.ts";

/** Contract addresses (on Solana: mints) as the configuration holds them. */
interface ContractFormat {
  /** Returns the stored form. Returns null when the text is not a contract address. */
  parse(text: string): string | null;
  /** For an error text: "a mint's address, base58". */
  readonly description: string;
}

/** Receiving addresses that the operator creates offline and imports. */
interface PoolFormat {
  /** Returns why the text cannot be a receiving address, as the rest of a sentence. Returns null when it can. */
  findProblem(address: string): string | null;
  /** Derives receiving address number `index` from a BIP39 seed. Live and test never share an address. */
  deriveAddress(
    seed: Uint8Array,
    env: Env,
    index: number,
    data: NetworkData,
  ): { readonly address: string; readonly path: string };
}

/** The requests of a watcher's pass to a node, on average. */
export interface WatchPass {
  /** New blocks since the pass before it. Below 1 where not each pass finds one. */
  readonly blocks: number;
  /** The network's coin is received: blocks are read whole. */
  readonly coin: boolean;
  /** Calls that ask which block is final. */
  readonly finality: number;
  /** No payment is expected. */
  readonly isIdle: boolean;
}

/**
 * The differences between families of networks that need no node. Each `lib/chains/<family>/family.ts` exports one.
 * Only lib/chains/families.ts maps networks to it. Pure: the payment page imports it, and must not load an adapter.
 */
export interface FamilyDescriptor {
  /**
   * Returns the form in which a transaction hash is stored and sent to nodes. Returns null when no network of the
   * family can have such a hash.
   */
  canonicalizeTransactionHash(text: string): string | null;
  /** Null where addresses come from a pool. */
  readonly accountKey: AccountKeyFormat | null;
  /** Null where addresses derive from the account key. */
  readonly pool: PoolFormat | null;
  /** Null where no token has a contract. */
  readonly contract: ContractFormat | null;
  /** Chains that a test environment can use, the default first. Empty where a chain id identifies chains. */
  listTestChains(data: NetworkData): readonly string[];
  /** Returns the calls of a pass, as the readers make them. `npm run bench -- chains` compares them with counted ones. */
  countCalls(pass: WatchPass): number;
  /** Waiting transactions are fetched, each once. */
  readonly readsMempool: boolean;
  /** Nodes can publish news over ZMQ. */
  readonly hasZmq: boolean;
  /** Nodes have a second HTTP API, which may have a URL of its own. */
  readonly hasWalletUrl: boolean;
  /** Nodes can trace what contracts move of the coin. */
  readonly hasTraces: boolean;
  /** The chain numbers outputs or logs. Otherwise a transfer's position is our own and is not shown. */
  readonly hasOutputPositions: boolean;
  /** True for a canonical address without a known key, or that anyone can spend from: what it receives is lost. */
  readonly isBurnAddress: (address: string, env: Env, data: NetworkData) => boolean;
  /** Addresses whose balances are asked of a node together. */
  readonly balancePage: number;
  /** The field of the signer's policy that caps the fee, and its decimals. Null if the field is `max_fee`, in coins for a transaction. */
  readonly feeCap: {
    readonly name: "max_fee_per_gas_gwei" | "max_fee_per_vbyte";
    readonly decimals: number;
  } | null;
  /** How far a block's time can be ahead of the clock, in milliseconds. */
  readonly mostAheadMs: number;
  /** Networks of the family with the same account key have the same addresses. */
  readonly sharesAddresses: boolean;
}
