import type { Included, Ledger } from "./history.ts";
import type { Ledgers } from "./ledgers.ts";
import { BASE_FEE, RESERVE } from "./state.ts";
import { type Fields, readBlob, type SignedXrpTransaction } from "./transaction.ts";

export interface FakeContext {
  readonly ledgers: Ledgers;
  readonly networkId: number;
  /** The most transactions in one answer of account_tx. */
  readonly pageLimit: number;
  /** A transaction was accepted and waits for the next ledger. */
  onAccepted(transaction: SignedXrpTransaction): void;
}

/** The content of `result`. With an `error` it is an error. */
export type Result = Readonly<Record<string, unknown>>;

const error = (code: string, more: Result = {}): Result => ({ error: code, ...more });
const isoTime = (ledgerTime: number): string =>
  new Date((ledgerTime + 946_684_800) * 1_000).toISOString().replace(".000Z", "Z");

/** All faked methods, in API version 2 (xrpl.org, Public API Methods). */
export const METHODS: Readonly<Record<string, (params: Fields, context: FakeContext) => Result>> = {
  server_info: (_, { ledgers, networkId }) => ({
    info: {
      build_version: "fake",
      complete_ledgers: ledgers.history.complete(),
      load_factor: 1,
      network_id: networkId,
      peers: 0,
      server_state: "full",
      validated_ledger: {
        age: 0,
        base_fee_xrp: 0.00001,
        hash: ledgers.tip().hash,
        reserve_base_xrp: 1,
        reserve_inc_xrp: 0.2,
        seq: ledgers.tip().index,
      },
    },
  }),
  server_state: (_, { ledgers, networkId }) => ({
    state: {
      build_version: "fake",
      complete_ledgers: ledgers.history.complete(),
      network_id: networkId,
      server_state: "full",
      validated_ledger: {
        base_fee: Number(BASE_FEE),
        close_time: ledgers.tip().closeTime,
        hash: ledgers.tip().hash,
        reserve_base: Number(RESERVE),
        reserve_inc: 200_000,
        seq: ledgers.tip().index,
      },
    },
  }),
  fee: (_, { ledgers }) => ({
    current_ledger_size: "0",
    current_queue_size: "0",
    drops: {
      base_fee: String(BASE_FEE),
      median_fee: "5000",
      minimum_fee: String(BASE_FEE),
      open_ledger_fee: String(ledgers.openFee),
    },
    expected_ledger_size: "1000",
    ledger_current_index: ledgers.tip().index + 1,
  }),
  account_info,
  account_tx,
  ledger(params, { ledgers }) {
    const ledger = chosenLedger(params, ledgers);
    return ledger === undefined
      ? error("lgrNotFound", { error_code: 21, error_message: "ledgerNotFound" })
      : { ledger: headerOf(ledger), ledger_hash: ledger.hash, ledger_index: ledger.index, validated: true };
  },
  tx({ transaction, min_ledger: min, max_ledger: max }, { ledgers }) {
    const hash = String(transaction).toUpperCase();
    const included = ledgers.history.find(hash);
    if (included) return { ...shown(included), ...shownAt(included.ledger) };
    const waiting = ledgers.waiting(hash);
    if (waiting) return { hash, tx_json: fieldsOf(waiting), validated: false };
    const range = typeof min === "number" && typeof max === "number" ? { min, max } : null;
    return error("txnNotFound", {
      error_code: 29,
      error_message: "Transaction not found.",
      ...(range && { searched_all: holdsAll(ledgers, range) }),
    });
  },
  submit,
};

function holdsAll(
  { history }: Ledgers,
  { min, max }: { readonly min: number; readonly max: number },
): boolean {
  for (let index = min; index <= max; index++) if (history.at(index) === undefined) return false;
  return true;
}

function chosenLedger({ ledger_index: index }: Fields, ledgers: Ledgers): Ledger | undefined {
  return index === "validated" ? ledgers.tip() : ledgers.history.at(Number(index));
}

function headerOf(ledger: Ledger): Result {
  return {
    account_hash: ledger.contentHash,
    close_flags: 0,
    close_time: ledger.closeTime,
    close_time_iso: isoTime(ledger.closeTime),
    close_time_resolution: 10,
    closed: true,
    ledger_hash: ledger.hash,
    ledger_index: ledger.index,
    parent_close_time: ledger.parentCloseTime,
    parent_hash: ledger.parentHash,
    total_coins: String(ledger.totalCoins),
    transaction_hash: ledger.contentHash,
  };
}

function account_info({ account, ...params }: Fields, { ledgers }: FakeContext): Result {
  const known = ledgers.state.accounts.get(String(account));
  if (known === undefined)
    return error("actNotFound", { account, error_code: 19, error_message: "Account not found." });
  const flags = (known.requiresTag ? 0x0002_0000 : 0) + (known.refuses ? 0x0100_0000 : 0);
  const current = params.ledger_index === "current";
  // Balances are always the newest here.
  const at =
    typeof params.ledger_index === "number" ? ledgers.history.at(params.ledger_index) : ledgers.tip();
  if (at === undefined) return error("lgrNotFound", { error_code: 21, error_message: "ledgerNotFound" });
  const last = ledgers.history.lastChange(String(account), at.index);
  if (typeof params.ledger_index === "number" && last.PreviousTxnID === undefined)
    return error("actNotFound", { account, error_code: 19, error_message: "Account not found." });
  const sequence = current ? ledgers.nextSequence(String(account)) : known.sequence;
  return {
    account_data: {
      Account: account,
      Balance: String(known.balance),
      Flags: flags,
      LedgerEntryType: "AccountRoot",
      OwnerCount: 0,
      Sequence: sequence,
      ...last,
    },
    ...(current
      ? { ledger_current_index: ledgers.tip().index + 1, validated: false }
      : { ledger_hash: at.hash, ledger_index: at.index, validated: true }),
  };
}

/** As rippled does: in this API version a range outside the ledgers without a gap is an error. */
function account_tx(params: Fields, { ledgers, pageLimit }: FakeContext): Result {
  const { account, forward = false, marker } = params;
  const held = ledgers.history.held();
  const bound = (value: unknown, otherwise: number) =>
    value === undefined || value === -1 ? otherwise : Number(value);
  const min = bound(params.ledger_index_min, held.min);
  const max = bound(params.ledger_index_max, held.max);
  if (min < held.min || max > held.max)
    return error("lgrIdxMalformed", { error_code: 58, error_message: "Ledger index malformed." });
  if (max < min)
    return error("invalidLgrRange", { error_code: 79, error_message: "Ledger range is invalid." });
  const oldestFirst = ledgers.history.affecting(String(account), min, max);
  const all = forward === true ? oldestFirst : oldestFirst.toReversed();
  const from = all.findIndex(({ ledger, index }) => isAt(marker, ledger.index, index));
  if (marker !== undefined && from === -1) return error("invalidParams", { error_message: "invalid marker" });
  const limit = Math.min(bound(params.limit, pageLimit), pageLimit);
  const start = Math.max(from, 0);
  const next = all[start + limit];
  return {
    account,
    ledger_index_min: min,
    ledger_index_max: max,
    limit,
    transactions: all.slice(start, start + limit).map((one) => ({ ...shown(one), ...shownAt(one.ledger) })),
    validated: true,
    ...(next && { marker: { ledger: next.ledger.index, seq: next.index } }),
  };
}

function isAt(marker: unknown, ledger: number, seq: number): boolean {
  const { ledger: at, seq: place } = Object(marker) as { ledger?: unknown; seq?: unknown };
  return at === ledger && place === seq;
}

/** API version 2 calls a payment's Amount DeliverMax: the most that it delivers. */
function fieldsOf({ fields }: SignedXrpTransaction): Result {
  if (fields.TransactionType !== "Payment") return fields;
  const { Amount: DeliverMax, ...rest } = fields;
  return { ...rest, DeliverMax };
}

function shown({ transaction, ledger, index, result, delivered, nodes }: Included): Result {
  const { hash, fields } = transaction;
  const types: readonly unknown[] = ["Payment", "AccountDelete", "CheckCash"];
  const isReported = types.includes(fields.TransactionType) && result === "tesSUCCESS";
  return {
    hash,
    meta: {
      AffectedNodes: nodes,
      TransactionIndex: index,
      TransactionResult: result,
      ...(delivered !== null && { DeliveredAmount: delivered }),
      // Servers add it, the ledger has none. If the metadata has no value, the whole amount was delivered.
      ...(isReported && { delivered_amount: delivered ?? fields.Amount ?? "unavailable" }),
    },
    tx_json: { ...fieldsOf(transaction), date: ledger.closeTime, ledger_index: ledger.index },
  };
}

const shownAt = (ledger: Ledger): Result => ({
  close_time_iso: isoTime(ledger.closeTime),
  ledger_hash: ledger.hash,
  ledger_index: ledger.index,
  validated: true,
});

function submit({ tx_blob: blob }: Fields, { ledgers, onAccepted }: FakeContext): Result {
  let transaction: SignedXrpTransaction;
  try {
    transaction = readBlob(String(blob));
  } catch (failure) {
    return error("invalidTransaction", { error_exception: (failure as Error).message });
  }
  const code = ledgers.submit(transaction);
  const accepted = /^te[sc]|^terQUEUED$/.test(code);
  if (accepted) onAccepted(transaction);
  return {
    accepted,
    applied: accepted && code !== "terQUEUED",
    broadcast: accepted,
    engine_result: code,
    engine_result_message: code,
    kept: accepted,
    open_ledger_cost: String(ledgers.openFee),
    queued: code === "terQUEUED",
    tx_blob: transaction.blob,
    tx_json: { ...fieldsOf(transaction), hash: transaction.hash },
    validated_ledger_index: ledgers.tip().index,
  };
}
