import { mnemonicToSeedSync } from "@scure/bip39";
import type { Instruction } from "@solana/kit";
import { NodeError } from "#lib/chains/node-error.ts";
import { isKeyPairAddress } from "#lib/chains/solana/address.ts";
import { isSolanaSending, readTokenAmount } from "#lib/chains/solana/sending.ts";
import { toChainUnits, toLedgerUnits } from "#lib/chains/units.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { ChainSigner, ChainSignerDeps, Draft, Observed, Situation } from "../chain-signer.ts";
import { fetchBoundHead } from "../node-bounds.ts";
import { payFromAccount, sumWaiting } from "../pay-from-account.ts";
import type { HoldReason, JournalEntry, Transfer } from "../types.ts";
import {
  createTokenAccount,
  feePayerOf,
  tokenAccountOf,
  transferSol,
  transferTokens,
} from "./build-transaction.ts";
import { deriveHotKey } from "./hot-key.ts";
import { chooseFee, fetchState, type Hot, isFarAhead, rangeOf, signDistinct } from "./plan-transaction.ts";
import { openSolanaSweeper } from "./sweep.ts";
import { findHold, type SolanaTransfer } from "./transfer-rules.ts";

/** Each is sent again at every step until a block has it. */
const MOST_WAITING = 16;
const SOL = { token: "sol", decimals: 9 } as const;
/** Times that the price of a compute unit rises after transactions that no block took. */
const MOST_PRESSURE = 64n;
const FAR_AHEAD =
  "a transaction waits: its last block is far ahead of the chain. The nodes are behind, or one erred when it was signed";
/** After this time a transaction whose last block is far ahead is not sent again, and others no longer wait for it. */
const LEFT_ALONE_MS = 3_600_000;

/** Pays from the hot account, one transaction for each withdrawal, and sweeps deposit addresses to it. */
export function openSolanaSigner(deps: ChainSignerDeps): ChainSigner {
  const { adapter, mnemonic, policy } = deps;
  const { sending } = adapter;
  if (!isSolanaSending(sending)) throw new Error(`${adapter.network} is not Solana`);
  const key = deriveHotKey(mnemonic, adapter);
  const maxFee = () => policy()?.maxFee ?? 0n;
  const hot: Hot = { adapter, sending, key, maxFee, pressure: 1n, finalHeight: 0 };
  const warned = new Set<string>();
  const warnFarAhead = ({ hash }: JournalEntry) => {
    if (!warned.has(hash)) deps.log.error({ txHash: hash }, FAR_AHEAD);
    warned.add(hash);
  };
  return {
    ...payFromAccount(deps, {
      account: key.address,
      sending,
      read: (transfer) => readTransfer(hot, transfer),
      build: (transfer, situation) => buildTransfer(hot, transfer, situation),
      sweep: openSolanaSweeper(hot, { ...deps, seed: mnemonicToSeedSync(mnemonic) }),
    }),
    mostWaiting: MOST_WAITING,
    mostFailed: 1,
    isSigner: ({ raw }) => feePayerOf(raw) === key.address,
    observe: (own) => observe(hot, own, { warnFarAhead, now: deps.now }),
    async broadcast({ raw, expires }) {
      // Every node would refuse its blockhash.
      if (expires === null || expires >= hot.finalHeight) await sending.broadcast(raw);
    },
  };
}

/** Reads the transfer that the transaction must make. A text: why it may not. */
function readTransfer({ sending, key }: Hot, { token, amount, to }: Transfer): SolanaTransfer | HoldReason {
  const listed = sending.findToken(token);
  if (listed === null) return "not_in_policy";
  const isMint = (Object.keys(TOKENS) as TokenCode[]).some((one) => sending.findToken(one)?.mint === to);
  // Token accounts and accounts of programs: no key can sign for them, and a token account would get one of its own.
  if (!isKeyPairAddress(to) || isMint || to === key.address) return "destination_unsafe";
  const unit = { token, decimals: listed.decimals };
  const value = toChainUnits(amount, unit);
  const isExact = toLedgerUnits(value, unit) === amount;
  return isExact ? { ...unit, mint: listed.mint, to, value } : "amount_not_exact";
}

/** A transaction is decided when its block is final, or when it is proven that none has it and its blockhash is too old. */
async function observe(
  hot: Hot,
  own: readonly JournalEntry[],
  { warnFarAhead, now }: { readonly warnFarAhead: (entry: JournalEntry) => void; readonly now: () => Date },
): Promise<Observed> {
  const { adapter, sending } = hot;
  const { time } = await fetchBoundHead(adapter, now());
  if (!time) throw new NodeError("malformed", "the node sent no time of its newest block");
  const { finalHeight, statuses } = await sending.fetchStatuses(own.map(({ hash }) => hash));
  hot.finalHeight = finalHeight;
  // No node takes its blockhash any more. Nothing proves that no block has it, so its withdrawal waits for a person.
  const isLeftAlone = (entry: JournalEntry) =>
    isFarAhead(entry, finalHeight) && now().getTime() - entry.at.getTime() > LEFT_ALONE_MS;
  const settled: Observed["settled"][number][] = [];
  const waiting: JournalEntry[] = [];
  for (const [at, entry] of own.entries()) {
    const status = statuses[at];
    const range = rangeOf(entry);
    const isDecided = status === "final" || (status === "absent" && range.lastValid < finalHeight);
    const fate =
      isDecided && status !== "final" ? await sending.fetchFate(entry.hash, range) : (status ?? "absent");
    if (fate === "final" || fate === "dead") settled.push({ entry, outcome: fate });
    else if (fate !== "in_block" && !isLeftAlone(entry)) waiting.push(entry);
    if (fate === "absent" && isFarAhead(entry, finalHeight)) warnFarAhead(entry);
  }
  adaptPressure(hot, settled);
  return { settled, waiting, headTime: time };
}

/** Nodes do not say which price gets a transaction into a block. A transaction that no block took is tried again for more. */
function adaptPressure(hot: Hot, settled: Observed["settled"]): void {
  if (settled.some(({ outcome }) => outcome === "final")) hot.pressure = 1n;
  else if (settled.length > 0 && hot.pressure < MOST_PRESSURE) hot.pressure *= 4n;
}

/** A transfer from the hot account. A text: why it cannot be made now. */
async function buildTransfer(
  hot: Hot,
  transfer: SolanaTransfer,
  { own, waiting }: Situation,
): Promise<Omit<Draft, "payouts"> | HoldReason> {
  const { key } = hot;
  const { mint, to } = transfer;
  const tokenAccounts =
    mint === null ? [] : await Promise.all([key.address, to].map((owner) => tokenAccountOf(owner, mint)));
  const state = await fetchState(hot, [key.address, to, ...tokenAccounts]);
  const [payer = null, destination = null, source = null, target = null] = state.accounts;
  const lamports = payer?.lamports ?? 0n;
  const coinsWaiting = sumWaiting(waiting, key.address, SOL) + hot.maxFee() * BigInt(waiting.length);
  const refusal = findHold(transfer, {
    destination,
    rent: state.rent,
    held: mint === null ? lamports : source === null ? 0n : readTokenAmount(source),
    reserved: mint === null ? coinsWaiting : sumWaiting(waiting, key.address, transfer),
  });
  if (refusal !== null) return refusal;
  const rent = mint !== null && target === null ? state.rent.tokenAccount : 0n;
  const instructions = instructionsOf(hot, transfer, tokenAccounts);
  const fee = await chooseFee(hot, { instructions, state, rent, signatures: 1, maxFee: hot.maxFee() });
  if (typeof fee === "string") return fee;
  const needed = fee.cost + (mint === null ? transfer.value : 0n);
  if (lamports - coinsWaiting - needed < state.rent.empty) return "hot_balance_too_low";
  const sign = async () => signDistinct(fee.plan, [key], own);
  return {
    spends: [],
    expires: state.expires,
    cost: { fee: fee.cost, most: hot.maxFee() },
    sign,
  };
}

function instructionsOf(
  { key }: Hot,
  { mint, decimals, to, value }: SolanaTransfer,
  [source = "", destination = ""]: readonly string[],
): readonly Instruction[] {
  if (mint === null) return [transferSol(key.address, to, value)];
  return [
    createTokenAccount(key.address, { owner: to, account: destination, mint }),
    transferTokens({ mint, decimals }, { owner: key.address, account: source }, destination, value),
  ];
}
