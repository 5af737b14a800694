import type { Logger } from "pino";
import type { EvmSending } from "#lib/chains/evm/sending.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { isReceived } from "#lib/chains/network-data.ts";
import { toLedgerUnits } from "#lib/chains/units.ts";
import { recordLook } from "#lib/domain/deposits/unswept/find-unswept.ts";
import type { SweptToken, UnsweptAddress } from "#lib/domain/deposits/unswept/queries.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { findLastSweep, isDerived, listDeposits, lookLater } from "../list-deposits.ts";
import type { JournalEntry } from "../types.ts";
import type { SweepCandidate } from "./sweep-rules.ts";
import { decodeSweep, delegationCode, encodeSweep, type SweepResult } from "./sweeper/sweeper.ts";

/** Addresses in one transaction. */
const MOST_ADDRESSES = 50;
/** Until a node is asked again: about an address that was swept, and one whose sweep would fail. */
const SWEPT_MS = 180_000;
const FAILED_MS = 3_600_000;

export interface LookDeps {
  readonly db: Db;
  readonly adapter: NetworkAdapter;
  readonly sending: EvmSending;
  readonly log: Logger;
  readonly now: () => Date;
  /** The hot account, and the contract that sweeps to it, canonical. */
  readonly vault: string;
  readonly contract: string;
}

/** A deposit address as a node sees it. */
export interface Deposit extends SweepCandidate {
  /** With the amount that it holds. */
  readonly row: UnsweptAddress;
  /** The amount that was listed. It stays in the database while what the node says is doubted. */
  readonly listed: bigint;
  readonly nonce: number;
}

export interface Look {
  /** The addresses that hold the token, the largest first. */
  readonly holding: readonly Deposit[];
  /** The addresses whose delegation is to be removed, whatever they hold. */
  readonly clearing: readonly Deposit[];
}

/**
 * Asks a node about the addresses that probably hold most of a token, in two requests. Null if their
 * sum is below `above`. An address counts if the account key derives it, a balance if the node says so. `getCode`: the contract's.
 */
export async function lookAtDeposits(
  deps: LookDeps,
  token: SweptToken,
  {
    above,
    own,
    getCode,
  }: {
    readonly above: bigint;
    readonly own: readonly JournalEntry[];
    readonly getCode: () => Promise<string>;
  },
): Promise<Look | "sweeper_not_deployed" | null> {
  const { db, now, sending, vault, contract } = deps;
  const open = (row: UnsweptAddress) => (isDerived(deps.adapter, row) ? row : null);
  const ours = await listDeposits(deps, token, { limit: MOST_ADDRESSES, open });
  if (ours.reduce((sum, { amount }) => sum + amount, 0n) < above || ours.length === 0) return null;
  const listed = sending.findToken(token.token);
  if (listed === null) return null;
  const code = await getCode();
  if (code === "0x") return "sweeper_not_deployed";
  const accounts = ours.map(({ address }) => address);
  const call = { from: vault, to: contract, data: encodeSweep(listed.contract, accounts) };
  const results = decodeSweep(await sending.callWithCode(call, { code, accounts }), accounts.length);
  const found = ours.map((row, at) => ({ row, ...(results[at] as SweepResult) }));
  const toLedger = (moved: bigint) => toLedgerUnits(moved, { token: token.token, decimals: listed.decimals });
  const look = await sortOut(deps, found, toLedger);
  await recordLook(
    db,
    token,
    found.flatMap(({ row, moved }) => {
      if (moved === null) return lookLater(row, now(), FAILED_MS);
      const balance = toLedger(moved);
      // Until the delegation is removed the address is looked at as often as if it held what was swept.
      const isRight =
        balance === row.amount || look.clearing.some((one) => one.row.addressId === row.addressId);
      if (isRight) return [];
      // A sweep may leave a small one out: only one that is worth a look of its own does not wait for others.
      const sweptAt = balance >= above ? now() : findLastSweep(own, row.address, token.token);
      return { ...row, balance, retryAt: null, sweptAt };
    }),
    now(),
  );
  return look;
}

/**
 * Lets the next looks pass over addresses while their transaction is on its way. An address whose delegation is to be removed counts as
 * worth a look afterwards, however little it held.
 */
export function postpone(
  { db, now }: Pick<LookDeps, "db" | "now">,
  token: SweptToken,
  { deposits, above }: { readonly deposits: readonly Deposit[]; readonly above: bigint },
): Promise<void> {
  return recordLook(
    db,
    token,
    deposits.flatMap(({ row, listed, isCleared }) =>
      [...new Set([row.amount, listed])].map((amount) => {
        const balance = isCleared && amount < above ? above : amount;
        return { ...lookLater({ ...row, amount }, now(), SWEPT_MS), balance };
      }),
    ),
    now(),
  );
}

type Found = { readonly row: UnsweptAddress } & SweepResult;

async function sortOut(
  { adapter, sending, contract, log }: LookDeps,
  found: readonly Found[],
  toLedger: (moved: bigint) => bigint,
): Promise<Look> {
  // A delegated account cannot receive coins from senders that allow exactly 21,000 gas (ADR 0029).
  const receivesCoins =
    isReceived(adapter.data, adapter.data.coin) && adapter.data.coin in adapter.data.tokens;
  const mayClear = ({ isPermanent }: UnsweptAddress) => isPermanent && receivesCoins;
  const asked = found.filter(({ row, moved }) => moved !== null && (moved > 0n || mayClear(row)));
  const accounts = await sending.fetchAccounts(asked.map(({ row }) => row.address));
  const deposits = asked.map(({ row, moved, gas }, at): Deposit => {
    const { code = "0x", nonce = 0 } = accounts[at] ?? {};
    const [isDelegated, isCleared] = [code === delegationCode(contract), mayClear(row)];
    if (code !== "0x" && !isDelegated)
      log.warn({ address: row.address, code }, "a deposit address has other code: it is delegated again");
    const balance = toLedger(moved ?? 0n);
    const amount = isDelegated && isCleared ? row.amount : balance;
    return { row: { ...row, amount }, listed: row.amount, nonce, gas, isDelegated, balance, isCleared };
  });
  return {
    holding: deposits
      .filter(({ balance }) => balance > 0n)
      .sort((one, other) => (one.balance < other.balance ? 1 : -1)),
    clearing: deposits.filter(({ isDelegated, isCleared }) => isDelegated && isCleared),
  };
}
