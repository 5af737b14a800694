import type { TestContext } from "node:test";
import { listUnmatchedDeposits } from "#lib/domain/deposits/unmatched/queries.ts";
import { resolveDeposit } from "#lib/domain/deposits/unmatched/resolve-deposit.ts";
import { listLedgerAccounts } from "#lib/domain/ledger/queries.ts";
import { actOf } from "./acts.ts";
import { openWatchedChain, type WatchedChain } from "./watched-chain.ts";

/** A watched chain with some blocks. */
export async function openChain(t: TestContext): Promise<WatchedChain> {
  const chain = await openWatchedChain(t);
  await chain.mine(6);
  return chain;
}

/** The merchant's unmatched deposits. */
export const listUnmatched = (chain: WatchedChain) =>
  listUnmatchedDeposits(chain.db, "test", chain.merchantId, { before: null, limit: 100 });

/** Credits the deposit to this merchant as the operator. */
export const resolve = (chain: WatchedChain, id: number, merchantId = chain.merchantId) =>
  chain.db.transaction((tx) => resolveDeposit(actOf(tx, merchantId), { networks: chain.networks, id }));

/** Balances by the account's code. */
export async function readBalances(chain: WatchedChain): Promise<Record<string, bigint>> {
  const rows = await listLedgerAccounts(chain.db, "test");
  return Object.fromEntries(rows.map(({ code, balance }) => [code, balance]));
}

/** The problems that the ledger's own check finds. */
export async function findLedgerProblems(chain: WatchedChain) {
  return (await chain.ledger()).problems;
}
