import type { TronSendState } from "#lib/chains/tron/types.ts";
import { toLedgerUnits } from "#lib/chains/units.ts";
import { recordLook } from "#lib/domain/deposits/unswept/find-unswept.ts";
import type { SweptToken, UnsweptAddress } from "#lib/domain/deposits/unswept/queries.ts";
import type { MoveDraft, Situation } from "../chain-signer.ts";
import { findLastSweep, isDerived, listDeposits, lookLater } from "../list-deposits.ts";
import { openSweepWaits } from "../sweep-turns.ts";
import type { JournalEntry } from "../types.ts";
import { draftOf } from "./draft.ts";
import {
  costOfStep,
  type Planned,
  planCoin,
  planToken,
  type TronSweepDeps,
  type Wanted,
  whyUnaffordable,
} from "./plan-sweep.ts";
import { concerns, listDelegated } from "./sweep-entries.ts";

/** Addresses that nodes are asked about in one look. */
const MOST_ADDRESSES = 10;
/** Until an address is looked at again after its sweep. */
const SWEPT_MS = 180_000;
/** After its sweep the address keeps its energy until no reorganization can undo the sweep. */
const FINAL_MS = 120_000;
/** Until an address is looked at again whose sweep would fail: the issuer of a token can freeze it. */
const FAILED_MS = 3_600_000;
/** The reasons that concern one address: the sweep of another one may cost less. The others concern the token or the hot account. */
const ADDRESS_REASONS: ReadonlySet<string> = new Set(["above_max_sweep_fee_percent", "above_max_sweep_fee"]);
/** A delegation that no sweep followed is ended after this time. */
const ABANDONED_MS = 1_800_000;
/** Until a delegation is ended whose fee could not be spent. */
const REFUSED_MS = 300_000;

/**
 * Sweeps deposit addresses to the hot account, one transaction for each step of each address: the address gets energy of the hot account's
 * stake, or else the TRX that the transfer burns, sends all it holds, and the energy returns. The next step follows from the chain.
 * Returns the next step that is due. Asks no node while nothing is to be swept.
 */
export function openTronSweeper(deps: TronSweepDeps): (situation: Situation) => Promise<MoveDraft | null> {
  const waits = openSweepWaits(deps);
  /** Delegations ("address time") that the chain does not have any more. */
  const cleared = new Set<string>();
  let endsAt = Number.NEGATIVE_INFINITY;
  const endLater = () => {
    endsAt = deps.now().getTime() + REFUSED_MS;
  };
  return async (situation) => {
    const ended = deps.now().getTime() < endsAt ? null : await endDelegation(deps, situation, cleared);
    if (ended !== null) return { ...ended, refused: endLater };
    const policy = deps.policy();
    if (policy?.sweep == null) return null;
    for (const [token, { sweepAbove }] of policy.tokens) {
      if (sweepAbove === null || waits.has(token)) continue;
      const drafted = await prepareToken(deps, { token, above: sweepAbove, policy }, situation);
      if (typeof drafted === "string") waits.add(token, drafted);
      else waits.end(token);
      if (drafted === null || typeof drafted === "string") continue;
      return { ...drafted, refused: (reason) => waits.add(token, reason) };
    }
    return null;
  };
}

/** The next step of the first address that has one. A text: why the token waits. Null if nothing can be swept. */
async function prepareToken(
  deps: TronSweepDeps,
  wanted: Wanted,
  situation: Situation,
): Promise<MoveDraft | string | null> {
  const { adapter } = deps;
  const { token, above } = wanted;
  const swept: SweptToken = { env: adapter.env, network: adapter.network, token };
  const open = (row: UnsweptAddress) => (isDerived(adapter, row) ? row : null);
  const rows = await listDeposits(deps, swept, { limit: MOST_ADDRESSES, open });
  let reason: string | null = null;
  for (const row of rows) {
    if (row.amount < above) break;
    if (situation.waiting.some((entry) => concerns(entry, row.address))) continue;
    const drafted = await prepareAddress(deps, { ...wanted, swept }, row, situation);
    if (drafted === null) continue;
    if (typeof drafted !== "string" || !ADDRESS_REASONS.has(drafted)) return drafted;
    reason ??= drafted;
    // Otherwise as many of them would keep all others from their turn.
    if (rows.length === MOST_ADDRESSES)
      await recordLook(deps.db, swept, [lookLater(row, deps.now(), FAILED_MS)], deps.now());
  }
  return reason;
}

async function prepareAddress(
  deps: TronSweepDeps,
  wanted: Wanted & { readonly swept: SweptToken },
  row: UnsweptAddress,
  situation: Situation,
): Promise<MoveDraft | string | null> {
  const { db, sending, sender, now, log } = deps;
  const { token, above, swept } = wanted;
  const listed = sending.findToken(token);
  if (listed === null) return null;
  const unit = { token, decimals: listed.decimals };
  const state = await askAbout(deps, row.address, listed.contract);
  const balance = toLedgerUnits(state.tokenBalance, unit);
  if (balance !== row.amount) {
    const sweptAt = balance >= above ? now() : findLastSweep(situation.own, row.address, token);
    await recordLook(db, swept, [{ ...row, balance, retryAt: null, sweptAt }], now());
  }
  if (balance < above) return null;
  if (state.energy === null) {
    log.warn({ address: row.address, token }, "not swept: it would fail");
    await recordLook(db, swept, [lookLater({ ...row, amount: balance }, now(), FAILED_MS)], now());
    return null;
  }
  const planned =
    listed.contract === null
      ? planCoin(deps, { row, state, policy: wanted.policy }, situation)
      : await planToken(
          deps,
          { row, state, energy: state.energy, contract: listed.contract, balance, wanted },
          situation,
        );
  if (typeof planned === "string" || planned === null) return planned;
  const problem = await whyUnaffordable(deps, { planned, state }, situation);
  if (problem !== null) return problem;
  if (planned.moves.some(({ from, to }) => from === row.address && to === sender)) {
    await recordLook(db, swept, [lookLater({ ...row, amount: balance }, now(), SWEPT_MS)], now());
  }
  return toMove(deps, planned, { state, own: situation.own });
}

/** Everything about a sweep of all that an address holds. Until that is known, one unit is asked about. */
async function askAbout(deps: TronSweepDeps, from: string, contract: string | null): Promise<TronSendState> {
  const transfer = { from, to: deps.sender, contract };
  const first = await deps.sending.fetchState({ ...transfer, value: 1n });
  if (contract === null || first.tokenBalance <= 1n) return first;
  return deps.sending.fetchState({ ...transfer, value: first.tokenBalance });
}

/** Ends the delegation to an address whose sweep is in a block for long enough, or never came. */
async function endDelegation(
  deps: TronSweepDeps,
  { own, waiting }: Situation,
  cleared: Set<string>,
): Promise<MoveDraft | null> {
  const { sending, sender, now } = deps;
  for (const [receiver, delegated] of listDelegated(own)) {
    const key = `${receiver} ${delegated.getTime()}`;
    if (cleared.has(key) || waiting.some((entry) => concerns(entry, receiver))) continue;
    const swept = own.findLast(
      ({ kind, at, moves }) =>
        kind === "sweep" && at >= delegated && moves.some(({ from }) => from === receiver),
    );
    const age = now().getTime() - (swept?.at ?? delegated).getTime();
    if (age < (swept === undefined ? ABANDONED_MS : FINAL_MS)) continue;
    const amount = await sending.fetchDelegated(sender, receiver);
    if (amount === 0n) {
      cleared.add(key);
      continue;
    }
    const state = await sending.fetchState({ from: sender, to: receiver, value: 1n, contract: null });
    const action = { type: "UnDelegateResourceContract", owner: sender, receiver, amount } as const;
    return toMove(deps, { action, moves: [], feeLimit: 0n }, { state, own });
  }
  return null;
}

function toMove(
  deps: TronSweepDeps,
  planned: Planned,
  { state, own }: { readonly state: TronSendState; readonly own: readonly JournalEntry[] },
): MoveDraft {
  const { action, moves, index, feeLimit } = planned;
  const key = () => (index === undefined ? deps.openKey(1, 0) : deps.openKey(0, index));
  const cost = costOfStep(deps, { planned, state }, own);
  return { kind: "sweep", moves, ...draftOf(action, { state, feeLimit, cost, own }, key) };
}
