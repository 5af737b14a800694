import { isFinalBlock } from "#lib/chains/finality-rules.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { NewLedgerTransfer } from "#lib/domain/ledger/types.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { CostObservation, OutgoingDecision, OutgoingRow } from "../types.ts";

/**
 * Decides what the chain says about one of our transactions.
 * - final: it is in a final block. Its sender paid the fee, also where it failed.
 * - expired, replaced: it is in no block, and it is proven that none can contain it any more. It cost nothing.
 * - open: it is too early to decide.
 */
export function decideOutgoing({
  cost,
  head,
  finality,
  isExpired,
  isExcluded,
}: CostObservation): OutgoingDecision {
  const block = cost?.block ?? null;
  if (block !== null && cost !== null) {
    const isFinal = cost.fee !== null && isFinalBlock(finality, block.height, head);
    return isFinal ? { kind: "final", block, fee: cost.fee ?? 0n } : { kind: "open", block };
  }
  if (isExcluded) return { kind: "replaced" };
  return isExpired ? { kind: "expired" } : { kind: "open", block: null };
}

const SOON_MS = 3_600_000;
const LATER_MS = 3_600_000;

/** When a transaction in no block is asked about next. Null if that is at once. Some stay undecided for ever, as nothing proves them dead. */
export function nextAskAt(signedAt: Date, now: Date): Date | null {
  return now.getTime() - signedAt.getTime() < SOON_MS ? null : new Date(now.getTime() + LATER_MS);
}

/**
 * The ledger transfer of a network fee. Null if nothing is to be posted. Coins that leave custody are a transfer to custody. `fee` is below 0
 * where coins came back.
 */
export function costTransfer(
  { env, network, hash }: Pick<OutgoingRow, "env" | "network" | "hash">,
  token: TokenCode,
  fee: bigint,
): NewLedgerTransfer | null {
  if (fee === 0n) return null;
  const [costs, custody] = [`costs:${network}`, `custody:${network}`] as const satisfies [
    `costs:${NetworkCode}`,
    `custody:${NetworkCode}`,
  ];
  const cause = `cost:${env}:${network}:${hash}`;
  if (fee > 0n) return { env, token, from: costs, to: custody, amount: fee, cause };
  return { env, token, from: custody, to: costs, amount: -fee, cause };
}
