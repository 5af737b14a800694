import { bytesToHex } from "@noble/hashes/utils.js";
import type { Logger } from "pino";
import { keccak256, type PrivateKeyAccount, parseTransaction } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type EvmSending, type EvmTransfer, encodeTransfer, isEvmSending } from "#lib/chains/evm/sending.ts";
import type { TransactionNetwork } from "#lib/chains/network.ts";
import { type ChainToken, toChainUnits, toLedgerUnits } from "#lib/chains/units.ts";
import { isUnsafeDestination } from "#lib/domain/withdrawals/create/is-unsafe-destination.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { deriveChildKey, openAccountKey } from "../account-key.ts";
import type { ChainSigner, ChainSignerDeps, Draft, MoveDraft, Observed, Situation } from "../chain-signer.ts";
import { payFromAccount, sumWaiting } from "../pay-from-account.ts";
import type { HoldReason, JournalEntry, Transfer } from "../types.ts";
import { chooseFees, costOf, type EvmFees, nextFee, raiseFees } from "./fee-rules.ts";
import { type NonceLook, nextOwn, nonceOf, senderOf } from "./nonce-rules.ts";
import { type Nonces, openNonces } from "./nonces.ts";
import { openSweeper } from "./sweep.ts";
import { sweeperAddress } from "./sweeper/sweeper.ts";

/** Nodes drop more transactions of one account that wait for a block. */
const MOST_WAITING = 16;
/** The gas of a transaction that moves nothing. */
const NOTHING_GAS = 21_000n;
/** The decimals of a coin on EVM networks. */
const WEI_DECIMALS = 18;
const TOKEN_CODES = Object.keys(TOKENS) as TokenCode[];
const NONCE_LOST =
  "a final block used this nonce, but the node does not find our transaction: the node lacks it, or the key is used elsewhere";
type Unsigned = Parameters<PrivateKeyAccount["signTransaction"]>[0];

interface Hot {
  readonly adapter: TransactionNetwork;
  readonly sending: EvmSending;
  readonly account: PrivateKeyAccount;
  /** Its address, canonical. */
  readonly sender: string;
  readonly maxFee: () => bigint;
  /** The most gas of a payment. */
  readonly maxGas: () => bigint;
  readonly log: Logger;
  readonly nonces: Nonces;
}

/** Pays from the hot account, one transaction for each withdrawal. Throws a KeyError if the words are not those of the network. */
export function openEvmSigner(deps: ChainSignerDeps): ChainSigner {
  const { adapter, mnemonic, policy } = deps;
  const { sending } = adapter;
  if (!isEvmSending(sending)) throw new Error(`${adapter.network} is not an EVM network`);
  const key = openAccountKey(mnemonic, adapter);
  const openAccount = (branch: 0 | 1, index: number) =>
    privateKeyToAccount(`0x${bytesToHex(deriveChildKey(key, branch, index))}`);
  const account = openAccount(1, 0);
  const maxFee = () => policy()?.maxFee ?? 0n;
  const maxGas = () => policy()?.maxGas ?? 0n;
  const sender = account.address.toLowerCase();
  const { log } = deps;
  const nonces = openNonces({ adapter, sending, account: sender, log, now: deps.now });
  const hot: Hot = { adapter, sending, account, sender, maxFee, maxGas, log, nonces };
  const vault = { vault: sender, contract: sweeperAddress(sender) };
  const openDeposit = (index: number) => openAccount(0, index);
  const sweep = openSweeper({ ...deps, ...vault, sending, account, openDeposit, nonces });
  return {
    ...payFromAccount(deps, {
      account: sender,
      sending,
      read: (transfer) => readTransfer(hot, transfer),
      build: (transfer, situation) => buildTransfer(hot, transfer, situation),
      refresh: async () => void (await nonces.look()),
      sweep,
    }),
    mostWaiting: MOST_WAITING,
    isSigner: (entry) => senderOf(entry) === sender,
    // The receiver of coins can be a contract that burns what it is given.
    mostFailed: 1,
    observe: (own) => observe(hot, own),
    prepareReplacement: (entry, purpose) => (purpose === "raise" ? raise(hot, entry) : cancel(hot, entry)),
    prepareFill: (situation) => fill(hot, situation),
    broadcast: ({ raw }) => sending.broadcast(raw),
  };
}

/**
 * Asks about transactions whose nonce a final block has used. Only an own transaction that is found in a final block proves the others
 * with its nonce dead. A node that finds none may lack what it should have: then they stay undecided, and nothing is signed again.
 */
async function observe(hot: Hot, own: readonly JournalEntry[]): Promise<Observed> {
  const { head, finalHeight, ...counts } = await hot.nonces.look();
  const settled: Observed["settled"][number][] = [];
  const waiting: JournalEntry[] = [];
  for (const [sender, entries] of Map.groupBy(own, senderOf)) {
    const isOurs = sender === hot.sender;
    const { mined, upTo } = isOurs ? counts : await hot.sending.fetchNonces(sender, finalHeight);
    const observed = await observeSender(hot, entries, { account: sender, finalHeight, mined, upTo });
    settled.push(...observed.settled);
    waiting.push(...observed.waiting);
  }
  return { settled, waiting, headTime: head.time ?? new Date() };
}

/** The same of the transactions of one account. */
async function observeSender(
  { adapter, sending, log }: Hot,
  own: readonly JournalEntry[],
  { account, finalHeight, mined, upTo }: Omit<NonceLook, "height"> & { readonly account: string },
): Promise<Omit<Observed, "headTime">> {
  const decided: Observed["settled"][number][] = [];
  // A node that says too much about a final block would end what waits: each node that answers must have seen the nonce used.
  const isAnyUsed = own.some((one) => nonceOf(one) < upTo);
  const usedUpTo = isAnyUsed ? Math.min(upTo, await sending.fetchSettledNonce(account, finalHeight)) : 0;
  const used = own.filter((one) => nonceOf(one) < usedUpTo);
  for (const [nonce, entries] of Map.groupBy(used, nonceOf)) {
    const final = await findFinal(adapter, entries, finalHeight);
    if (final === null) log.error({ nonce, txHashes: entries.map(({ hash }) => hash) }, NONCE_LOST);
    else
      decided.push(
        ...entries.map((entry) => ({ entry, outcome: entry === final ? "final" : "dead" }) as const),
      );
  }
  // A count beyond ours may be wrong, and then these still wait: sent again they harm nothing.
  const from = mined > nextOwn(own) ? upTo : mined;
  const newest = new Map(own.filter((one) => nonceOf(one) >= from).map((entry) => [nonceOf(entry), entry]));
  const waiting = [...newest.values()].sort((one, other) => nonceOf(one) - nonceOf(other));
  return { settled: decided, waiting };
}

/** Returns the entry that is in a final block. Null if the node finds none of them there. The newest is the likeliest. */
async function findFinal(
  adapter: TransactionNetwork,
  entries: readonly JournalEntry[],
  finalHeight: number,
): Promise<JournalEntry | null> {
  for (const entry of entries.toReversed()) {
    const block = (await adapter.transactions.fetchPayments(entry.hash))?.block ?? null;
    if (block !== null && block.height <= finalHeight) return entry;
  }
  return null;
}

/** A transfer from the hot account. A text: why it cannot be made now. */
async function buildTransfer(
  hot: Hot,
  transfer: EvmTransfer & ChainToken,
  situation: Situation,
): Promise<Omit<Draft, "payouts"> | HoldReason> {
  const { adapter, sending, sender } = hot;
  const { waiting } = situation;
  const state = await sending.fetchState(transfer);
  const needed = transfer.value + sumWaiting(waiting, sender, transfer);
  if (needed > state.tokenBalance) return "hot_balance_too_low";
  const fees = chooseFees(state, hot.maxFee());
  if (fees === null) return "network_fee_too_high";
  const coin = { token: adapter.data.coin, decimals: WEI_DECIMALS };
  const coins = sumWaiting(waiting, sender, coin) + (transfer.contract === null ? transfer.value : 0n);
  const canPay = (gas: bigint) => coins + gas * fees.maxFeePerGas <= state.coinBalance;
  // A node runs a transfer of coins only for an account that can pay its fee.
  if (state.gas === null) return canPay(NOTHING_GAS) ? "would_fail" : "hot_balance_too_low";
  if (state.gas > hot.maxGas()) return "gas_too_high";
  if (!canPay(state.gas)) return "hot_balance_too_low";
  const nonce = await hot.nonces.next(situation);
  if (nonce === null) return "nonce_not_mine";
  const unsigned = { ...encodeTransfer(transfer), ...fees, gas: state.gas, nonce, chainId: sending.chainId };
  return draftOf(hot, nonce, unsigned as Unsigned);
}

/** The same with a higher fee and the same nonce. Null if it offers what the network asks for. */
async function raise(hot: Hot, entry: JournalEntry): Promise<Draft | null> {
  // Without its signature, which would otherwise be signed, too.
  const {
    r: _r,
    s: _s,
    v: _v,
    yParity: _yParity,
    ...former
  } = parseTransaction(entry.raw as `0x02${string}`);
  const { to, value = 0n, gas = 0n } = former;
  if (!to) return null;
  // It may fit into no block.
  if (entry.kind === "payout" && gas > hot.maxGas()) return cancel(hot, entry);
  const state = await hot.sending.fetchState({ from: hot.sender, to, value, contract: null });
  const fees = raiseFees(former, state, hot.maxFee());
  if (fees === null) return null;
  const draft = draftOf(hot, nonceOf(entry), { ...former, ...fees } as Unsigned);
  // The gas of what pays no one was counted, not asked for.
  const cost = entry.kind === "payout" ? draft.cost : costOf({ ...fees, gas }, { gas, price: hot.maxFee() });
  return { payouts: entry.payouts, ...draft, cost };
}

/** A transaction that moves nothing and uses the nonce of another, for so much more that nodes replace it. */
async function cancel(hot: Hot, entry: JournalEntry): Promise<Draft> {
  const state = await fetchNothing(hot);
  const { maxFeePerGas: former = 0n } = parseTransaction(entry.raw as `0x02${string}`);
  const price = (state.baseFeePerGas + state.priorityFeePerGas) * 2n;
  const least = nextFee(former);
  const wanted = price > least ? price : least;
  const cap = hot.maxFee();
  const fee = wanted < cap ? wanted : cap;
  return {
    payouts: [],
    ...draftNothing(hot, nonceOf(entry), { maxFeePerGas: fee, maxPriorityFeePerGas: fee }),
  };
}

/** A transaction that moves nothing, and uses a nonce that others wait behind. It pays no one, so that none is paid twice by it. */
async function fill(hot: Hot, situation: Situation): Promise<MoveDraft | null> {
  const nonce = hot.nonces.gap(situation);
  if (nonce === null) return null;
  const state = await fetchNothing(hot);
  const fees = chooseFees(state, hot.maxFee());
  if (fees === null || NOTHING_GAS * fees.maxFeePerGas > state.coinBalance) return null;
  hot.log.warn({ nonce }, "nothing has used this nonce, and others wait behind it: it is used for nothing");
  return { kind: "cancel", moves: [], ...draftNothing(hot, nonce, fees) };
}

const fetchNothing = ({ sending, sender }: Hot) =>
  sending.fetchState({ from: sender, to: sender, value: 0n, contract: null });

const draftNothing = (hot: Hot, nonce: number, fees: EvmFees) => {
  const { chainId } = hot.sending;
  const to = hot.account.address;
  return draftOf(hot, nonce, { ...fees, nonce, chainId, to, value: 0n, gas: NOTHING_GAS });
};

function draftOf(hot: Hot, nonce: number, unsigned: Unsigned): Omit<Draft, "payouts"> {
  const { account, sender } = hot;
  return {
    spends: [`${sender}:${nonce}`],
    expires: null,
    cost: costOf(unsigned, { gas: hot.maxGas(), price: hot.maxFee() }),
    async sign() {
      const raw = await account.signTransaction(unsigned);
      return { hash: keccak256(raw), raw };
    },
  };
}

/** Reads the transfer that the transaction must make. A text: why it may not. */
function readTransfer(
  { adapter, sending, sender }: Hot,
  { token, amount, to }: Transfer,
): (EvmTransfer & ChainToken) | HoldReason {
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
