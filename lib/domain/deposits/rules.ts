import type { NetworkData } from "#lib/chains/network-data.ts";
import type { NetworkCode, NetworkScope } from "#lib/chains/networks.ts";
import { attentionSubject } from "#lib/domain/attention/rules.ts";
import type { DepositStatus } from "#lib/domain/types.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { AddressPurpose, PendingDeposit, TransferObservation, UnmatchedReason } from "./types.ts";

/** Returns whether a deposit has the confirmations that it needs. The caller checks that its block is still valid. */
export function hasEnoughConfirmations(
  confirmations: number,
  { requiredConfirmations }: Pick<PendingDeposit, "requiredConfirmations">,
): boolean {
  return confirmations >= requiredConfirmations;
}

/** Returns whether the ledger contains the deposit: credited to a merchant, or held as unmatched. */
export function isInLedger(status: DepositStatus): boolean {
  return status === "credited" || status === "held";
}

/** Cause of the ledger transfer that records a deposit, for its merchant or as unmatched. */
export function depositCause({ id, creditRound }: { id: number; creditRound: number }): string {
  return `deposit:${id}:${creditRound}`;
}

/** Cause of the ledger transfer from unmatched to the merchant whom the operator chose. */
export function resolutionCause(deposit: { id: number; creditRound: number }): string {
  return `${depositCause(deposit)}:resolved`;
}

/**
 * Whether a merchant's people may decide about an unmatched deposit at their own addresses. A deposit from before the allocation may belong
 * to somebody else who had the address before.
 */
export function isForOwner(unmatchedReason: string | null): boolean {
  return unmatchedReason !== "before_allocation";
}

/** The subject of a transaction that is set aside. Without a hash: what all subjects of the network start with. */
export function transactionSubject({ env, network }: NetworkScope, txHash = ""): string {
  return attentionSubject("transaction", `${env}:${network}:${txHash}`);
}

/**
 * Returns all outpoints that these transfers' transactions spend. Reads the list of each transaction once: one can have
 * thousands of inputs and pay thousands of our addresses.
 */
export function collectOutpoints(
  transfers: readonly Pick<TransferObservation, "txHash" | "spends">[],
): ReadonlySet<string> {
  const spends = new Map(transfers.map((transfer) => [transfer.txHash, transfer.spends]));
  return new Set([...spends.values()].flat());
}

/** Returns the earlier of now and the block's time. */
export function firstSeenTime(now: Date, block: { readonly time: Date } | null): Date {
  return block !== null && block.time < now ? block.time : now;
}

/** The clock of a block may be behind ours by this much. */
const CLOCK_SKEW_MS = 15 * 60_000;
/** The same in blocks: a block's time may be just above the median of the 11 before it (Core, GetMedianTimePast). Twice that. */
const CLOCK_SKEW_BLOCKS = 12;

/**
 * Returns whether a block is older than an address. Nobody can pay a derived address before its allocation, except with a
 * wallet that had it earlier. Anyone can pay a destination tag of our account before, and see who will get the tag.
 */
function isBefore(
  block: { readonly time: Date },
  { createdAt }: { readonly createdAt: Date },
  { addressSource, blockSeconds }: Pick<NetworkData, "addressSource" | "blockSeconds">,
): boolean {
  const skewMs =
    addressSource === "tags" ? 0 : Math.max(CLOCK_SKEW_MS, CLOCK_SKEW_BLOCKS * blockSeconds * 1_000);
  // Blocks have whole seconds.
  return block.time.getTime() < Math.floor(createdAt.getTime() / 1_000) * 1_000 - skewMs;
}

/**
 * Returns why a transfer is not credited automatically, or null when it is what its address was allocated for.
 * `network` is where the transfer arrived. `link` is the payment link that the address belongs to.
 */
export function unmatchedReasonFor(
  transfer: {
    readonly token: TokenCode;
    readonly unmatchedReason: string | null;
    readonly block: { readonly time: Date } | null;
  },
  network: NetworkData,
  address: { readonly network: NetworkCode; readonly purpose: AddressPurpose; readonly createdAt: Date },
  link: { readonly token: TokenCode } | null,
): UnmatchedReason | string | null {
  if (transfer.unmatchedReason !== null) return transfer.unmatchedReason;
  if (address.purpose === "skipped") return "skipped_address";
  if (address.network !== network.code) return "other_network";
  if (address.purpose === "payment_link") {
    if (link === null) return "no_purpose";
    if (link.token !== transfer.token) return "other_token";
  }
  return transfer.block !== null && isBefore(transfer.block, address, network) ? "before_allocation" : null;
}

/**
 * Returns the unmatched reason of a deposit that is in another block now. Whether it came before its address was allocated
 * is decided by the first observation: a payment that was seen in the mempool is not older because its block's clock is
 * behind, and old money is not new because a reorg moved it.
 */
export function unmatchedReasonAfterMove(recorded: string | null, observed: string | null): string | null {
  return recorded === "before_allocation" || observed === "before_allocation" ? recorded : observed;
}

/**
 * Returns more blocks than a chain can have produced since `then`, with a block every `blockSeconds`. The margin covers
 * wrong clocks and fast blocks.
 */
export function estimateBlocksSince(then: Date, now: Date, blockSeconds: number): number {
  const seconds = Math.max(0, now.getTime() - then.getTime()) / 1_000;
  return 100 + Math.ceil((3 * seconds) / blockSeconds);
}
