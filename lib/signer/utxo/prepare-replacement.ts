import { UNKNOWN_REFUSAL } from "#lib/chains/utxo/sending.ts";
import type { Draft, Situation } from "../chain-signer.ts";
import type { JournalEntry } from "../types.ts";
import { replacementFee, type Waiting } from "./fee-rules.ts";
import { toDraft, type UtxoSignerDeps } from "./prepare-payouts.ts";
import { countVirtualBytes, dustLimit, feeOf, inputFee } from "./size-rules.ts";
import { formatUnsigned, sortPlan } from "./transaction.ts";
import type { Coin, Output, Plan } from "./types.ts";

/** Coins that a replacement may spend in addition, when its change does not suffice for the fee. */
const MOST_MORE = 5;

/** The parts of a transaction that is replaced. */
interface Former {
  readonly inputs: readonly Coin[];
  /** Without the change. */
  readonly outputs: readonly Output[];
  readonly changeScript: Uint8Array;
  readonly size: Waiting;
}

/**
 * The same payouts and inputs with a higher fee (BIP 125), out of the change, and if that is too small out of more coins. Null if the network
 * does not ask for more, or for more than the policy allows. Also where another of our transactions spends its change: that one is raised
 * instead, and pays for both. And where nodes do not replace what waits (dogecoind, litecoind by default).
 */
export async function prepareRaise(
  deps: UtxoSignerDeps,
  entry: JournalEntry,
  situation: Situation,
): Promise<Draft | null> {
  const { sending, spending, policy, keys } = deps;
  const hasChild = situation.own.some(({ spends }) => spends.some((one) => one.startsWith(`${entry.hash}:`)));
  const former = hasChild ? null : await takeApart(deps, entry, situation);
  if (former === null || former.inputs.length < entry.spends.length) return null;
  const { rate, replacementRate: step } = await sending.fetchState();
  const ancestors = spending.listAncestors(entry.spends, situation);
  const fee = replacementFee(former.size, ancestors, { rate, step, cap: policy()?.maxFee ?? 0n });
  if (fee === null) return null;
  const more = (await spending.list(situation)).coins.filter((coin) => coin.isConfirmed);
  const plan = raisePlan(former, fee, more, { family: sending.family, rate });
  if (plan === null) return null;
  const added = plan.inputs.filter((coin) => !former.inputs.includes(coin));
  if (added.length > 0 && !(await spending.check(added))) return null;
  const refusal = await sending.findRefusal(formatUnsigned(plan, keys));
  if (refusal !== null) {
    if (refusal !== UNKNOWN_REFUSAL)
      deps.log.warn({ reason: refusal, txHash: entry.hash }, "the fee is not raised");
    return null;
  }
  const bytes = ancestors.reduce((sum, one) => sum + one.virtualBytes, 0n);
  return toDraft(deps, plan, entry.payouts, bytes);
}

/** Spends what a transaction spends to our own change, so that it can never be in a block. Null if nothing of it is left. */
export async function prepareCancel(
  deps: UtxoSignerDeps,
  entry: JournalEntry,
  situation: Situation,
): Promise<Draft | null> {
  const { sending, policy } = deps;
  const former = await takeApart(deps, entry, situation);
  if (former === null || former.inputs.length === 0) return null;
  const { inputs, changeScript, size } = former;
  const { rate, replacementRate } = await sending.fetchState();
  const cap = policy()?.maxFee ?? 0n;
  const bytes = countVirtualBytes(sending.family.script, inputs.length, [changeScript]);
  const wanted = feeOf(bytes, rate < cap ? rate : cap);
  // Nodes that have the other replace it only for more.
  const least = size.satoshis + feeOf(bytes, replacementRate < cap ? replacementRate : cap);
  const fee = wanted - least > 0n ? wanted : least;
  const satoshis = inputs.reduce((sum, coin) => sum + coin.satoshis, 0n) - fee;
  if (satoshis < dustLimit(sending.family, changeScript)) return null;
  const plan = sortPlan({ inputs, outputs: [{ script: changeScript, satoshis }], fee });
  const { cost, ...draft } = toDraft(deps, plan, [], size.virtualBytes);
  // The former fee passed its own cap, which counted for ancestors too and may have been higher.
  const most = size.satoshis + feeOf(bytes, cap);
  return { ...draft, cost: { ...cost, most: most - cost.most > 0n ? most : cost.most } };
}

async function takeApart(
  { sending, spending, change, keys }: UtxoSignerDeps,
  entry: JournalEntry,
  situation: Situation,
): Promise<Former | null> {
  const [own] = change.list([entry]);
  if (own === undefined) return null;
  const inputs = await spending.findInputs(entry, situation);
  const [mine] = own.change;
  const changeAt = mine === undefined ? -1 : Number(mine.outpoint.split(":")[1]);
  const paid = own.outputs.reduce((sum, { satoshis }) => sum + satoshis, 0n);
  const received = inputs.reduce((sum, { satoshis }) => sum + satoshis, 0n);
  const scripts = own.outputs.map(({ script }) => script);
  return {
    inputs,
    outputs: own.outputs.filter((_, at) => at !== changeAt),
    changeScript: keys.child({ branch: 1, index: mine?.index ?? change.next() }).script,
    size: {
      virtualBytes: countVirtualBytes(sending.family.script, entry.spends.length, scripts),
      satoshis: received > paid ? received - paid : 0n,
    },
  };
}

/** Pays the fee out of the change, then out of more coins, the largest first. */
function raisePlan(
  { inputs, outputs, changeScript }: Former,
  fee: bigint,
  more: readonly Coin[],
  { family, rate }: { readonly family: UtxoSignerDeps["sending"]["family"]; readonly rate: bigint },
): Plan | null {
  const paid = outputs.reduce((sum, { satoshis }) => sum + satoshis, 0n);
  const largest = more.toSorted((one, other) => (one.satoshis < other.satoshis ? 1 : -1));
  for (let added = 0; added <= Math.min(MOST_MORE, largest.length); added++) {
    const spent = [...inputs, ...largest.slice(0, added)];
    const needed = fee + BigInt(added) * inputFee(family.script, rate);
    const satoshis = spent.reduce((sum, coin) => sum + coin.satoshis, 0n) - paid - needed;
    const change = { script: changeScript, satoshis };
    if (satoshis >= dustLimit(family, changeScript))
      return sortPlan({ inputs: spent, outputs: [...outputs, change], fee: needed });
    if (satoshis >= 0n && outputs.length > 0)
      return sortPlan({ inputs: spent, outputs, fee: needed + satoshis });
  }
  return null;
}
