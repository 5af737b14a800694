import type { TransactionNetwork } from "#lib/chains/network.ts";
import type { TronSending } from "#lib/chains/tron/sending.ts";
import { isTronSending } from "#lib/chains/tron/sending.ts";
import type { TronTransfer } from "#lib/chains/tron/types.ts";
import { type ChainToken, toChainUnits, toLedgerUnits } from "#lib/chains/units.ts";
import { isUnsafeDestination } from "#lib/domain/withdrawals/create/is-unsafe-destination.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { deriveChildKey, openAccountKey } from "../account-key.ts";
import type { ChainSigner, ChainSignerDeps, Draft, Observed, Situation } from "../chain-signer.ts";
import { boundTime } from "../node-bounds.ts";
import { payFromAccount, sumWaiting } from "../pay-from-account.ts";
import type { HoldReason, JournalEntry, Transfer } from "../types.ts";
import { actionOf, draftOf, sizeOf } from "./draft.ts";
import { chooseFeeLimit, mostBurned, mostCost, type Needs } from "./fee-rules.ts";
import type { OpenKey } from "./plan-sweep.ts";
import { openTronSweeper } from "./sweep.ts";
import { isOf } from "./sweep-entries.ts";
import { reserve } from "./waiting.ts";

/** Receipts of providers with several servers come later than their blocks. Only after this time a missing one proves something. */
const RECEIPT_LAG_MS = 300_000;
/** Own transactions do not depend on each other. */
const MOST_WAITING = 32;
/** A receiver that gives its last tokens away between the simulation and the block makes a transfer burn its energy. */
const MOST_FAILED = 3;
const TOKEN_CODES = Object.keys(TOKENS) as TokenCode[];

interface Hot {
  readonly adapter: TransactionNetwork;
  readonly sending: TronSending;
  readonly openKey: OpenKey;
  /** Its address, canonical. */
  readonly sender: string;
  readonly maxFee: () => bigint;
  /** The time of the newest block, as last observed, in milliseconds. */
  headMs: number;
}

/** Pays from the hot account, one transaction for each withdrawal. Throws a KeyError if the words are not those of the network. */
export function openTronSigner(deps: ChainSignerDeps): ChainSigner {
  const { adapter, mnemonic, policy } = deps;
  if (!isTronSending(adapter.sending)) throw new Error(`${adapter.network} is not a TRON network`);
  const sending = boundSending(adapter.sending, deps.now);
  const account = openAccountKey(mnemonic, adapter);
  const openKey: OpenKey = (branch, index) => deriveChildKey(account, branch, index);
  const maxFee = () => policy()?.maxFee ?? 0n;
  const hot: Hot = { adapter, sending, openKey, sender: sending.hotAccount(), maxFee, headMs: 0 };
  return {
    ...payFromAccount(deps, {
      account: hot.sender,
      sending,
      read: (transfer) => readTransfer(hot, transfer),
      build: (transfer, situation) => buildTransfer(hot, transfer, situation),
      sweep: openTronSweeper({ ...deps, sending, openKey, sender: hot.sender }),
    }),
    mostWaiting: MOST_WAITING,
    mostFailed: MOST_FAILED,
    isSigner: (entry) => isOf(hot.sender, entry),
    observe: (own) => observe(hot, own),
    // Nodes refuse one that has expired. Until that is proven by a final block, it only waits.
    broadcast: async ({ raw, expires }) =>
      expires !== null && expires <= hot.headMs ? undefined : sending.broadcast(raw),
  };
}

/** A transaction expires by the time of the newest block: one of next century could never be proven dead. */
const boundSending = (sending: TronSending, now: () => Date): TronSending => ({
  ...sending,
  fetchState: (transfer) =>
    sending.fetchState(transfer, ({ headTime }) => void boundTime(headTime, now(), "trc20")),
  fetchFates: (hashes) =>
    sending.fetchFates(hashes, ({ headTime, final }) => {
      boundTime(headTime, now(), "trc20");
      if (final !== null) boundTime(final.time, now(), "trc20");
    }),
});

/** Only blocks prove something: what waits can still be in the next block after it has expired by the clock. */
async function observe(hot: Hot, own: readonly JournalEntry[]): Promise<Observed> {
  const { headTime, final, blocks } = await hot.sending.fetchFates(own.map(({ hash }) => hash));
  hot.headMs = headTime.getTime();
  const settled: Observed["settled"][number][] = [];
  const waiting: JournalEntry[] = [];
  for (const entry of own) {
    const { hash, expires } = entry;
    const block = blocks.get(hash);
    if (block?.isFinal) settled.push({ entry, outcome: "final" });
    if (block !== undefined) continue;
    const provenAt = (expires ?? Number.POSITIVE_INFINITY) + RECEIPT_LAG_MS;
    const hasExpired = expires !== null && final !== null && final.time.getTime() > provenAt;
    if (hasExpired && (await hot.sending.isDead(hash, expires))) settled.push({ entry, outcome: "dead" });
    else waiting.push(entry);
  }
  return { settled, waiting, headTime };
}

/** A transfer from the hot account. A text: why it cannot be made now. */
async function buildTransfer(
  hot: Hot,
  transfer: TronTransfer & ChainToken,
  { waiting, own }: Situation,
): Promise<Omit<Draft, "payouts"> | HoldReason> {
  const state = await hot.sending.fetchState(transfer);
  const { prices, sender, receiver, energy, energyIfEmpty } = state;
  if (transfer.value + sumWaiting(waiting, hot.sender, transfer) > state.tokenBalance)
    return "hot_balance_too_low";
  if (energy === null || (transfer.contract === null && receiver.isContract)) return "would_fail";
  const action = actionOf(transfer);
  const createsAccount = transfer.contract === null && !receiver.exists;
  const needs: Needs = { bandwidth: sizeOf(action, state), energy, energyIfEmpty, createsAccount };
  const feeLimit = chooseFeeLimit(needs, prices, hot.maxFee());
  if (feeLimit === null) return "network_fee_too_high";
  const reserved = reserve(waiting, hot.sender, prices.energy);
  const burned = mostBurned({ needs, feeLimit }, prices, sender, reserved);
  const sent = transfer.contract === null ? transfer.value : 0n;
  if (sent + reserved.coin + burned > sender.balance) return "hot_balance_too_low";
  const cost = { fee: mostCost(needs, prices, feeLimit), most: hot.maxFee() };
  return draftOf(action, { state, feeLimit, cost, own }, () => hot.openKey(1, 0));
}

/** Reads the transfer that the transaction must make. A text: why it may not. */
function readTransfer(
  { adapter, sending, sender }: Hot,
  { token, amount, to }: Transfer,
): (TronTransfer & ChainToken) | HoldReason {
  const listed = sending.findToken(token);
  if (listed === null) return "not_in_policy";
  const isContract = TOKEN_CODES.some((one) => sending.findToken(one)?.contract === to);
  if (isUnsafeDestination(adapter.data, adapter.env, to) || to === sender || isContract)
    return "destination_unsafe";
  const unit = { token, decimals: listed.decimals };
  const value = toChainUnits(amount, unit);
  const isExact = toLedgerUnits(value, unit) === amount;
  return isExact ? { ...unit, from: sender, to, value, contract: listed.contract } : "amount_not_exact";
}
