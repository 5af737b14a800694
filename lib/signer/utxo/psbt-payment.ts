import { hex } from "@scure/base";
import type { Logger } from "pino";
import type { TransactionNetwork } from "#lib/chains/network.ts";
import { toChainUnits } from "#lib/chains/units.ts";
import { encodeAddressScript } from "#lib/chains/utxo/address.ts";
import { readUtxoAccountKey } from "#lib/chains/utxo/derive-address.ts";
import { isUtxoSending } from "#lib/chains/utxo/sending.ts";
import type { OperatorActor } from "#lib/domain/authority/types.ts";
import { listLiveOutgoing, listPayable } from "#lib/domain/withdrawals/queries.ts";
import { isOfActive } from "#lib/domain/withdrawals/rules.ts";
import { submitPayment } from "#lib/domain/withdrawals/send/submit-payment.ts";
import type { OutgoingRow, PayableRow, WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { Situation } from "../chain-signer.ts";
import { formRefusal, toPayout } from "../payout-rules.ts";
import type { HoldReason, JournalEntry, Payout } from "../types.ts";
import { openDepositCoins } from "./deposit-coins.ts";
import { findRefusal } from "./destination.ts";
import { openOwnChange } from "./own-change.ts";
import { openOwnKeys } from "./own-keys.ts";
import { type PlannedPayouts, planPayouts } from "./prepare-payouts.ts";
import { formatPsbt, isFullySigned, PsbtError, readSignedPsbt } from "./psbt.ts";
import { feeOf } from "./size-rules.ts";
import { openSpending } from "./spending.ts";
import { readRaw } from "./transaction.ts";
import type { Coin, Output } from "./types.ts";

const PAGE_SIZE = 500;

export interface PsbtDeps {
  readonly db: Db;
  readonly adapter: TransactionNetwork;
  readonly log: Logger;
  readonly now: () => Date;
}

/** Opens what can be spent, with public keys alone. Own change is that of the transactions in the database. */
async function open({ db, adapter, log, now }: PsbtDeps, maxFee: bigint) {
  const { sending, accountKey, env, network } = adapter;
  if (!isUtxoSending(sending))
    throw new PsbtError(`${network} has no PSBT here: it needs a node with Core's JSON-RPC`);
  const { family } = sending;
  const keys = openOwnKeys(readUtxoAccountKey(accountKey, family.accountKeys[env]), family.script);
  const change = openOwnChange(keys);
  const deposits = openDepositCoins({ db, adapter, sending, keys });
  const spending = openSpending({ sending, keys, change, deposits, now });
  const own = (await listLiveOutgoing(db, { env, network })).map(toEntry);
  const situation: Situation = { own, open: [], waiting: [] };
  change.list(own);
  spending.noteOpen(own, []);
  const none = { consolidateBelow: null, maxGas: null, feePerDay: null, sweep: null, cold: null };
  const policy = () => ({ ...none, maxFee, tokens: new Map() });
  const rest = { refused: new Map<string, number>(), counted: { at: 0 } };
  return { sending, keys, change, spending, situation, policy, log, now, ...rest };
}
type Opened = Awaited<ReturnType<typeof open>>;

const toEntry = ({ createdAt, kind, env, network, spends, hash, raw }: OutgoingRow): JournalEntry => ({
  at: createdAt,
  kind,
  env,
  network,
  payouts: [],
  moves: [],
  spends,
  expires: null,
  hash,
  raw,
});

export interface PsbtRequest {
  /** Pending withdrawals of the network, with different destinations. */
  readonly rows: readonly WithdrawalRow[];
  /** Satoshis for 1,000 virtual bytes. */
  readonly maxFee: bigint;
  readonly fingerprint: number;
  readonly version: 0 | 2;
}

/**
 * Makes a PSBT that pays pending withdrawals, as many as the coins suffice for. Nothing is stored: a withdrawal of it stays pending until the
 * signed one is imported. Throws a PsbtError, and a NodeError when no node answers.
 */
export async function exportPsbt(
  deps: PsbtDeps,
  { rows, maxFee, fingerprint, version }: PsbtRequest,
): Promise<{
  readonly psbt: Uint8Array | null;
  readonly chosen: PlannedPayouts | null;
  readonly held: ReadonlyMap<string, HoldReason>;
}> {
  const opened = await open(deps, maxFee);
  const unpayable = new Map<string, HoldReason>();
  const payouts: Payout[] = [];
  for (const payout of rows.map(toPayout)) {
    const refusal = refusalOf(deps, opened, payout);
    if (refusal !== null) unpayable.set(payout.refid, refusal);
    else payouts.push(payout);
  }
  const { chosen, held } = await planPayouts(opened, payouts, opened.situation);
  if (chosen === null) return { psbt: null, chosen, held: new Map([...held, ...unpayable]) };
  const previous = await fetchPrevious(deps.adapter, chosen.plan.inputs);
  const accountPath = deps.adapter.addresses.derive(0).path.replace(/\/0\/0$/, "");
  const changeIndex = opened.change.next();
  const psbt = formatPsbt(
    { plan: chosen.plan, changeIndex, previous, accountPath, fingerprint, version },
    opened.keys,
  );
  return { psbt, chosen, held: new Map([...held, ...unpayable]) };
}

/** Why a withdrawal is no payment on this network. The database can have any text as its destination. */
const refusalOf = ({ adapter }: PsbtDeps, { sending, change }: Opened, payout: Payout): HoldReason | null =>
  formRefusal(adapter, payout) ?? findRefusal(payout, sending, change.isOurs);

/** The transactions of the inputs. Their bytes must have their ids, which formatPsbt checks. */
async function fetchPrevious(
  adapter: TransactionNetwork,
  inputs: readonly Coin[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const txid of new Set(inputs.map(({ outpoint }) => outpoint.slice(0, 64)))) {
    const record = await adapter.transactions.fetchRecord(txid);
    const raw = record && (JSON.parse(record.json) as { hex?: unknown }).hex;
    if (typeof raw !== "string")
      throw new PsbtError(`no node has the transaction ${txid}, whose output is spent`);
    found.set(txid, raw);
  }
  return found;
}

/** A signed PSBT that was checked. */
export interface SignedPayment {
  readonly hash: string;
  readonly raw: string;
  readonly spends: readonly string[];
  /** The withdrawals that it pays. Empty where it was imported before. */
  readonly rows: readonly WithdrawalRow[];
  readonly fee: bigint;
  readonly isStored: boolean;
}

/**
 * Reads a signed PSBT and checks that it spends only our own unspent outputs, pays pending withdrawals exactly and nothing else but our own
 * change, at a fee of at most `maxFee` for 1,000 virtual bytes, and that our keys have signed all of it. Throws a PsbtError.
 */
export async function checkPsbt(deps: PsbtDeps, file: Uint8Array, maxFee: bigint): Promise<SignedPayment> {
  const { hash, raw, virtualBytes } = readSignedPsbt(file);
  const opened = await open(deps, maxFee);
  const { spends, outputs } = readRaw(raw);
  const { own } = opened.situation;
  if (own.some((one) => one.hash === hash)) return { hash, raw, spends, rows: [], fee: 0n, isStored: true };
  if (own.some((one) => one.spends.some((spent) => spends.includes(spent))))
    throw new PsbtError("another transaction spends the same outputs: export again");
  const inputs = await opened.spending.findInputs({ spends }, opened.situation);
  if (
    inputs.length !== spends.length ||
    new Set(spends).size !== spends.length ||
    !(await opened.spending.check(inputs))
  )
    throw new PsbtError("it spends an output that is not ours or that is spent: export again");
  if (!isFullySigned(raw, inputs, opened.keys))
    throw new PsbtError("a signature is missing, wrong, or does not hold for the whole transaction");
  const sum = (list: readonly { readonly satoshis: bigint }[]) =>
    list.reduce((all, one) => all + one.satoshis, 0n);
  const fee = sum(inputs) - sum(outputs);
  const most = feeOf(virtualBytes, maxFee);
  if (fee < 0n || fee > most) throw new PsbtError(`its fee is ${fee} satoshis, at most ${most} are allowed`);
  const rows = await matchWithdrawals(deps, opened, outputs);
  return { hash, raw, spends, rows, fee, isStored: false };
}

/** The pending withdrawals that these outputs pay. Each output is one's amount and destination, or own change. */
async function matchWithdrawals(
  deps: PsbtDeps,
  opened: Opened,
  outputs: readonly Output[],
): Promise<readonly WithdrawalRow[]> {
  const { db, adapter } = deps;
  const { sending, change } = opened;
  const keyOf = (script: Uint8Array, satoshis: bigint) => `${hex.encode(script)} ${satoshis}`;
  const paid = new Map<string, Output>();
  for (const output of outputs) {
    if (change.isOurs(output.script)) continue;
    const key = keyOf(output.script, output.satoshis);
    if (paid.has(key)) throw new PsbtError("it pays an address twice");
    paid.set(key, output);
  }
  if (outputs.length - paid.size > 1) throw new PsbtError("it has more than one change output");
  const found: WithdrawalRow[] = [];
  for (let after = 0; paid.size > 0; ) {
    const page = await listPayable(db, adapter, { after, limit: PAGE_SIZE, ofActive: true });
    for (const row of page) {
      if (refusalOf(deps, opened, toPayout(row)) !== null) continue;
      const satoshis = toChainUnits(row.amount, sending.coin);
      if (paid.delete(keyOf(encodeAddressScript(row.toAddress, sending.chain), satoshis))) found.push(row);
    }
    if (page.length < PAGE_SIZE) break;
    after = page.at(-1)?.id ?? after;
  }
  if (paid.size > 0 || found.length === 0)
    throw new PsbtError(
      "it pays something else than pending withdrawals of active merchants: enable the merchant and import it again, or export again if a withdrawal was changed or ended",
    );
  return found;
}

/** Stores a checked payment with its withdrawals, then sends it. Throws a PsbtError if one of them has changed meanwhile. */
export async function sendPsbt(
  { db, adapter, now }: PsbtDeps,
  payment: SignedPayment,
  actor: OperatorActor,
): Promise<void> {
  const { hash, raw, spends, rows, isStored } = payment;
  const { env, network } = adapter;
  if (!isStored) {
    const expected = new Map(rows.map((row) => [row.id, row]));
    const isSame = (row: PayableRow) => {
      const checked = expected.get(row.id);
      const isUnchanged = row.amount === checked?.amount && row.toAddress === checked.toAddress;
      return row.status === "pending" && isOfActive(row) && isUnchanged;
    };
    const outgoing = { env, network, hash, raw, kind: "payout", spends, moves: [] } as const;
    const request = { withdrawalIds: rows.map(({ id }) => id), actor, spends, isDead: () => false };
    const stored = await submitPayment(
      db,
      request,
      async (locked) => (locked.every(isSame) ? outgoing : null),
      now(),
    );
    if (!stored)
      throw new PsbtError("a withdrawal was changed or ended meanwhile: nothing was stored or sent");
  }
  await adapter.sending?.broadcast(raw);
}
