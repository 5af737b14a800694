import type { AddressFilter, ScanResult } from "../blocks.ts";
import type { Env } from "../network-data.ts";
import { NodeError } from "../node-error.ts";
import { type ChainTransfer, NO_POSITION } from "../transfers.ts";
import { type AccountChange, checkComplete, readChangeBefore } from "./account-chain.ts";
import { encodeXAddress } from "./address.ts";
import {
  type LedgerHeader,
  type LedgerTransaction,
  mayDeliver,
  parseLedgerHeader,
  parseLedgerTransaction,
  readInteger,
  type XrpDelivery,
} from "./parse-ledger.ts";
import type { RippledAnswer, RippledClient } from "./rippled-client.ts";

/** Transactions per page of a public server (rippled, Tuning.h, accountTx). */
const PAGE = 200;
/** The smallest payment at the account itself that is reported, in drops: 0.01 XRP. */
const SMALLEST_UNMATCHED = 10_000n;

type Range = { readonly from: number; readonly to: number };
/** `mayBeAbsent`: an account of an earlier configuration may never have been paid, and does not exist then. */
type AccountRange = Range & { readonly mayBeAbsent: boolean };
type Deposit = LedgerTransaction & { readonly delivery: XrpDelivery };
/** Why the payment cannot be credited: it has no tag, or a tag that was never allocated. */
type UnmatchedTag = "no_tag" | "unknown_tag";

/** The validated ledger at a height. Null: the node has not validated it, or no longer has it. */
export async function fetchLedger(
  client: RippledClient,
  height: number | "validated",
): Promise<LedgerHeader | null> {
  const answer = await client.ask("ledger", { ledger_index: height }, ["lgrNotFound"]);
  const header = answer && parseLedgerHeader(answer);
  if (header && height !== "validated" && header.height !== height) {
    throw new NodeError("malformed", `asked for ledger ${height}, the node sent ${header.height}`);
  }
  return header;
}

/** The newest validated ledger. */
export async function fetchValidatedLedger(client: RippledClient): Promise<LedgerHeader> {
  const header = await fetchLedger(client, "validated");
  if (header === null) throw new NodeError("refused", `${client.name} has no validated ledger`);
  return header;
}

/**
 * Reads payments to these accounts in ledgers from..to, in order. The server is asked for each account's
 * transactions, which costs the same however full the ledgers are. Its answer counts only if it searched all
 * of these ledgers: a server with gaps did not. Payments to unknown addresses are reported as the account's
 * own, where that address is ours (AddressTags.collecting).
 */
export async function scanAccounts(
  client: RippledClient,
  { accounts, env }: { readonly accounts: readonly string[]; readonly env: Env },
  { from, to }: Range,
  ours: AddressFilter,
): Promise<ScanResult> {
  if (to < from) throw new RangeError("scan: an empty range");
  const first = await heldLedger(client, from);
  const tip = to === from ? first : await heldLedger(client, to);
  const deposits: Deposit[] = [];
  const [configured] = accounts;
  for (const account of accounts)
    deposits.push(
      ...(await readDeposits(client, account, { from, to, mayBeAbsent: account !== configured })),
    );
  checkLedgers(deposits, [first, tip]);
  const addressed = deposits
    .toSorted((a, b) => a.block.height - b.block.height || a.index - b.index)
    .map((deposit) => ({
      deposit,
      address: encodeXAddress(deposit.delivery, env),
      collecting: encodeXAddress({ ...deposit.delivery, tag: null }, env),
    }));
  const candidates = new Set(addressed.flatMap(({ address, collecting }) => [address, collecting]));
  const known = addressed.length === 0 ? new Set<string>() : await ours([...candidates]);
  const transfers = addressed.flatMap(({ deposit, address, collecting }) => {
    if (address !== collecting && known.has(address)) return toTransfer(deposit, address, env, null);
    // Advertisements are tiny payments. A list of them would hide what a person must see.
    if (!known.has(collecting) || deposit.delivery.drops < SMALLEST_UNMATCHED) return [];
    return toTransfer(deposit, collecting, env, deposit.delivery.tag === null ? "no_tag" : "unknown_tag");
  });
  return { transfers, tipHash: tip.hash, parentHash: first.parentHash };
}

async function heldLedger(client: RippledClient, height: number): Promise<LedgerHeader> {
  const header = await fetchLedger(client, height);
  if (header === null) throw new NodeError("inconsistent", `the node does not have ledger ${height}`);
  return header;
}

/**
 * Reads every XRP payment to the account in these ledgers, page by page, and checks that none is left out. Payments of the account to itself
 * are skipped.
 */
async function readDeposits(
  client: RippledClient,
  account: string,
  range: AccountRange,
): Promise<readonly Deposit[]> {
  const deposits = new Map<string, Deposit>();
  const seen = new Set<string>();
  const before = new Map<string, AccountChange | null>();
  let marker: unknown;
  do {
    const page = await readPage(client, account, range, marker);
    for (const entry of page.transactions) {
      before.set(String(Object(entry).hash).toUpperCase(), readChangeBefore(entry, account));
      if (!mayDeliver(entry, account)) continue;
      const transaction = parseLedgerTransaction(entry);
      const { hash, block, sender, delivery } = transaction;
      if (block.height < range.from || block.height > range.to) {
        throw new NodeError("inconsistent", `the node sent ${hash}, which was not asked for`);
      }
      if (delivery?.account === account && sender !== account)
        deposits.set(hash, { ...transaction, delivery });
    }
    marker = page.marker;
    // A repeated page would cause an endless loop.
    const place = JSON.stringify(marker);
    if (seen.has(place)) throw new NodeError("malformed", "the node sent a page for the second time");
    seen.add(place);
  } while (marker !== undefined);
  await checkComplete(client, account, range, before);
  return [...deposits.values()];
}

async function readPage(
  client: RippledClient,
  account: string,
  { from, to, mayBeAbsent }: AccountRange,
  marker: unknown,
): Promise<{ readonly transactions: readonly unknown[]; readonly marker: unknown }> {
  const limits = { ledger_index_min: from, ledger_index_max: to, forward: true, limit: PAGE };
  const params = { account, ...limits, ...(marker !== undefined && { marker }) };
  const answer: RippledAnswer | null = await client.ask(
    "account_tx",
    params,
    mayBeAbsent ? ["actNotFound"] : [],
  );
  if (answer === null) return { transactions: [], marker: undefined };
  if (answer.account !== account || answer.validated === false || !Array.isArray(answer.transactions)) {
    throw new NodeError("malformed", "the node sent no list of the account's validated transactions");
  }
  const lowest = readInteger("the first ledger it looked through", answer.ledger_index_min);
  const highest = readInteger("the last ledger it looked through", answer.ledger_index_max);
  if (lowest > from || highest < to) {
    throw new NodeError(
      "inconsistent",
      `asked for ledgers ${from} to ${to}, the node looked through ${lowest} to ${highest}`,
    );
  }
  return { transactions: answer.transactions, marker: answer.marker };
}

/**
 * Checks the ledger hash of every transaction: one height has one hash, which is that of the header where it
 * was read.
 */
function checkLedgers(deposits: readonly Deposit[], headers: readonly LedgerHeader[]): void {
  const hashes = new Map(headers.map(({ height, hash }) => [height, hash]));
  for (const { hash, block } of deposits) {
    const known = hashes.get(block.height) ?? block.hash;
    if (known !== block.hash) throw new NodeError("inconsistent", `the ledger of ${hash} is not the chain's`);
    hashes.set(block.height, known);
  }
}

function toTransfer(
  { hash, block, sender, sourceTag, delivery }: Deposit,
  address: string,
  env: Env,
  unmatchedReason: UnmatchedTag | null,
): ChainTransfer {
  return {
    txHash: hash,
    position: NO_POSITION,
    token: "xrp",
    address,
    // With the sender's own tag, so that money can be sent back.
    sender: encodeXAddress({ account: sender, tag: sourceTag }, env),
    amount: delivery.drops,
    block,
    spends: [],
    unmatchedReason,
    ...(delivery.tag !== null && { extra: String(delivery.tag) }),
  };
}
