import { parseUnits } from "viem";
import { lineOf, RESERVE, type State } from "./state.ts";
import type { IssuedAmount, SignedXrpTransaction } from "./transaction.ts";

/** Result of a transaction in a ledger. */
export interface LedgerResult {
  /** "tesSUCCESS", or a tec code: it only paid its fee. */
  readonly result: string;
  /** As in the metadata of a partial payment. null when there is none. */
  readonly delivered: string | IssuedAmount | null;
}

const PARTIAL_PAYMENT = 0x0002_0000;
/** AccountSet's flag that requires destination tags. */
const REQUIRE_TAG = 1;
/** AccountSet's flag that refuses payments. */
const DEPOSIT_AUTH = 9;
const FAKED: ReadonlySet<unknown> = new Set(["AccountDelete", "AccountSet", "Payment", "TrustSet"]);
const TOKEN_DECIMALS = 6;
const DROPS_PER_XRP = 1_000_000n;

const done = (delivered: LedgerResult["delivered"] = null): LedgerResult => ({
  result: "tesSUCCESS",
  delivered,
});
const failed = (result: string): LedgerResult => ({ result, delivered: null });
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const isIssued = (amount: unknown): amount is IssuedAmount => typeof amount === "object" && amount !== null;
const millionths = ({ value }: IssuedAmount): bigint => parseUnits(value, TOKEN_DECIMALS);

/** Why a server refuses the transaction and no ledger will hold it. null when it does not. */
export function malformation({ fields }: SignedXrpTransaction): string | null {
  const { TransactionType, Amount, SendMax } = fields;
  if (!FAKED.has(TransactionType)) return "temUNKNOWN";
  if (TransactionType !== "Payment") return null;
  const nothing = isIssued(Amount) ? millionths(Amount) <= 0n : BigInt(String(Amount)) <= 0n;
  if (nothing) return "temBAD_AMOUNT";
  if (fields.Account === fields.Destination && SendMax === undefined) return "temREDUNDANT";
  const partial = (Number(fields.Flags ?? 0) & PARTIAL_PAYMENT) !== 0;
  return partial && !isIssued(Amount) && !isIssued(SendMax) ? "temBAD_SEND_XRP_PARTIAL" : null;
}

/**
 * Applies the transaction to the state. On failure only the fee and the sequence change, which the caller
 * does.
 */
export function applyTransaction(state: State, transaction: SignedXrpTransaction): LedgerResult {
  const { fields, account } = transaction;
  const sender = state.accounts.get(account);
  if (sender === undefined) throw new Error(`${account} does not exist`);
  if (fields.TransactionType === "AccountSet") {
    if (fields.SetFlag === REQUIRE_TAG) sender.requiresTag = true;
    if (fields.ClearFlag === REQUIRE_TAG) sender.requiresTag = false;
    if (fields.SetFlag === DEPOSIT_AUTH) sender.refuses = true;
    return done();
  }
  if (fields.TransactionType === "TrustSet") {
    const line = lineOf(account, fields.LimitAmount as IssuedAmount);
    state.lines.set(line, state.lines.get(line) ?? 0n);
    return done();
  }
  if (fields.TransactionType === "AccountDelete") return deleteAccount(state, transaction);
  return pay(state, transaction);
}

/**
 * The rest of the account's XRP goes to the destination. A real ledger asks for more: age, no objects, a
 * large fee.
 */
function deleteAccount(state: State, { fields, account }: SignedXrpTransaction): LedgerResult {
  const destination = state.accounts.get(String(fields.Destination));
  if (destination === undefined) return failed("tecNO_DST");
  if (destination.requiresTag && fields.DestinationTag === undefined) return failed("tecDST_TAG_NEEDED");
  const { balance } = state.accounts.get(account) ?? { balance: 0n };
  destination.balance += balance;
  state.accounts.delete(account);
  return done(String(balance));
}

function pay(state: State, transaction: SignedXrpTransaction): LedgerResult {
  const { fields } = transaction;
  const to = String(fields.Destination);
  const destination = state.accounts.get(to);
  if (destination?.requiresTag && fields.DestinationTag === undefined) return failed("tecDST_TAG_NEEDED");
  if (destination?.refuses) return failed("tecNO_PERMISSION");
  if (isIssued(fields.Amount)) return payToken(state, transaction, fields.Amount, to);
  const drops = BigInt(String(fields.Amount));
  if (destination === undefined && drops < RESERVE) return failed("tecNO_DST_INSUF_XRP");
  return isIssued(fields.SendMax)
    ? convert(state, transaction, { sendMax: fields.SendMax, drops, to })
    : payXrp(state, transaction, drops, to);
}

function payXrp(state: State, { account }: SignedXrpTransaction, drops: bigint, to: string): LedgerResult {
  const sender = state.accounts.get(account);
  if (sender === undefined || sender.balance < drops + RESERVE) return failed("tecUNFUNDED_PAYMENT");
  sender.balance -= drops;
  receive(state, to, drops);
  return done();
}

function receive(state: State, to: string, drops: bigint): void {
  const account = state.accounts.get(to) ?? { balance: 0n, sequence: 1, requiresTag: false };
  account.balance += drops;
  state.accounts.set(to, account);
}

/** A token moves to an account that trusts its issuer, from a holder with enough of it or from the issuer. */
function payToken(
  state: State,
  { account }: SignedXrpTransaction,
  amount: IssuedAmount,
  to: string,
): LedgerResult {
  const line = lineOf(to, amount);
  const held = state.lines.get(line);
  if (held === undefined) return failed("tecPATH_DRY");
  const value = millionths(amount);
  if (account !== amount.issuer) {
    const own = lineOf(account, amount);
    const balance = state.lines.get(own) ?? 0n;
    if (balance < value) return failed("tecPATH_PARTIAL");
    state.lines.set(own, balance - value);
  }
  state.lines.set(line, held + value);
  return done();
}

/**
 * A token is sent and XRP arrives. Instead of the ledger's exchange, the issuer takes the token and pays one
 * XRP for each, as far as the sender's tokens and the issuer's XRP allow.
 */
function convert(
  state: State,
  { fields, account }: SignedXrpTransaction,
  { sendMax, drops, to }: { readonly sendMax: IssuedAmount; readonly drops: bigint; readonly to: string },
): LedgerResult {
  const line = lineOf(account, sendMax);
  const issuer = state.accounts.get(sendMax.issuer);
  const spare = issuer === undefined ? 0n : issuer.balance - RESERVE;
  const held = state.lines.get(line) ?? 0n;
  const given = [millionths(sendMax), held, spare].reduce((least, one) => smaller(least, one), drops);
  if (issuer === undefined || given <= 0n) return failed("tecPATH_DRY");
  const partial = (Number(fields.Flags ?? 0) & PARTIAL_PAYMENT) !== 0;
  const least = partial ? BigInt(String(fields.DeliverMin ?? "1")) : drops;
  if (given < least) return failed("tecPATH_PARTIAL");
  state.lines.set(line, held - (given * 10n ** BigInt(TOKEN_DECIMALS)) / DROPS_PER_XRP);
  issuer.balance -= given;
  receive(state, to, given);
  return done(partial ? String(given) : null);
}
