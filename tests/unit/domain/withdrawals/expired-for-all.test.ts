import assert from "node:assert/strict";
import { test } from "node:test";
import type { NodeAnswer, TransactionNetwork, TransactionReader } from "#lib/chains/network.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import {
  newSubmittedTransaction,
  observeTransactions,
  refuseDoubtedFailure,
} from "#lib/domain/withdrawals/observe/observe-transactions.ts";
import { evaluateOutcome } from "#lib/domain/withdrawals/observe/outcome-rules.ts";

const EXPECTED = { token: "usdt", toAddress: "T1", amount: 1n } as const;
const node = (expired: boolean, knows = false) =>
  ({
    blocks: { fetchHead: async () => ({ height: 100, hash: "h", finalizedHeight: 90 }) },
    transactions: {
      fetchPayments: async () =>
        knows ? { block: null, failed: false, payments: null, inconclusiveToken: null, spends: [] } : null,
      hasExpired: async () => expired,
    },
  }) as unknown as TransactionReader;

/** A network of these nodes, of which the first is asked. Null: it does not answer. */
const networkOf = (...nodes: readonly (TransactionReader | null)[]) =>
  ({
    data: { ...NETWORKS.trc20, finality: { kind: "finalized" } },
    nodes: {
      withOne: (_: unknown, work: (one: TransactionReader) => Promise<unknown>) => work(nodes[0]!),
      askEach: <T>(ask: (one: TransactionReader) => Promise<T>): Promise<NodeAnswer<T>[]> =>
        Promise.all(
          nodes.map(async (one) => (one === null ? { ok: false } : { ok: true, result: await ask(one) })),
        ),
    },
  }) as unknown as TransactionNetwork;
const submitted = newSubmittedTransaction("aa", new Date("2026-11-26T00:00:00Z"));

/** Returns the fate of a transaction by these nodes. */
const outcomeOf = async (...nodes: readonly (TransactionReader | null)[]) =>
  evaluateOutcome(EXPECTED, await observeTransactions(networkOf(...nodes), [submitted])).kind;

test("money of a withdrawal returns only if every node says that its transaction has expired", async () => {
  assert.equal(await outcomeOf(node(true)), "unpayable");
  assert.equal(await outcomeOf(node(true), node(true)), "unpayable");
  assert.equal(await outcomeOf(node(true), node(false)), "open", "one node is ahead, or errs");
  assert.equal(await outcomeOf(node(true), node(true, true)), "open", "another one knows it");
  assert.equal(await outcomeOf(node(true), null), "open", "another one does not answer");
});

/** A node that has the transaction in a block of this height, with these payments. Null: it waits there. */
const nodeWith = (height: number | null, failed = false, toAddress = "T1") =>
  ({
    blocks: { fetchHead: async () => ({ height: 100, hash: "h", finalizedHeight: 90 }) },
    transactions: {
      fetchPayments: async () => ({
        block: height === null ? null : { height, hash: "b" },
        failed,
        payments: [{ token: "usdt", address: toAddress, amount: 1n }],
        inconclusiveToken: null,
        spends: [],
      }),
      hasExpired: async () => false,
    },
  }) as unknown as TransactionReader;

test("money of a withdrawal returns only if no node knows its transaction as one that pays or may pay", async () => {
  const failed = nodeWith(50, true);
  const withdrawal = { ...EXPECTED, transactions: [submitted] };
  const refusalOf = (...others: readonly (TransactionReader | null)[]) =>
    refuseDoubtedFailure(networkOf(failed, ...others), withdrawal);
  assert.equal(await outcomeOf(failed), "unpayable");
  for (const others of [[], [nodeWith(50, true)], [nodeWith(50, false, "T2")], [node(false)]])
    assert.equal(await refusalOf(...others), null);
  for (const other of [nodeWith(50), nodeWith(95), nodeWith(null)])
    assert.equal(await refusalOf(other), "nodes_disagree");
  const larger = { ...withdrawal, amount: 2n };
  const paidLess = await refuseDoubtedFailure(networkOf(failed, nodeWith(50)), larger);
  assert.equal(paidLess, "nodes_disagree", "another amount");
  for (const others of [[null], [nodeWith(50, true), null], [nodeWith(50), null]])
    assert.equal(await refusalOf(...others), "nodes_incomplete", "a node that does not answer may know it");
});
