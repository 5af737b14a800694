import { bytesToHex } from "@noble/hashes/utils.js";
import type { Logger } from "pino";
import { keccak256, type PrivateKeyAccount, parseTransaction } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type EvmSending, encodeTransfer } from "#lib/chains/evm/sending.ts";
import { getFinalHeight } from "#lib/chains/finality-rules.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { toChainUnits, toLedgerUnits } from "#lib/chains/units.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { deriveChildKey, openAccountKey } from "../account-key.ts";
import type { ChainSigner, Draft, MoveDraft, Observed, Prepared, Situation } from "../chain-signer.ts";
import { openCold } from "../cold.ts";
import type { ChainSignerDeps } from "../families.ts";
import type { HoldReason, JournalEntry, Payout } from "../types.ts";
import { chooseFees, nonceOf, raiseFees } from "./fee-rules.ts";
import { openSweeper } from "./sweep.ts";
import { sweeperAddress } from "./sweeper/sweeper.ts";

/** Nodes drop more transactions of one account that wait for a block. */
const MOST_WAITING = 16;
const TOKEN_CODES = Object.keys(TOKENS) as TokenCode[];
const NONCE_LOST =
  "a final block used this nonce, but the node does not find our transaction: the node lacks it, or the key is used elsewhere";
/** An address that nobody has a key of. */
const BURNED = /^0x0{40}$|^0x0{36}dead$/;
type Unsigned = Parameters<PrivateKeyAccount["signTransaction"]>[0];

interface Hot {
  readonly adapter: NetworkAdapter;
  readonly sending: EvmSending;
  readonly account: PrivateKeyAccount;
  /** Its address, canonical. */
  readonly sender: string;
  readonly maxFee: () => bigint;
  readonly log: Logger;
  /** The lowest nonce that no block has used, as last observed. */
  mined: number;
}

/** Pays from the hot account, one transaction for each withdrawal. Throws a KeyError if the words are not those of the network. */
export function openEvmSigner({ adapter, mnemonic, policy, ...deps }: ChainSignerDeps): ChainSigner {
  const { sending } = adapter;
  if (sending?.kind !== "evm") throw new Error(`${adapter.network} is not an EVM network`);
  const key = openAccountKey(mnemonic, adapter);
  const openAccount = (branch: 0 | 1, index: number) =>
    privateKeyToAccount(`0x${bytesToHex(deriveChildKey(key, branch, index))}`);
  const account = openAccount(1, 0);
  const maxFee = () => policy()?.maxFee ?? 0n;
  const sender = account.address.toLowerCase();
  const hot: Hot = { adapter, sending, account, sender, maxFee, log: deps.log, mined: 0 };
  const vault = { vault: sender, contract: sweeperAddress(sender) };
  const openDeposit = (index: number) => openAccount(0, index);
  const sweep = openSweeper({ ...deps, ...vault, adapter, sending, account, policy, openDeposit });
  const moveToCold = openCold({
    ...deps,
    policy,
    vault: sender,
    fetchBalances: sending.fetchBalances,
    decimalsOf: (token) => sending.findToken(token)?.decimals ?? null,
    build: (transfer, situation) => prepareCold(hot, transfer, situation),
  });
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
    prepareReplacement: (entry, purpose) => (purpose === "raise" ? raise(hot, entry) : cancel(hot, entry)),
    prepareMove: async (situation) => (await sweep(situation)) ?? moveToCold(situation),
    broadcast: ({ raw }) => sending.broadcast(raw),
  };
}

/**
 * Asks about transactions whose nonce a final block has used. Only an own transaction that is found in a final block proves the others
 * with its nonce dead. A node that finds none may lack what it should have: then they stay undecided, and nothing is signed again.
 */
async function observe(hot: Hot, own: readonly JournalEntry[]): Promise<Observed> {
  const { adapter, sending, sender, log } = hot;
  const head = await adapter.fetchHead();
  const finalHeight = getFinalHeight(adapter.data.finality, head);
  const { mined, upTo } = await sending.fetchNonces(sender, finalHeight);
  hot.mined = mined;
  const settled: Observed["settled"][number][] = [];
  const used = own.filter((one) => nonceOf(one) < upTo);
  for (const [nonce, entries] of Map.groupBy(used, nonceOf)) {
    const final = await findFinal(adapter, entries, finalHeight);
    if (final === null) log.error({ nonce, txHashes: entries.map(({ hash }) => hash) }, NONCE_LOST);
    else
      settled.push(
        ...entries.map((entry) => ({ entry, outcome: entry === final ? "final" : "dead" }) as const),
      );
  }
  const newest = new Map(own.filter((one) => nonceOf(one) >= mined).map((entry) => [nonceOf(entry), entry]));
  const waiting = [...newest.values()].sort((one, other) => nonceOf(one) - nonceOf(other));
  return { settled, waiting, headTime: head.time ?? new Date() };
}

/** Returns the entry that is in a final block. Null if the node finds none of them there. The newest is the likeliest. */
async function findFinal(
  adapter: NetworkAdapter,
  entries: readonly JournalEntry[],
  finalHeight: number,
): Promise<JournalEntry | null> {
  for (const entry of entries.toReversed()) {
    const block = (await adapter.fetchPayments?.(entry.hash))?.block ?? null;
    if (block !== null && block.height <= finalHeight) return entry;
  }
  return null;
}

async function prepare(hot: Hot, payouts: readonly Payout[], situation: Situation): Promise<Prepared> {
  const [payout] = payouts;
  if (payout === undefined) return { draft: null, held: new Map() };
  const built = await buildTransfer(hot, payout, situation);
  if (typeof built === "string") return { draft: null, held: new Map([[payout.refid, built]]) };
  return { draft: draftOf(hot, built.nonce, [payout], built.unsigned), held: new Map() };
}

/** A transfer from the hot account. A text: why it cannot be made now. */
async function buildTransfer(
  hot: Hot,
  payout: Pick<Payout, "token" | "amount" | "to">,
  { own, waiting }: Situation,
): Promise<{ readonly nonce: number; readonly unsigned: Unsigned } | HoldReason> {
  const { sending } = hot;
  const transfer = readTransfer(hot, payout);
  if (typeof transfer === "string") return transfer;
  const state = await sending.fetchState(transfer);
  const needed = transfer.value + sumWaiting(waiting, transfer.contract, hot);
  if (needed > state.tokenBalance) return "hot_balance_too_low";
  const fees = chooseFees(state, hot.maxFee());
  if (fees === null) return "network_fee_too_high";
  if (state.gas === null) return "would_fail";
  const costs = state.gas * fees.maxFeePerGas + (transfer.contract === null ? transfer.value : 0n);
  if (costs + sumWaiting(waiting, null, hot) > state.coinBalance) return "hot_balance_too_low";
  const nonce = nextNonce(hot, own);
  const unsigned = { ...encodeTransfer(transfer), ...fees, gas: state.gas, nonce, chainId: sending.chainId };
  return { nonce, unsigned: unsigned as Unsigned };
}

/** A transfer to the cold address. The hot account may have been quiet for long, so its nonce is asked. */
async function prepareCold(
  hot: Hot,
  { token, amount, to }: Pick<Payout, "token" | "amount" | "to">,
  situation: Situation,
): Promise<MoveDraft | HoldReason> {
  const [account] = await hot.sending.fetchAccounts([hot.sender]);
  hot.mined = account?.nonce ?? hot.mined;
  const built = await buildTransfer(hot, { token, amount, to }, situation);
  if (typeof built === "string") return built;
  const moves = [{ token, amount, from: hot.sender, to }];
  return { ...draftOf(hot, built.nonce, [], built.unsigned), kind: "cold", moves };
}

/** After every nonce that this signer has used, and every one that a block has. */
const nextNonce = ({ mined }: Hot, own: readonly JournalEntry[]): number =>
  own.reduce((next, entry) => Math.max(next, nonceOf(entry) + 1), mined);

/** The same with a higher fee and the same nonce. null: it offers what the network asks for. */
async function raise(hot: Hot, entry: JournalEntry): Promise<Draft | null> {
  // Without its signature, which would otherwise be signed, too.
  const {
    r: _r,
    s: _s,
    v: _v,
    yParity: _yParity,
    ...former
  } = parseTransaction(entry.raw as `0x02${string}`);
  const { to, value = 0n } = former;
  if (!to) return null;
  const state = await hot.sending.fetchState({ from: hot.sender, to, value, contract: null });
  const fees = raiseFees(former, state, hot.maxFee());
  if (fees === null) return null;
  return draftOf(hot, nonceOf(entry), entry.payouts, { ...former, ...fees } as Unsigned);
}

/** A transaction that moves nothing and uses the nonce of another, with twice its fee, so that nodes replace it. */
async function cancel(hot: Hot, entry: JournalEntry): Promise<Draft> {
  const { account, sending, sender } = hot;
  const state = await sending.fetchState({ from: sender, to: sender, value: 0n, contract: null });
  const price = (state.baseFeePerGas + state.priorityFeePerGas) * 2n;
  const cap = hot.maxFee();
  const fee = price < cap ? price : cap;
  const nonce = nonceOf(entry);
  return draftOf(hot, nonce, [], {
    nonce,
    chainId: sending.chainId,
    to: account.address,
    value: 0n,
    gas: 21_000n,
    maxFeePerGas: fee,
    maxPriorityFeePerGas: fee,
  });
}

function draftOf(
  { account, sender }: Hot,
  nonce: number,
  payouts: readonly Payout[],
  unsigned: Unsigned,
): Draft {
  return {
    payouts,
    spends: [`${sender}:${nonce}`],
    expires: null,
    async sign() {
      const raw = await account.signTransaction(unsigned);
      return { hash: keccak256(raw), raw };
    },
  };
}

/** What the transaction must move. A text: why it may not. */
function readTransfer(
  { sending, sender }: Hot,
  { token, amount, to }: Pick<Payout, "token" | "amount" | "to">,
) {
  const listed = sending.findToken(token);
  if (listed === null) return "not_in_policy";
  const isContract = TOKEN_CODES.some((one) => sending.findToken(one)?.contract === to);
  if (BURNED.test(to) || to === sender || isContract) return "destination_unsafe";
  const here = { token, decimals: listed.decimals };
  const value = toChainUnits(amount, here);
  const isExact = toLedgerUnits(value, here) === amount;
  return isExact ? { from: sender, to, value, contract: listed.contract } : "amount_not_exact";
}

/** What waiting transactions move away of a contract's token, in its unit on the chain. null: of the coin. */
function sumWaiting(
  waiting: readonly JournalEntry[],
  contract: string | null,
  { sending, sender }: Hot,
): bigint {
  return waiting
    .filter(({ kind }) => kind !== "cancel")
    .flatMap(({ payouts, moves }) => [...payouts, ...moves.filter(({ from }) => from === sender)])
    .filter(({ token }) => sending.findToken(token)?.contract === contract)
    .reduce((sum, { token, amount }) => {
      const { decimals = 0 } = sending.findToken(token) ?? {};
      return sum + toChainUnits(amount, { token, decimals });
    }, 0n);
}
