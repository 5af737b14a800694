import type { Logger } from "pino";
import { keccak256, type PrivateKeyAccount, parseTransaction } from "viem";
import { encodeTransfer } from "#lib/chains/evm/sending.ts";
import { type EvmSending, type EvmSendState, type NetworkAdapter, NodeError } from "#lib/chains/network.ts";
import { payWithdrawal, replacePayment } from "#lib/domain/withdrawals/pay-withdrawal.ts";
import { findWithdrawalByRefid, listPayable, listPayoutSignatures } from "#lib/domain/withdrawals/queries.ts";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { failpoint } from "#lib/platform/failpoint.ts";
import { rescale } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { listApprovers } from "./approvals.ts";
import type { Journal } from "./journal.ts";
import { policyName, policyRefusal } from "./policy-rules.ts";
import { toPayout } from "./to-payout.ts";
import type { HoldReason, JournalEntry, Payout, Policy } from "./types.ts";

/** Transactions of the hot account that wait for a block at the same time. Nodes drop more from one account. */
const MOST_WAITING = 16;
/** After this time without a block, the fee is raised if the network asks for more. */
const STUCK_MS = 180_000;
/** Withdrawals that nodes are asked about in one step, and the time until they are asked again about one that waits. */
const MOST_ASKED = 32;
const ASK_AGAIN_MS = 30_000;
const PAGE_SIZE = 100;
const ACTOR = "signer";
const TOKEN_CODES = Object.keys(TOKENS) as TokenCode[];
/** An address that nobody has a key of. */
const BURNED = /^0x0{40}$|^0x0{36}dead$/;

export interface PayerDeps {
  readonly db: Db;
  readonly adapter: NetworkAdapter;
  readonly sending: EvmSending;
  readonly account: PrivateKeyAccount;
  readonly journal: Journal;
  readonly policy: () => Policy;
  readonly log: Logger;
  readonly now: () => Date;
}

/** The next step of one network of the signer. */
export interface Payer {
  /** Broadcasts what is signed and not in a block, then signs what may be paid. Throws NodeError when no node answers. */
  step(): Promise<void>;
  /** Why each withdrawal waits, by its reference. */
  readonly held: ReadonlyMap<string, HoldReason>;
}

/** Pays the withdrawals of an EVM network from the hot account, one transaction each. */
export function openEvmPayer(deps: PayerDeps): Payer {
  const held = new Map<string, HoldReason>();
  const takeTurns = openTurns(deps.now);
  const sender = deps.account.address.toLowerCase();
  /** Transactions of the account in blocks, as last asked. */
  let mined = 0;
  const hold = (refid: string, reason: HoldReason) => {
    if (held.get(refid) !== reason) deps.log.warn({ refid, reason }, "withdrawal not paid");
    held.set(refid, reason);
  };
  return {
    held,
    async step() {
      const own = ownEntries(deps, sender);
      const [first] = await listPayable(deps.db, deps.adapter, { after: 0, limit: 1 });
      if (first === undefined) held.clear();
      if (first === undefined && isQuiet(own, mined, deps.now())) return;
      mined = await deps.sending.fetchMinedNonce(sender);
      for (const [, entry] of newestByNonce(own, mined)) await sendAgain(deps, entry);
      await payEach(deps, { sender, mined, mayAsk: takeTurns() }, hold, held);
    },
  };
}

/** Gives each withdrawal its turn to ask nodes, whatever waits before it. Returns what each step calls for its own turns. */
function openTurns(now: () => Date): () => (refid: string) => boolean {
  let askedAt = new Map<string, number>();
  return () => {
    const at = now().getTime();
    askedAt = new Map([...askedAt].filter(([, before]) => at - before < ASK_AGAIN_MS));
    let left = MOST_ASKED;
    return (refid) => {
      if (left === 0 || askedAt.has(refid)) return false;
      left -= 1;
      askedAt.set(refid, at);
      return true;
    };
  };
}

/** A reorganization can drop what is in a block. After this time nothing is asked about it. */
const WATCHED_MS = 3_600_000;

/** Whether no transaction waits for a block or is so new that its block can be dropped: then no node is asked. */
const isQuiet = (own: readonly JournalEntry[], mined: number, now: Date): boolean =>
  own.every(({ nonce, at }) => nonce < mined && now.getTime() - at.getTime() > WATCHED_MS);

const ownEntries = ({ journal, adapter }: PayerDeps, sender: string) =>
  journal.entries.filter(
    (one) => one.env === adapter.env && one.network === adapter.network && one.sender === sender,
  );

/** The newest transaction of each nonce that no block has, in the order of the nonces. */
function newestByNonce(entries: readonly JournalEntry[], mined: number): [number, JournalEntry][] {
  const waiting = entries.filter(({ nonce }) => nonce >= mined);
  return [...new Map(waiting.map((entry) => [entry.nonce, entry]))].sort(([one], [other]) => one - other);
}

/**
 * Broadcasts a signed transaction once more, byte for byte. One that the database does not know is stored first. If its withdrawal was
 * cancelled after it was signed, it was never broadcast: its nonce is used for nothing instead, so that later ones can follow.
 */
async function sendAgain(deps: PayerDeps, entry: JournalEntry): Promise<void> {
  const { db, log } = deps;
  const { env, refid, hash } = entry;
  if (entry.kind === "cancel") return broadcast(deps, entry);
  const row = await findWithdrawalByRefid(db, { env, refid, merchantId: null });
  const isStored = row === null || row.transactions.some((one) => one.hash === hash);
  if (isStored) return broadcast(deps, (await raiseFee(deps, row, entry)) ?? entry);
  if (await store(deps, row, entry)) return broadcast(deps, entry);
  const now = await findWithdrawalByRefid(db, { env, refid, merchantId: null });
  if (now === null || now.status === 0 || now.transactions.some((one) => one.hash === hash)) return;
  log.error(
    { refid, txHash: hash },
    "a withdrawal was ended after its payment was signed: the payment is cancelled",
  );
  await broadcast(deps, await cancel(deps, entry));
}

/** Stores a journaled payment, or a replacement, with its withdrawal: it was signed before the database could store it. */
async function store(
  { db, now }: PayerDeps,
  { id, status }: WithdrawalRow,
  entry: JournalEntry,
): Promise<boolean> {
  if (status === 1) return replacePayment(db, { id, actor: ACTOR }, toPayment(entry), now());
  const sign = async (row: WithdrawalRow) => (isSame(entry, toPayout(row)) ? toPayment(entry) : null);
  return payWithdrawal(db, { id, actor: ACTOR }, sign, now());
}

/**
 * Signs a payment again with a higher fee and the same nonce, if it waits for long and the network now asks for more than it offers.
 * Only one of the two can be in a block. null: it stays as it is.
 */
async function raiseFee(
  deps: PayerDeps,
  row: WithdrawalRow | null,
  entry: JournalEntry,
): Promise<JournalEntry | null> {
  const { account, sending, policy, journal, now, db, log } = deps;
  if (row?.status !== 1 || now().getTime() - entry.at.getTime() < STUCK_MS) return null;
  const transfer = readTransfer(deps, entry, entry.sender);
  if (typeof transfer === "string") return null;
  const state = await sending.fetchState(transfer);
  // Without its signature, which would otherwise be signed, too.
  const {
    r: _r,
    s: _s,
    v: _v,
    yParity: _yParity,
    ...former
  } = parseTransaction(entry.raw as `0x02${string}`);
  const [maximum = 0n, tip = 0n] = [former.maxFeePerGas, former.maxPriorityFeePerGas];
  if (state.baseFeePerGas + state.priorityFeePerGas <= maximum) return null;
  const cap = policy().networks.get(policyName(entry))?.maxFeePerGas ?? 0n;
  const fees = chooseFees(state, cap);
  // Nodes accept a replacement that pays an eighth more of both.
  const least = { maxFeePerGas: (maximum * 9n) / 8n + 1n, maxPriorityFeePerGas: (tip * 9n) / 8n + 1n };
  if (fees === null || least.maxFeePerGas > cap || least.maxPriorityFeePerGas > cap) return null;
  const higher = (one: bigint, other: bigint) => (one > other ? one : other);
  const raw = await account.signTransaction({
    ...former,
    maxFeePerGas: higher(fees.maxFeePerGas, least.maxFeePerGas),
    maxPriorityFeePerGas: higher(fees.maxPriorityFeePerGas, least.maxPriorityFeePerGas),
  } as Parameters<typeof account.signTransaction>[0]);
  const signed: JournalEntry = { ...entry, at: now(), raw, hash: keccak256(raw) };
  journal.append(signed);
  if (!(await replacePayment(db, { id: row.id, actor: ACTOR }, toPayment(signed), now()))) return null;
  log.info({ refid: entry.refid, txHash: signed.hash }, "the fee of a payment was raised");
  return signed;
}

/** A transaction that moves nothing and uses the nonce of another, with twice its fee, so that nodes replace it. */
async function cancel(deps: PayerDeps, entry: JournalEntry): Promise<JournalEntry> {
  const { account, sending, journal, now, policy } = deps;
  const transfer = { from: entry.sender, to: entry.sender, value: 0n, contract: null };
  const state = await sending.fetchState(transfer);
  const cap = policy().networks.get(policyName(entry))?.maxFeePerGas ?? 0n;
  const price = (state.baseFeePerGas + state.priorityFeePerGas) * 2n;
  const fee = price < cap ? price : cap;
  const raw = await account.signTransaction({
    chainId: sending.chainId,
    nonce: entry.nonce,
    to: account.address,
    value: 0n,
    gas: 21_000n,
    maxFeePerGas: fee,
    maxPriorityFeePerGas: fee,
  });
  const signed: JournalEntry = { ...entry, kind: "cancel", at: now(), raw, hash: keccak256(raw) };
  journal.append(signed);
  return signed;
}

/** A node that refuses it now is asked again at the next step. */
async function broadcast({ sending, log }: PayerDeps, { raw, hash, refid }: JournalEntry): Promise<void> {
  try {
    await sending.broadcast(raw);
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    log.warn({ refid, txHash: hash, err: error }, "transaction not broadcast");
  }
}

async function payEach(
  deps: PayerDeps,
  { sender, mined, mayAsk }: Pick<Situation, "sender" | "mined" | "mayAsk">,
  hold: (refid: string, reason: HoldReason) => void,
  held: Map<string, HoldReason>,
): Promise<void> {
  const { db, adapter, log } = deps;
  const pending = new Set<string>();
  for (let after = 0; ; ) {
    const page = await listPayable(db, adapter, { after, limit: PAGE_SIZE });
    const signatures = await listPayoutSignatures(
      db,
      page.map(({ id }) => id),
    );
    for (const row of page) {
      pending.add(row.refid);
      const own = ownEntries(deps, sender);
      const waiting = newestByNonce(own, mined).map(([, entry]) => entry);
      if (waiting.length >= MOST_WAITING) return;
      const given = signatures.filter(({ withdrawalId }) => withdrawalId === row.id);
      const reason = await pay(deps, row, { sender, mined, own, waiting, signatures: given, mayAsk });
      if (reason === "later") continue;
      if (reason !== null) hold(row.refid, reason);
      else {
        held.delete(row.refid);
        log.info({ refid: row.refid }, "withdrawal paid");
      }
    }
    if (page.length < PAGE_SIZE) break;
    after = page.at(-1)?.id ?? after;
  }
  for (const refid of held.keys()) if (!pending.has(refid)) held.delete(refid);
}

interface Situation {
  readonly sender: string;
  readonly mined: number;
  /** The journal's entries of this network and account. */
  readonly own: readonly JournalEntry[];
  /** Those that no block has. */
  readonly waiting: readonly JournalEntry[];
  readonly signatures: readonly { readonly approver: string; readonly signature: string }[];
  /** Whether nodes may be asked about a withdrawal in this step. */
  readonly mayAsk: (refid: string) => boolean;
}

/** Pays one withdrawal. Returns why it waits; null: it is paid. later: it is not its turn. */
async function pay(
  deps: PayerDeps,
  row: WithdrawalRow,
  situation: Situation,
): Promise<HoldReason | "later" | null> {
  const { db, sending, account, journal, policy, now } = deps;
  const payout = toPayout(row);
  // What was signed once is never signed a second time, also when the database has forgotten it.
  const signedBefore = findSigned(journal, row);
  if (signedBefore !== undefined) {
    const isStored = signedBefore.kind === "payout" && (await store(deps, row, signedBefore));
    return isStored ? null : "signed_otherwise";
  }
  // Before a node is asked, so that no number of withdrawals that wait costs the others their calls.
  const refused = findPolicyRefusal(deps, row, situation, now());
  if (refused !== null) return refused;
  if (!situation.mayAsk(row.refid)) return "later";
  const transfer = readTransfer(deps, payout, situation.sender);
  if (typeof transfer === "string") return transfer;
  const state = await sending.fetchState(transfer);
  const earliest = new Date(Math.min(now().getTime(), state.headTime.getTime()));
  const refusal = findPolicyRefusal(deps, row, situation, earliest);
  if (refusal !== null) return refusal;
  const needed = transfer.value + sumWaiting(situation.waiting, transfer.contract, deps);
  if (needed > state.tokenBalance) return "hot_balance_too_low";
  const cap = policy().networks.get(policyName(payout))?.maxFeePerGas ?? 0n;
  const fees = chooseFees(state, cap);
  if (fees === null) return "network_fee_too_high";
  if (state.gas === null) return "would_fail";
  const costs = state.gas * fees.maxFeePerGas + (transfer.contract === null ? transfer.value : 0n);
  if (costs + sumWaiting(situation.waiting, null, deps) > state.coinBalance) return "hot_balance_too_low";
  const { own, mined, sender } = situation;
  const nonce = Math.max(mined, ...own.map((one) => one.nonce + 1));
  const unsigned = { ...encodeTransfer(transfer), ...fees, gas: state.gas, nonce, chainId: sending.chainId };
  let signed: JournalEntry | null = null;
  const sign = async (locked: WithdrawalRow) => {
    if (!isSame(payout, toPayout(locked))) return null;
    const raw = await account.signTransaction(unsigned as Parameters<typeof account.signTransaction>[0]);
    failpoint("payout-signed");
    signed = { ...payout, at: now(), kind: "payout", sender, nonce, hash: keccak256(raw), raw };
    journal.append(signed);
    failpoint("payout-journaled");
    return toPayment(signed);
  };
  if (!(await payWithdrawal(db, { id: row.id, actor: ACTOR }, sign, now())) || signed === null)
    return "changed";
  failpoint("payout-committed");
  await broadcast(deps, signed);
  failpoint("payout-broadcast");
  return null;
}

/** What the transaction must move. A text: why it may not. */
function readTransfer({ sending, account }: PayerDeps, payout: Payout, from: string) {
  const { token, amount, to } = payout;
  const listed = sending.findToken(token);
  if (listed === null) return "not_in_policy";
  const isContract = TOKEN_CODES.some((one) => sending.findToken(one)?.contract === to);
  if (BURNED.test(to) || to === account.address.toLowerCase() || isContract) return "destination_unsafe";
  const value = rescale(amount, TOKENS[token].ledgerDecimals, listed.decimals);
  const isExact = rescale(value, listed.decimals, TOKENS[token].ledgerDecimals) === amount;
  return isExact ? { from, to, value, contract: listed.contract } : "amount_not_exact";
}

/** Why the policy lets a withdrawal wait, at this time; null: it does not. */
function findPolicyRefusal(
  { policy }: PayerDeps,
  row: WithdrawalRow,
  { own, signatures }: Situation,
  now: Date,
): HoldReason | null {
  const payout = toPayout(row);
  const approvers = listApprovers(policy(), payout, signatures);
  return policyRefusal(policy(), payout, { signed: own, approvers, now });
}

/** The newest transaction that was signed for a withdrawal. */
const findSigned = ({ entries }: Journal, { env, refid }: WithdrawalRow): JournalEntry | undefined =>
  entries.findLast((one) => one.env === env && one.refid === refid);

const toChain = ({ token, amount }: Payout, { sending }: PayerDeps): bigint =>
  rescale(amount, TOKENS[token].ledgerDecimals, sending.findToken(token)?.decimals ?? 0);

/** What waiting payouts move of a contract's token, in its unit on the chain. null: of the coin. */
function sumWaiting(waiting: readonly JournalEntry[], contract: string | null, deps: PayerDeps): bigint {
  return waiting
    .filter(({ kind, token }) => kind === "payout" && deps.sending.findToken(token)?.contract === contract)
    .reduce((sum, entry) => sum + toChain(entry, deps), 0n);
}

/** EIP-1559 fees that survive a doubling of the base fee, at most the cap. null: the network asks for more than the cap now. */
function chooseFees({ baseFeePerGas, priorityFeePerGas }: EvmSendState, cap: bigint) {
  if (baseFeePerGas + priorityFeePerGas > cap) return null;
  const wanted = baseFeePerGas * 2n + priorityFeePerGas;
  return { maxFeePerGas: wanted < cap ? wanted : cap, maxPriorityFeePerGas: priorityFeePerGas };
}

/** Whether two payouts move the same for the same withdrawal. */
const isSame = (one: Payout, other: Payout): boolean =>
  one.refid === other.refid &&
  one.env === other.env &&
  one.network === other.network &&
  one.token === other.token &&
  one.amount === other.amount &&
  one.to === other.to;

const toPayment = ({ hash, raw, sender, nonce }: JournalEntry) => ({
  hash,
  raw,
  spends: [`${sender}:${nonce}`],
});
