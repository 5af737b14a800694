import type { NetworkAdapter } from "#lib/chains/network.ts";
import { failpoint } from "#lib/platform/failpoint.ts";
import type { Draft } from "./chain-signer.ts";
import { type FeeRefusal, feeRefusal } from "./fee-limits.ts";
import type { Journal } from "./journal.ts";
import { policyName } from "./policy-rules.ts";
import type { JournalEntry, NetworkPolicy } from "./types.ts";

export interface SigningDeps {
  readonly adapter: Pick<NetworkAdapter, "env" | "network">;
  readonly journal: Journal;
  /** The policy of the network now. */
  readonly networkPolicy: NetworkPolicy | null;
  readonly now: () => Date;
}

/**
 * Signs a draft and writes it into the journal, before anything else learns of it. The only place that signs: a text says why the fee may not
 * be spent, and then nothing is signed. `headTime`: of the newest block.
 */
export async function signEntry(
  { adapter, journal, networkPolicy, now }: SigningDeps,
  draft: Pick<Draft, "spends" | "expires" | "cost" | "sign">,
  what: Pick<JournalEntry, "kind" | "payouts" | "moves">,
  headTime: Date,
): Promise<JournalEntry | FeeRefusal> {
  const { env, network } = adapter;
  const { spends, expires, cost } = draft;
  const [clock, head] = [now().getTime(), headTime.getTime()];
  // A clock that is set forward frees nothing.
  const day = { own: journal.listLive(policyName(adapter)), at: new Date(Math.min(clock, head)) };
  const refusal = feeRefusal(networkPolicy, { kind: what.kind, spends, cost }, day);
  if (refusal !== null) return refusal;
  const { hash, raw } = await draft.sign();
  failpoint("payout-signed");
  // The later of both: a clock that is set back does not end the day of what is signed now.
  const at = new Date(Math.max(clock, head));
  const signed: JournalEntry = { ...what, at, env, network, spends, expires, fee: cost.fee, hash, raw };
  journal.append(signed);
  failpoint("payout-journaled");
  return signed;
}
