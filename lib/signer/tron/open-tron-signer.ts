import { bytesToHex } from "@noble/hashes/utils.js";
import { sign } from "viem/accounts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { LIFETIME_MS, type TronSending, transferData } from "#lib/chains/tron/sending.ts";
import type { TronReference, TronTransfer } from "#lib/chains/tron/types.ts";
import { toChainUnits, toLedgerUnits } from "#lib/chains/units.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { deriveChildKey, openAccountKey } from "../account-key.ts";
import type { ChainSigner, Draft, Observed, Prepared, Situation } from "../chain-signer.ts";
import type { ChainSignerDeps } from "../families.ts";
import type { HoldReason, JournalEntry, Payout } from "../types.ts";
import { chooseFeeLimit, mostBurned, type Needs, type Reserved } from "./fee-rules.ts";
import {
  bandwidthOf,
  encodeSigned,
  encodeTransaction,
  hashOf,
  readSigned,
  type TronAction,
} from "./transaction.ts";

/** Own transactions do not depend on each other. */
const MOST_WAITING = 32;
const TOKEN_CODES = Object.keys(TOKENS) as TokenCode[];
/** Addresses that nobody has a key of: of zeros, and the account that burned TRX goes to. */
const BURNED: ReadonlySet<string> = new Set([
  "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb",
  "TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy",
]);

/** Deposit addresses are children 0/n of the account key, the hot account is 1/0. */
export type OpenKey = (branch: 0 | 1, index: number) => Uint8Array;

interface Hot {
  readonly adapter: NetworkAdapter;
  readonly sending: TronSending;
  readonly openKey: OpenKey;
  /** Its address, canonical. */
  readonly sender: string;
  readonly maxFee: () => bigint;
  /** The time of the newest block, as last observed, in milliseconds. */
  headMs: number;
}

/** Pays from the hot account, one transaction for each withdrawal. Throws a KeyError if the words are not those of the network. */
export function openTronSigner({ adapter, mnemonic, policy }: ChainSignerDeps): ChainSigner {
  const { sending } = adapter;
  if (sending?.kind !== "tron") throw new Error(`${adapter.network} is not a TRON network`);
  const account = openAccountKey(mnemonic, adapter);
  const openKey: OpenKey = (branch, index) => deriveChildKey(account, branch, index);
  const maxFee = () => policy()?.maxFee ?? 0n;
  const hot: Hot = { adapter, sending, openKey, sender: sending.hotAccount(), maxFee, headMs: 0 };
  return {
    account: hot.sender,
    mostPayouts: 1,
    mostWaiting: MOST_WAITING,
    checkPayout(payout) {
      const transfer = readTransfer(hot, payout);
      return typeof transfer === "string" ? transfer : null;
    },
    observe: (own) => observe(hot, own),
    prepare: (payouts, situation) => prepare(hot, payouts, situation),
    // Nodes refuse one that has expired. Until that is proven by a final block, it only waits.
    broadcast: async ({ raw, expires }) =>
      expires !== null && expires <= hot.headMs ? undefined : sending.broadcast(raw),
  };
}

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
    const hasExpired = expires !== null && final !== null && final.time.getTime() > expires;
    if (hasExpired && (await hot.sending.isDead(hash, expires))) settled.push({ entry, outcome: "dead" });
    else waiting.push(entry);
  }
  return { settled, waiting, headTime };
}

async function prepare(hot: Hot, payouts: readonly Payout[], situation: Situation): Promise<Prepared> {
  const [payout] = payouts;
  if (payout === undefined) return { draft: null, held: new Map() };
  const hold = (reason: HoldReason): Prepared => ({ draft: null, held: new Map([[payout.refid, reason]]) });
  const transfer = readTransfer(hot, payout);
  if (typeof transfer === "string") return hold(transfer);
  const state = await hot.sending.fetchState(transfer);
  const { prices, sender, receiver, energy } = state;
  const { waiting, own } = situation;
  if (transfer.value + sumWaiting(waiting, transfer.contract, hot) > state.tokenBalance)
    return hold("hot_balance_too_low");
  if (energy === null || (transfer.contract === null && receiver.isContract)) return hold("would_fail");
  const action = actionOf(transfer);
  const needs: Needs = {
    // Its size hardly depends on the limit, and a limit of more bytes is only higher.
    bandwidth: bandwidthOf(encodeTransaction({ action, ...fieldsOf(state), feeLimit: prices.maxFeeLimit })),
    energy,
    createsAccount: transfer.contract === null && !receiver.exists,
  };
  const feeLimit = chooseFeeLimit(needs, prices, hot.maxFee());
  if (feeLimit === null) return hold("network_fee_too_high");
  const reserved = reserve(waiting, hot, prices.energy);
  const burned = mostBurned({ needs, feeLimit }, prices, sender, reserved);
  const sent = transfer.contract === null ? transfer.value : 0n;
  if (sent + reserved.coin + burned > sender.balance) return hold("hot_balance_too_low");
  const draft = draftOf(action, { state, feeLimit, own }, () => hot.openKey(1, 0));
  return { draft: { ...draft, payouts: [payout] }, held: new Map() };
}

const actionOf = ({ from: owner, to, value, contract }: TronTransfer): TronAction =>
  contract === null
    ? { type: "TransferContract", owner, to, amount: value }
    : { type: "TriggerSmartContract", owner, contract, data: transferData({ to, value }) };

const fieldsOf = ({ refBlockBytes, refBlockHash, headTime }: TronReference) => ({
  refBlockBytes,
  refBlockHash,
  expiration: headTime.getTime() + LIFETIME_MS,
  timestamp: headTime.getTime(),
});

/**
 * A transaction that no other one of this signer equals. On TRON two payments of one amount to one address in the same second would be the
 * same bytes, and so one transaction: the timestamp, which nodes do not check, makes them differ.
 */
export function draftOf(
  action: TronAction,
  {
    state,
    feeLimit,
    own,
  }: { readonly state: TronReference; readonly feeLimit: bigint; readonly own: readonly JournalEntry[] },
  key: () => Uint8Array,
): Omit<Draft, "payouts"> {
  const fields = fieldsOf(state);
  const taken = new Set(own.filter(({ expires }) => expires === fields.expiration).map(({ hash }) => hash));
  const build = (timestamp: number) => encodeTransaction({ action, ...fields, timestamp, feeLimit });
  let timestamp = fields.timestamp;
  while (taken.has(hashOf(build(timestamp)))) timestamp += 1;
  const bytes = build(timestamp);
  return {
    spends: [],
    expires: fields.expiration,
    async sign() {
      const hash = hashOf(bytes);
      const privateKey = `0x${bytesToHex(key())}` as const;
      const signature = await sign({ hash: `0x${hash}`, privateKey, to: "hex" });
      return { hash, raw: encodeSigned(bytes, signature.slice(2)) };
    },
  };
}

/** What the transaction must move. A text: why it may not. */
function readTransfer({ sending, sender }: Hot, { token, amount, to }: Payout): TronTransfer | HoldReason {
  const listed = sending.findToken(token);
  if (listed === null) return "not_in_policy";
  const isContract = TOKEN_CODES.some((one) => sending.findToken(one)?.contract === to);
  if (BURNED.has(to) || to === sender || isContract) return "destination_unsafe";
  const unit = { token, decimals: listed.decimals };
  const value = toChainUnits(amount, unit);
  const isExact = toLedgerUnits(value, unit) === amount;
  return isExact ? { from: sender, to, value, contract: listed.contract } : "amount_not_exact";
}

/** What waiting transactions move away of a contract's token, in its unit on the chain. null: of the coin. */
function sumWaiting(waiting: readonly JournalEntry[], contract: string | null, hot: Hot): bigint {
  return waiting
    .flatMap(({ payouts, moves }) => [...payouts, ...moves.filter(({ from }) => from === hot.sender)])
    .filter(({ token }) => hot.sending.findToken(token)?.contract === contract)
    .reduce((sum, { token, amount }) => {
      const { decimals = 0 } = hot.sending.findToken(token) ?? {};
      return sum + toChainUnits(amount, { token, decimals });
    }, 0n);
}

/** What the waiting transactions of the hot account can still use. */
function reserve(waiting: readonly JournalEntry[], hot: Hot, energyPrice: bigint): Reserved {
  const own = waiting.filter(({ payouts, moves }) => {
    const isFromDeposit = payouts.length === 0 && moves.some(({ from }) => from !== hot.sender);
    return !isFromDeposit;
  });
  const signed = own.map(({ raw }) => readSigned(raw));
  return {
    coin: sumWaiting(waiting, null, hot),
    bandwidth: signed.reduce((sum, { bandwidth }) => sum + bandwidth, 0n),
    energy: signed.reduce((sum, { feeLimit }) => sum + feeLimit / energyPrice, 0n),
  };
}
