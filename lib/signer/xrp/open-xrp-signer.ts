import { bytesToHex } from "@noble/hashes/utils.js";
import type { HDKey } from "@scure/bip32";
import type { TransactionNetwork } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { decodeXAddress } from "#lib/chains/xrp/address.ts";
import type { XrpSending } from "#lib/chains/xrp/sending.ts";
import { isXrpSending } from "#lib/chains/xrp/sending.ts";
import { isUnsafeDestination } from "#lib/domain/withdrawals/create/is-unsafe-destination.ts";
import { openAccountKey } from "../account-key.ts";
import type { ChainSigner, ChainSignerDeps, Draft, Observed, Situation } from "../chain-signer.ts";
import { boundHeight, fetchBoundHead } from "../node-bounds.ts";
import { payFromAccount, sumWaiting } from "../pay-from-account.ts";
import type { HoldReason, JournalEntry, Transfer } from "../types.ts";
import {
  findHold,
  lastLedger,
  nextSequence,
  replacementFee,
  sequenceOf,
  spendOf,
  type XrpPayment,
} from "./payment-rules.ts";

/** A server queues ten of an account while the ledger is full (xrpl.org, Transaction Queue). The others are sent again later. */
const MOST_WAITING = 16;
const XRP = { token: "xrp", decimals: 6 } as const;
/** Ledgers that answers of servers are apart at most: ten minutes. */
const MOST_APART = 150;
/** Networks with a higher id are named in each transaction (xrpl.org, NetworkID). */
const LARGEST_UNNAMED = 1_024;

interface Hot {
  readonly adapter: TransactionNetwork;
  readonly sending: XrpSending;
  readonly key: HDKey;
  readonly account: string;
  readonly maxFee: () => bigint;
  readonly now: () => Date;
  /** The newest validated ledger, as last observed. */
  ledger: number;
}

/**
 * Pays from the one account, which also receives, one transaction for each withdrawal. Throws a KeyError if the words are not those of the
 * account.
 */
export function openXrpSigner(deps: ChainSignerDeps): ChainSigner {
  const { adapter, mnemonic, policy } = deps;
  const { sending } = adapter;
  if (!isXrpSending(sending)) throw new Error(`${adapter.network} is not the XRP Ledger`);
  const key = openAccountKey(mnemonic, adapter);
  const hot: Hot = {
    adapter,
    sending,
    key,
    account: sending.hotAccount(),
    maxFee: () => policy()?.maxFee ?? 0n,
    now: deps.now,
    ledger: 0,
  };
  return {
    ...payFromAccount(deps, {
      account: hot.account,
      sending,
      read: (transfer) => readPayment(hot, transfer),
      build: (payment, situation) => buildPayment(hot, payment, situation),
    }),
    mostWaiting: MOST_WAITING,
    isSigner: (entry) => entry.spends[0] === spendOf(hot.account, sequenceOf(entry)),
    mostFailed: 1,
    observe: (own) => observe(hot, own),
    prepareReplacement: (entry, purpose) => prepareReplacement(hot, entry, purpose),
    async broadcast({ raw, expires }) {
      // Every server would refuse it.
      if (expires === null || expires > hot.ledger) await sending.broadcast(raw);
    },
  };
}

/** Reads the payment that must be made. A text: why it may not. Ledger units are drops. */
function readPayment({ account, adapter }: Hot, { token, amount, to }: Transfer): XrpPayment | HoldReason {
  const decoded = decodeXAddress(to, adapter.env);
  if (token !== "xrp") return "not_in_policy";
  if (decoded === null || decoded.account === account || isUnsafeDestination(adapter.data, adapter.env, to))
    return "destination_unsafe";
  return { destination: decoded.account, tag: decoded.tag, drops: amount };
}

/** One transaction of a sequence is final and the others are dead, or each of them is dead after its last ledger. */
async function observe(hot: Hot, own: readonly JournalEntry[]): Promise<Observed> {
  const { adapter, sending } = hot;
  const { height, time } = await fetchBoundHead(adapter, hot.now());
  hot.ledger = height;
  if (!time) throw new NodeError("malformed", "the node sent no time of its newest ledger");
  const fates = new Map<JournalEntry, "final" | "dead" | "open">();
  for (const entry of own) {
    const known = await adapter.transactions.fetchPayments(entry.hash);
    const expires = entry.expires ?? Number.POSITIVE_INFINITY;
    if (known?.block) fates.set(entry, "final");
    else fates.set(entry, expires < height ? await sending.fetchFate(entry.hash, expires) : "open");
  }
  const used = new Set(own.filter((one) => fates.get(one) === "final").map(({ spends: [spent] }) => spent));
  const settled: Observed["settled"][number][] = [];
  const waiting = new Map<string | undefined, JournalEntry>();
  for (const entry of own) {
    const fate = fates.get(entry);
    if (fate === "final" || fate === "dead") settled.push({ entry, outcome: fate });
    else if (used.has(entry.spends[0])) settled.push({ entry, outcome: "dead" });
    else waiting.set(entry.spends[0], entry);
  }
  const sorted = [...waiting.values()].sort((one, other) => sequenceOf(one) - sequenceOf(other));
  return { settled, waiting: sorted, headTime: time };
}

/**
 * Fetches the state that a payment depends on. A payment lives as many ledgers from the reported newest one, so it must be near the
 * observed one.
 */
async function fetchState({ adapter, sending, now }: Hot, destination: string) {
  const { height } = await fetchBoundHead(adapter, now());
  return sending.fetchState(
    destination,
    ({ ledger }) => void boundHeight("the server's ledger", ledger, height, MOST_APART),
  );
}

/** A payment from the account. A text: why it cannot be made now. */
async function buildPayment(
  hot: Hot,
  payment: XrpPayment,
  { own, waiting }: Situation,
): Promise<Omit<Draft, "payouts"> | HoldReason> {
  const state = await fetchState(hot, payment.destination);
  const maxFee = hot.maxFee();
  const drops = sumWaiting(waiting, hot.account, XRP) + maxFee * BigInt(waiting.length);
  const refusal = findHold(state, payment, { waiting: drops, maxFee });
  if (refusal !== null) return refusal;
  const sequence = nextSequence(state.sequence, own);
  return signable(hot, fieldsOf(payment), { sequence, fee: state.fee, ledger: state.ledger });
}

/** The same transaction with the same sequence, a higher fee and a later last ledger; or one that does nothing in its place. */
async function prepareReplacement(
  hot: Hot,
  entry: JournalEntry,
  purpose: "raise" | "cancel",
): Promise<Draft | null> {
  const { decode } = await import("xrpl");
  // Without its signature, which would otherwise be signed, too.
  const { TxnSignature: _signature, SigningPubKey: _key, Fee, ...fields } = decode(entry.raw);
  const former = BigInt(String(Fee));
  const { fee: asked, ledger } = await fetchState(hot, hot.account);
  if (purpose === "raise" && asked <= former) return null;
  const fee = replacementFee(former, asked, hot.maxFee());
  if (fee === null) return null;
  const place = { sequence: sequenceOf(entry), fee, ledger };
  // Sets nothing (xrpl.org, Cancel or Skip a Transaction).
  if (purpose === "cancel")
    return { payouts: [], ...signable(hot, { TransactionType: "AccountSet" }, place) };
  return { payouts: entry.payouts, ...signable(hot, fields, place) };
}

/** A plain payment delivers its whole amount or nothing. */
const fieldsOf = ({ destination, tag, drops }: XrpPayment) => ({
  TransactionType: "Payment",
  Destination: destination,
  ...(tag !== null && { DestinationTag: tag }),
  Amount: String(drops),
  Flags: 0,
});

function signable(
  { key, account, maxFee, sending: { networkId } }: Hot,
  fields: Readonly<Record<string, unknown>>,
  { sequence, fee, ledger }: { readonly sequence: number; readonly fee: bigint; readonly ledger: number },
): Omit<Draft, "payouts"> {
  const expires = lastLedger(ledger);
  const whole = {
    ...fields,
    ...(networkId > LARGEST_UNNAMED && { NetworkID: networkId }),
    Account: account,
    Sequence: sequence,
    Fee: String(fee),
    LastLedgerSequence: expires,
  };
  return {
    spends: [spendOf(account, sequence)],
    expires,
    cost: { fee, most: maxFee() },
    async sign() {
      if (key.privateKey === null || key.publicKey === null) throw new Error("the account has no key");
      const { Wallet } = await import("xrpl");
      const wallet = new Wallet(
        bytesToHex(key.publicKey).toUpperCase(),
        `00${bytesToHex(key.privateKey).toUpperCase()}`,
      );
      const { tx_blob: raw, hash } = wallet.sign(whole as unknown as Parameters<typeof wallet.sign>[0]);
      return { hash, raw };
    },
  };
}
