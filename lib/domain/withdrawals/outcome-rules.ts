import type { Finality } from "#lib/chains/network-data.ts";
import type { Observation, Outcome, Sighting, Withdrawal } from "./types.ts";

type Owed = Pick<Withdrawal, "token" | "toAddress" | "amount">;
type Payments = NonNullable<NonNullable<Sighting["seen"]>["payments"]>;

/** Is a block of this height as final as the network's largest payments ask for? */
export function isFinal(
  finality: Finality,
  blockHeight: number,
  head: { readonly height: number; readonly finalizedHeight: number | null },
): boolean {
  if (finality.kind === "finalized") {
    return head.finalizedHeight !== null && blockHeight <= head.finalizedHeight;
  }
  return head.height - blockHeight + 1 >= Math.max(...finality.tiers.map(({ blocks }) => blocks));
}

/** The height up to which every block is final; below 0 when none is. */
export function finalHeight(finality: Finality, head: Observation["head"]): number {
  if (finality.kind === "finalized") return head.finalizedHeight ?? -1;
  return head.height - Math.max(...finality.tiers.map(({ blocks }) => blocks)) + 1;
}

/** What a transaction pays the withdrawal's address in its token, ledger units. */
export function paidTo({ token, toAddress }: Omit<Owed, "amount">, payments: Payments): bigint {
  return payments
    .filter((payment) => payment.token === token && payment.address === toAddress)
    .reduce((sum, { amount }) => sum + amount, 0n);
}

/**
 * What the chain's word on all that was ever named for a withdrawal comes to. paid: one of them pays it exactly, in a
 * final block. dead: none can pay any more. paid_otherwise: a final one pays the address another amount. untold: a final
 * one may have paid it in a way that the chain does not tell; a person must look into both. open: it is too early to
 * tell.
 */
export function judge(owed: Owed, observation: Observation): Outcome {
  const paid = (sighting: Sighting) => (isSettled(sighting, observation) ? paidBy(owed, sighting) : 0n);
  const exact = observation.sightings.find((sighting) => paid(sighting) === owed.amount);
  if (exact) return { kind: "paid", hash: exact.hash };
  if (observation.sightings.some((sighting) => paid(sighting) > 0n)) return { kind: "paid_otherwise" };
  const untold = (sighting: Sighting) => isSettled(sighting, observation) && isUntold(owed, sighting);
  if (observation.sightings.some(untold)) return { kind: "untold" };
  const dead = (sighting: Sighting) => isDead(owed, sighting, observation);
  return {
    kind: observation.sightings.length > 0 && observation.sightings.every(dead) ? "dead" : "open",
  };
}

/**
 * May `successor` be named beside all that was named before? Only one of them all can ever pay then: each of the others
 * is dead, or excludes it.
 */
export function maySucceed(owed: Owed, successor: Sighting, observation: Observation): boolean {
  return observation.sightings.every(
    (sighting) => excludeEachOther(sighting, successor) || isDead(owed, sighting, observation),
  );
}

/**
 * Does it pay what is owed, no more and no less, as far as can be told? true before its block tells, and where that does
 * not tell all: named, it holds the withdrawal.
 */
export function seemsToPay(owed: Owed, sighting: Sighting): boolean {
  const { seen } = sighting;
  if (seen === null || isUntold(owed, sighting)) return true;
  return !seen.failed && (seen.payments === null || paidTo(owed, seen.payments) === owed.amount);
}

/** Can only one of the two ever stand in the chain? */
export function excludeEachOther(one: Sighting, other: Sighting): boolean {
  const spends = new Set(spendsOf(one));
  return spendsOf(other).some((spent) => spends.has(spent));
}

/**
 * Is it proven that it pays the address nothing, ever? It failed, or pays others and all that it pays is told, in a
 * final block; or it stands in no block, and expired or had what it spends used up by another one that is final. Only
 * what is final counts, so that no reorganisation takes back a verdict; that a node does not know a transaction proves
 * nothing.
 */
function isDead(owed: Owed, sighting: Sighting, observation: Observation): boolean {
  if (isSettled(sighting, observation)) return paidBy(owed, sighting) === 0n && !isUntold(owed, sighting);
  if (sighting.seen !== null && sighting.seen.block !== null) return false;
  const settled = observation.sightings.filter((other) => isSettled(other, observation));
  return sighting.expired || settled.some((other) => excludeEachOther(sighting, other));
}

function isSettled({ seen }: Sighting, { head, finality }: Observation): boolean {
  return seen !== null && seen.block !== null && isFinal(finality, seen.block.height, head);
}

/** May more of the token than is told have gone to anybody? */
function isUntold({ token }: Owed, { seen }: Sighting): boolean {
  return seen?.untold === token && !seen.failed;
}

function paidBy(owed: Owed, { seen }: Sighting): bigint {
  return seen === null || seen.failed ? 0n : paidTo(owed, seen.payments ?? []);
}

/** As the chain tells it now, else as it was told before. */
function spendsOf({ seen, spends }: Sighting): readonly string[] {
  return seen === null || seen.spends.length === 0 ? spends : seen.spends;
}
