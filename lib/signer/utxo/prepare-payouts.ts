import type { Logger } from "pino";
import { toChainUnits } from "#lib/chains/units.ts";
import { encodeAddressScript } from "#lib/chains/utxo/address.ts";
import { UNKNOWN_REFUSAL, type UtxoSending } from "#lib/chains/utxo/sending.ts";
import type { Draft, MoveDraft, Prepared, Situation } from "../chain-signer.ts";
import type { HoldReason, NetworkPolicy, Payout } from "../types.ts";
import {
  chooseCoins,
  chooseSmallCoins,
  costOf,
  costOfPlan,
  planOf,
  type SpendingRules,
  spendable,
} from "./coin-rules.ts";
import { missingFee } from "./fee-rules.ts";
import type { openOwnChange } from "./own-change.ts";
import type { OwnKeys } from "./own-keys.ts";
import { type Funds, type Spending, toWaiting } from "./spending.ts";
import { formatUnsigned, signPlan, sortPlan } from "./transaction.ts";
import type { Output, Plan } from "./types.ts";

/** Choices of coins in one step: each leaves out what a node has not. */
const MOST_TRIES = 5;
/** A withdrawal that nodes would not relay is tried again after this time. */
const REFUSED_MS = 600_000;
/** So many coins are made one while the fee is low, at most so often. */
const MANY_COINS = 20;
const CONSOLIDATE_EVERY_MS = 600_000;

export interface UtxoSignerDeps {
  /** Withdrawals that nodes would not relay, and when they said so. */
  readonly refused: Map<string, number>;
  /** When the coins were last counted, in milliseconds. */
  readonly counted: { at: number };
  readonly sending: UtxoSending;
  readonly keys: OwnKeys;
  readonly change: ReturnType<typeof openOwnChange>;
  readonly spending: Spending;
  readonly policy: () => NetworkPolicy | null;
  readonly log: Logger;
  readonly now: () => Date;
}

/** The knowledge of one step. */
interface Offer extends Funds {
  readonly rules: SpendingRules;
}

/** See ChainSigner.prepare. */
export async function preparePayouts(
  deps: UtxoSignerDeps,
  payouts: readonly Payout[],
  situation: Situation,
): Promise<Prepared> {
  const { chosen, held } = await planPayouts(deps, payouts, situation);
  const draft = chosen && toDraft(deps, chosen.plan, chosen.payouts, ancestorBytes(chosen.plan, situation));
  return { draft, held };
}

/** The virtual bytes of those that wait, if a plan spends what one of them makes: it pays what they lack. */
export const ancestorBytes = ({ inputs }: Plan, { waiting }: Situation): bigint =>
  inputs.every((coin) => coin.isConfirmed)
    ? 0n
    : waiting.reduce((sum, entry) => sum + toWaiting(entry).virtualBytes, 0n);

/** A transaction for some payouts. */
export interface PlannedPayouts {
  readonly plan: Plan;
  readonly payouts: readonly Payout[];
}

/** Plans a transaction for as many of the payouts as the coins suffice for, and returns why each of the others waits. */
export async function planPayouts(
  deps: UtxoSignerDeps,
  payouts: readonly Payout[],
  situation: Situation,
): Promise<{ readonly chosen: PlannedPayouts | null; readonly held: ReadonlyMap<string, HoldReason> }> {
  const held = new Map<string, HoldReason>();
  const rules = await openRules(deps, situation);
  if (rules === null)
    return { chosen: null, held: new Map(payouts.map(({ refid }) => [refid, "network_fee_too_high"])) };
  const { refused, now } = deps;
  for (const [refid, at] of refused) if (now().getTime() - at >= REFUSED_MS) refused.delete(refid);
  for (const { refid } of payouts) if (refused.has(refid)) held.set(refid, "would_fail");
  let wanted = payouts.filter(({ refid }) => !refused.has(refid));
  for (let tries = 0; tries < MOST_TRIES && wanted.length > 0; ) {
    const offer = { ...(await deps.spending.list(situation)), rules };
    const chosen = choosePayouts(deps, wanted, offer);
    if (chosen === null || chosen.payouts.length < wanted.length)
      holdShort(wanted, chosen?.payouts ?? [], offer, held);
    if (chosen === null) break;
    if (!(await deps.spending.check(chosen.plan.inputs))) {
      tries += 1;
      continue;
    }
    const refusal = await findRelayRefusal(deps, chosen.plan);
    if (refusal === null) return { chosen, held };
    deps.log.warn({ reason: refusal, payouts: chosen.payouts.length }, "nodes would not relay this payment");
    const [only] = chosen.payouts;
    if (chosen.payouts.length === 1 && only) {
      refused.set(only.refid, now().getTime());
      held.set(only.refid, "would_fail");
      break;
    }
    // One of them may be the cause. The other half has its turn at the next step.
    wanted = chosen.payouts.slice(0, Math.ceil(chosen.payouts.length / 2));
  }
  return { chosen: null, held };
}

/** Null if the network asks for more than the policy allows. */
export async function openRules(
  { sending, change, keys, policy }: UtxoSignerDeps,
  situation: Situation,
): Promise<SpendingRules | null> {
  const { rate } = await sending.fetchState();
  const limits = policy();
  if (limits === null || rate > limits.maxFee) return null;
  change.list(situation.own);
  return {
    family: sending.family,
    rate,
    isLow: limits.consolidateBelow !== null && rate <= limits.consolidateBelow,
    changeScript: keys.child({ branch: 1, index: change.next() }).script,
    ancestorFee: missingFee(situation.waiting.map(toWaiting), rate),
  };
}

/** As many of the payouts as the coins suffice for, oldest first, and how. Null if they suffice for no payout. */
function choosePayouts(
  { sending }: UtxoSignerDeps,
  wanted: readonly Payout[],
  { coins, rules }: Offer,
): PlannedPayouts | null {
  let left = spendable(coins, rules);
  const payouts = wanted.filter((payout) => {
    const cost = costOf(toOutput(payout, sending), rules);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
  // The estimate is a little too high where only some coins wait for a block.
  while (payouts.length > 0) {
    const outputs = payouts.map((payout) => toOutput(payout, sending));
    const plan = chooseCoins(coins, outputs, rules);
    if (plan !== null) return { payouts, plan: sortPlan(plan) };
    payouts.pop();
  }
  return null;
}

const toOutput = ({ to, amount }: Payout, { chain, coin }: UtxoSending): Output => ({
  script: encodeAddressScript(to, chain),
  satoshis: toChainUnits(amount, coin),
});

/** Holds the payouts that the coins do not suffice for. While there may be more coins, the payouts have their turn later. */
function holdShort(
  wanted: readonly Payout[],
  paid: readonly Payout[],
  { isComplete }: Offer,
  held: Map<string, HoldReason>,
): void {
  if (!isComplete) return;
  for (const payout of wanted) if (!paid.includes(payout)) held.set(payout.refid, "hot_balance_too_low");
}

/** Why nodes would not relay a plan's transaction. Null if they would, or the node cannot say. */
export async function findRelayRefusal(
  { sending, keys }: UtxoSignerDeps,
  plan: Plan,
): Promise<string | null> {
  const refusal = await sending.findRefusal(formatUnsigned(plan, keys));
  return refusal === UNKNOWN_REFUSAL ? null : refusal;
}

/** `alsoPaid`: virtual bytes of others that its fee pays for: those it needs, or the one that it replaces. */
export function toDraft(
  { keys, change, sending, policy }: Pick<UtxoSignerDeps, "keys" | "change" | "sending" | "policy">,
  plan: Plan,
  payouts: readonly Payout[],
  alsoPaid: bigint,
): Draft {
  const { script: changeScript } = keys.child({ branch: 1, index: change.next() });
  return {
    payouts,
    spends: plan.inputs.map(({ outpoint }) => outpoint),
    expires: null,
    cost: costOfPlan(plan, { family: sending.family, cap: policy()?.maxFee ?? 0n, changeScript, alsoPaid }),
    sign: async () => signPlan(plan, keys),
  };
}

/** Makes many small coins one, while the fee is low and nothing waits. */
export async function prepareConsolidation(
  deps: UtxoSignerDeps,
  situation: Situation,
): Promise<MoveDraft | null> {
  const { policy, spending, counted, now } = deps;
  const below = policy()?.consolidateBelow ?? null;
  const isSoon = now().getTime() - counted.at < CONSOLIDATE_EVERY_MS;
  if (below === null || situation.waiting.length > 0 || isSoon) return null;
  const { coins } = await spending.list(situation);
  if (coins.filter((coin) => coin.isConfirmed).length < MANY_COINS) return null;
  counted.at = now().getTime();
  const rules = await openRules(deps, situation);
  if (rules === null || !rules.isLow) return null;
  const small = chooseSmallCoins(coins, rules);
  const plan = small.length < MANY_COINS ? null : planOf(small, [], rules);
  if (plan === null || !(await spending.check(small)) || (await findRelayRefusal(deps, plan)) !== null)
    return null;
  const { payouts: _payouts, ...draft } = toDraft(deps, sortPlan(plan), [], 0n);
  return { ...draft, kind: "consolidation", moves: [] };
}
