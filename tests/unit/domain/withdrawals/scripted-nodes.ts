import { PLAIN_FORKS } from "#lib/chains/blocks.ts";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { openNodePool } from "#lib/chains/node-pool.ts";
import type { NodeReader } from "#lib/chains/pool-node.ts";
import type { TransactionPayments } from "#lib/chains/transactions.ts";
import { IDLE_CAPABILITIES, NO_TRANSACTIONS } from "#tests/support/idle-capabilities.ts";
import { until } from "#tests/support/until.ts";
import { bep20 } from "#tests/support/watched-chain.ts";
import { DESTINATION, USDT } from "#tests/support/withdrawals.ts";

/** Heights up to this one are final on a scripted node. */
export const FINAL = 90;

const unasked = () => Promise.reject(new Error("a scripted node has no blocks"));

let nonces = 0;
/** The report of a node about a transaction that pays DESTINATION on bep20. Its sender's nonce is its own. */
export function payment(
  changes: Partial<TransactionPayments> = {},
  amount = 10n * USDT,
): TransactionPayments {
  nonces += 1;
  return {
    block: { height: FINAL, hash: "0xb" },
    failed: false,
    payments: [{ position: 0, token: "usdt", address: DESTINATION.toLowerCase(), amount }],
    inconclusiveToken: null,
    spends: [`0xpayer:${nonces}`],
    ...changes,
  };
}
/** A transaction that waits for its block, as an EVM node reports it. */
export const waiting = () => payment({ block: null, payments: null });

/** A node that knows the transactions that the test gives it. */
export class ScriptedNode {
  readonly known = new Map<string, TransactionPayments>();
  /** Hashes about which it answers an error. */
  readonly unreadable = new Set<string>();
  failing = false;
  /** Whether it answers this question about a transaction. */
  answers: (hash: string) => boolean | Promise<boolean> = () => true;
  #held: { readonly hash: string; readonly answers: (() => void)[] } | null = null;

  /** Begins some work and holds the first `count` answers about a transaction until the returned function is called. */
  async hold(hash: string, count: number, begin: () => void): Promise<() => void> {
    const answers: (() => void)[] = [];
    this.#held = { hash, answers };
    begin();
    await until("the node to be asked", () => answers.length >= count);
    this.#held = null;
    return () => {
      for (const answer of answers) answer();
    };
  }

  read(): NodeReader {
    const check = async () => {
      if (this.failing) throw new NodeError("unreachable", "the node does not answer");
    };
    return {
      blocks: {
        checkIdentity: check,
        fetchHead: async () => {
          await check();
          return { height: 100, hash: "0xhead", finalizedHeight: FINAL };
        },
        fetchHash: unasked,
        scan: unasked,
        ...PLAIN_FORKS,
      },
      ...IDLE_CAPABILITIES,
      transactions: {
        ...NO_TRANSACTIONS,
        fetchPayments: async (hash: string) => {
          await check();
          if (this.unreadable.has(hash) || !(await this.answers(hash)))
            throw new NodeError("refused", "missing trie node");
          // The state of the node at the question, not at the answer.
          const found = this.known.get(hash) ?? null;
          const held = this.#held;
          if (held?.hash === hash) await new Promise<void>((resolve) => held.answers.push(resolve));
          return found;
        },
      },
    };
  }
}

/** The test environment's bep20 on scripted nodes, best first. */
export function scriptedNetworks(...nodes: readonly ScriptedNode[]): NetworkRegistry {
  const pool = openNodePool({
    scope: { env: "test", network: "bep20" },
    urls: nodes.map((_, i) => `http://n${i}.example`),
    read: (line) => nodes[Number(line.name.slice(1, 2))]!.read(),
    timeoutMs: 1_000,
    blockSeconds: 1,
  });
  const adapter: NetworkAdapter = {
    ...bep20("http://127.0.0.1:9").find("test", "bep20")!,
    blocks: pool.reader.blocks,
    nodes: pool,
  };
  return {
    find: (env, network) => (env === "test" && network === "bep20" ? adapter : null),
    list: (env) => (env === "test" ? [adapter] : []),
    all: () => [adapter],
  };
}
