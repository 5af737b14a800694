import { mnemonicToSeedSync } from "@scure/bip39";
import type { Instruction } from "@solana/kit";
import { NodeError } from "#lib/chains/network.ts";
import { isKeyPairAddress } from "#lib/chains/solana/address.ts";
import { readTokenAmount } from "#lib/chains/solana/sending.ts";
import { rescale } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { ChainSigner, Draft, MoveDraft, Observed, Prepared, Situation } from "../chain-signer.ts";
import { openCold } from "../cold.ts";
import type { ChainSignerDeps } from "../families.ts";
import type { HoldReason, JournalEntry, Payout } from "../types.ts";
import { createTokenAccount, tokenAccountOf, transferSol, transferTokens } from "./build-transaction.ts";
import { deriveHotKey } from "./hot-key.ts";
import { chooseFee, type Hot, signDistinct } from "./plan-transaction.ts";
import { openSolanaSweeper } from "./sweep.ts";
import { findHold, type SolanaTransfer } from "./transfer-rules.ts";

/** Each is sent again at every step until a block has it. */
const MOST_WAITING = 16;
/** Times that the price of a compute unit rises after transactions that no block took. */
const MOST_PRESSURE = 64n;

type Transfer = Pick<Payout, "token" | "amount" | "to">;

/** Pays from the hot account, one transaction for each withdrawal, and sweeps deposit addresses to it. */
export function openSolanaSigner({ adapter, mnemonic, policy, ...deps }: ChainSignerDeps): ChainSigner {
  const { sending } = adapter;
  if (sending?.kind !== "solana") throw new Error(`${adapter.network} is not Solana`);
  const key = deriveHotKey(mnemonic, adapter);
  const maxFee = () => policy()?.maxFee ?? 0n;
  const hot: Hot = { adapter, sending, key, maxFee, pressure: 1n, finalHeight: 0 };
  const sweep = openSolanaSweeper(hot, { ...deps, policy, seed: mnemonicToSeedSync(mnemonic) });
  const moveToCold = openCold({
    ...deps,
    policy,
    vault: key.address,
    fetchBalances: sending.fetchBalances,
    decimalsOf: (token) => sending.findToken(token)?.decimals ?? null,
    build: (transfer, situation) => prepareCold(hot, transfer, situation),
  });
  return {
    account: key.address,
    mostPayouts: 1,
    mostWaiting: MOST_WAITING,
    checkPayout(payout) {
      const transfer = readTransfer(hot, payout);
      return typeof transfer === "string" ? transfer : null;
    },
    observe: (own) => observe(hot, own),
    prepare: (payouts, situation) => prepare(hot, payouts, situation),
    prepareMove: async (situation) => (await sweep(situation)) ?? moveToCold(situation),
    async broadcast({ raw, expires }) {
      // Every node would refuse its blockhash.
      if (expires === null || expires >= hot.finalHeight) await sending.broadcast(raw);
    },
  };
}

/** What the transaction must move. A text: why it may not. */
function readTransfer({ sending, key }: Hot, { token, amount, to }: Transfer): SolanaTransfer | HoldReason {
  const listed = sending.findToken(token);
  if (listed === null) return "not_in_policy";
  const isMint = (Object.keys(TOKENS) as TokenCode[]).some((one) => sending.findToken(one)?.mint === to);
  // Token accounts and accounts of programs: no key can sign for them, and a token account would get one of its own.
  if (!isKeyPairAddress(to) || isMint || to === key.address) return "destination_unsafe";
  const value = amount / 10n ** BigInt(TOKENS[token].ledgerDecimals - listed.decimals);
  const isExact = rescale(value, listed.decimals, TOKENS[token].ledgerDecimals) === amount;
  return isExact ? { ...listed, to, value } : "amount_not_exact";
}

/** A transaction is decided when its block is final, or when it is proven that none has it and its blockhash is too old. */
async function observe(hot: Hot, own: readonly JournalEntry[]): Promise<Observed> {
  const { adapter, sending } = hot;
  const { time } = await adapter.fetchHead();
  if (!time) throw new NodeError("malformed", "the node sent no time of its newest block");
  const { finalHeight, statuses } = await sending.fetchStatuses(own.map(({ hash }) => hash));
  hot.finalHeight = finalHeight;
  const settled: Observed["settled"][number][] = [];
  const waiting: JournalEntry[] = [];
  for (const [at, entry] of own.entries()) {
    const expires = entry.expires ?? Number.POSITIVE_INFINITY;
    const status = statuses[at];
    const isDecided = status === "final" || (status === "absent" && expires < finalHeight);
    const fate =
      isDecided && status !== "final" ? await sending.fetchFate(entry.hash, expires) : (status ?? "absent");
    if (fate === "final" || fate === "dead") settled.push({ entry, outcome: fate });
    else if (fate !== "in_block") waiting.push(entry);
  }
  adaptPressure(hot, settled);
  return { settled, waiting, headTime: time };
}

/** Nodes do not say which price gets a transaction into a block. What no block took is tried again for more. */
function adaptPressure(hot: Hot, settled: Observed["settled"]): void {
  if (settled.some(({ outcome }) => outcome === "final")) hot.pressure = 1n;
  else if (settled.length > 0 && hot.pressure < MOST_PRESSURE) hot.pressure *= 4n;
}

async function prepare(hot: Hot, [payout]: readonly Payout[], situation: Situation): Promise<Prepared> {
  if (payout === undefined) return { draft: null, held: new Map() };
  const built = await buildTransfer(hot, payout, situation);
  if (typeof built === "string") return { draft: null, held: new Map([[payout.refid, built]]) };
  return { draft: { payouts: [payout], ...built }, held: new Map() };
}

async function prepareCold(
  hot: Hot,
  { token, amount, to }: Transfer,
  situation: Situation,
): Promise<MoveDraft | HoldReason> {
  const built = await buildTransfer(hot, { token, amount, to }, situation);
  if (typeof built === "string") return built;
  return { kind: "cold", moves: [{ token, amount, from: hot.key.address, to }], ...built };
}

/** A transfer from the hot account. A text: why it cannot be made now. */
async function buildTransfer(
  hot: Hot,
  wanted: Transfer,
  { own, waiting }: Situation,
): Promise<Omit<Draft, "payouts"> | HoldReason> {
  const transfer = readTransfer(hot, wanted);
  if (typeof transfer === "string") return transfer;
  const { key, sending } = hot;
  const { mint, to } = transfer;
  const tokenAccounts =
    mint === null ? [] : await Promise.all([key.address, to].map((owner) => tokenAccountOf(owner, mint)));
  const state = await sending.fetchState([key.address, to, ...tokenAccounts]);
  const [payer = null, destination = null, source = null, target = null] = state.accounts;
  const lamports = payer?.lamports ?? 0n;
  const refusal = findHold(transfer, {
    destination,
    rent: state.rent,
    held: mint === null ? lamports : source === null ? 0n : readTokenAmount(source),
    reserved: sumWaiting(hot, waiting, mint),
  });
  if (refusal !== null) return refusal;
  const rent = mint !== null && target === null ? state.rent.tokenAccount : 0n;
  const instructions = instructionsOf(hot, transfer, tokenAccounts);
  const fee = await chooseFee(hot, { instructions, state, rent, signatures: 1, maxFee: hot.maxFee() });
  if (typeof fee === "string") return fee;
  const needed = fee.cost + (mint === null ? transfer.value : 0n);
  if (lamports - sumWaiting(hot, waiting, null) - needed < state.rent.empty) return "hot_balance_too_low";
  const sign = async () => signDistinct(fee.plan, [key], own);
  return { spends: [], expires: state.lastValidBlockHeight, sign };
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

/** What waiting transactions will use: of a mint in its unit, or of SOL with the highest fee for each. */
function sumWaiting(
  { sending, key, maxFee }: Hot,
  waiting: readonly JournalEntry[],
  mint: string | null,
): bigint {
  return waiting
    .flatMap(({ payouts, moves }) => [...payouts, ...moves.filter(({ from }) => from === key.address)])
    .filter(({ token }) => sending.findToken(token)?.mint === mint)
    .reduce(
      (sum, { token, amount }) => {
        const decimals = sending.findToken(token)?.decimals ?? 0;
        return sum + amount / 10n ** BigInt(TOKENS[token].ledgerDecimals - decimals);
      },
      mint === null ? maxFee() * BigInt(waiting.length) : 0n,
    );
}
