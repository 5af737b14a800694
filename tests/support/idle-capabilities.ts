import { NodeError } from "#lib/chains/node-error.ts";
import type { NodeReader } from "#lib/chains/pool-node.ts";
import type { Transactions } from "#lib/chains/transactions.ts";

/** A node that knows no transaction. */
export const NO_TRANSACTIONS: Transactions = {
  fetchStatus: async () => ({ kind: "unknown" }),
  fetchPayments: async () => null,
  fetchRecord: async () => null,
  fetchCost: async () => null,
  hasExpired: async () => false,
};

/** The capabilities of a fake node that a test does not ask. */
export const IDLE_CAPABILITIES: Omit<NodeReader, "blocks"> = {
  late: null,
  transactions: NO_TRANSACTIONS,
  fees: { fetchTransferFee: () => Promise.reject(new NodeError("refused", "the fake node knows no fees")) },
  feeRates: null,
  custody: null,
  unlistedTokens: null,
  listProbeQuestions: () => [],
};
