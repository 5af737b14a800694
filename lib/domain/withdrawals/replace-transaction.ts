import { canonicalHash } from "#lib/chains/hash-rules.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { WithdrawalDeps } from "./create-withdrawal.ts";
import { type LookUpRefusal, named, remembered, tryToObserve } from "./look-up-transactions.ts";
import { hashOnce, type Naming, type NamingRefusal, nameTransaction, renewed } from "./mark-sent.ts";
import { excludeEachOther, maySucceed, seemsToPay } from "./outcome-rules.ts";
import { next } from "./rules.ts";
import { isHashTaken, lockWithdrawal, selectByRefid } from "./store.ts";
import type { Observation, Sighting, WithdrawalRow } from "./types.ts";

export type ReplaceRefusal =
  | NamingRefusal
  | LookUpRefusal
  | "transaction_named_already"
  | "not_a_successor"
  | "withdrawal_changed";

/**
 * Names another transaction for a withdrawal that is being processed. Both must never pay: the successor spends what
 * every living one spends (an input, or the sender's number), or those are provably dead. One that takes the place of
 * another may pay something else, which is how a payment is called back; then `fail` has its proof once it is final.
 * All that were named before stay followed: whichever of them the chain takes, counts.
 */
export async function replaceTransaction(
  { db, networks }: WithdrawalDeps,
  { env, refid, txHash, actor }: Naming,
  now: Date,
): Promise<{ ok: true; withdrawal: WithdrawalRow } | { ok: false; reason: ReplaceRefusal }> {
  const found = await selectByRefid(db, env, refid);
  if (found === null) return { ok: false, reason: "withdrawal_not_found" };
  const hash = canonicalHash(NETWORKS[found.network].family, txHash);
  if (hash === null) return { ok: false, reason: "tx_hash_malformed" };
  const allowed = next(found.status, "replaced");
  if (!allowed.ok) return allowed;
  const former = found.transactions;
  if (former.some((one) => one.hash === hash)) return { ok: false, reason: "transaction_named_already" };
  const looked = await tryToObserve(networks.get(env, found.network), [...former, named(hash, now)]);
  if (!looked.ok) return looked;
  const { sightings } = looked.observation;
  const successor = sightings.at(-1);
  const earlier = sightings.slice(0, -1);
  if (!successor) throw new Error("the successor was not looked up");
  const refusal = refuse(found, successor, { ...looked.observation, sightings: earlier });
  if (refusal !== null) return { ok: false, reason: refusal };
  return hashOnce(() =>
    db.transaction(async (tx) => {
      const locked = await lockWithdrawal(tx, found.id);
      const moved = next(locked?.status ?? found.status, "replaced");
      if (!moved.ok) return moved;
      if (locked?.transactions.length !== former.length) {
        return { ok: false, reason: "withdrawal_changed" } as const;
      }
      if (await isHashTaken(tx, found, hash)) return { ok: false, reason: "tx_hash_taken" } as const;
      await nameTransaction(tx, found.id, moved.status, sightings.map(remembered), now);
      const entry = { actor, action: "withdrawal.replace", subject: `withdrawal:${refid}` };
      const details = { env, tx_hash: hash, replaces: found.txHash };
      await recordDecision(tx, { ...entry, details }, now);
      return renewed(tx, found.id);
    }),
  );
}

function refuse(
  found: WithdrawalRow,
  successor: Sighting,
  earlier: Observation,
): "not_a_successor" | "transaction_pays_otherwise" | null {
  if (!maySucceed(found, successor, earlier)) return "not_a_successor";
  const takesPlace = earlier.sightings.some((one) => excludeEachOther(one, successor));
  return takesPlace || seemsToPay(found, successor) ? null : "transaction_pays_otherwise";
}
