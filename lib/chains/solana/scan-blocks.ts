import { type AddressFilter, type ChainTransfer, NodeError, type ScanResult } from "../network.ts";
import { parseList } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";
import { leaveOutOthers, parseEach, type ReportUnreadable, type UnreadableEntry } from "../unreadable.ts";
import { fetchNextHeader, fetchSlots, fetchSolanaBlock, missingBlockError } from "./fetch-blocks.ts";
import { type BalanceGain, listGains, type SolanaToken } from "./match-balances.ts";
import { listAccounts, readAccountsForm, type SolanaBlockHeader } from "./parse-block.ts";

/** Blocks requested at once. A block of the main network is several megabytes of JSON. */
const AT_ONCE = 4;

/** The node that is read, and the tokens of its network. */
export interface SolanaSource {
  readonly client: RpcClient;
  readonly tokens: readonly SolanaToken[];
  readonly reportUnreadable: ReportUnreadable;
}

interface Found {
  readonly header: SolanaBlockHeader;
  readonly signature: string;
  readonly gain: BalanceGain;
}

/**
 * Payments to our addresses in slots from..to, all of one branch. Each block names the previous one, so that
 * a block missing from the node is never mistaken for a skipped slot. Throws NodeError("inconsistent") when
 * a block is missing, or the chain has not reached `to`.
 */
export async function scanSolanaBlocks(
  { client, tokens, reportUnreadable }: SolanaSource,
  { from, to }: { readonly from: number; readonly to: number },
  ours: AddressFilter,
): Promise<ScanResult> {
  if (to < from) throw new RangeError("scan: an empty range");
  const slots = await fetchSlots(client, from, to);
  const mints = new Set(tokens.flatMap(({ mint }) => mint ?? []));
  const headers: SolanaBlockHeader[] = [];
  const found: Found[] = [];
  const unreadable: UnreadableEntry[] = [];
  for (let i = 0; i < slots.length; i += AT_ONCE) {
    const parts = slots
      .slice(i, i + AT_ONCE)
      .map((slot) => readGains(client, slot, { tokens, mints, unreadable }));
    for (const { header, gains } of await Promise.all(parts)) {
      headers.push(header);
      for (const gain of gains) found.push(gain);
    }
  }
  const next = slots.at(-1) === to ? null : await fetchNextHeader(client, to);
  const { tipHash, parentHash } = proveBranch(headers, next, from, to);
  await leaveOutOthers(unreadable, listAccounts, ours, reportUnreadable);
  const known = await ours([...new Set(found.map(({ gain }) => gain.address))]);
  const transfers = found.filter(({ gain }) => known.has(gain.address)).map(toTransfer);
  return { transfers, tipHash, parentHash };
}

async function readGains(
  client: RpcClient,
  slot: number,
  {
    tokens,
    mints,
    unreadable,
  }: {
    readonly tokens: readonly SolanaToken[];
    readonly mints: ReadonlySet<string>;
    readonly unreadable: UnreadableEntry[];
  },
): Promise<{ readonly header: SolanaBlockHeader; readonly gains: readonly Found[] }> {
  const { header, transactions } = await fetchSolanaBlock(client, slot);
  const entries = parseList("a block's transactions", transactions);
  const readable = parseEach(entries, (transaction) => readAccountsForm(transaction, mints), unreadable);
  const gains = readable.flatMap((balances) =>
    listGains(balances, tokens).map((gain) => ({ header, signature: balances.signature, gain })),
  );
  return { header, gains };
}

/** `next` is the first block above `to`, where `to` itself has none. */
function proveBranch(
  blocks: readonly SolanaBlockHeader[],
  next: SolanaBlockHeader | null,
  from: number,
  to: number,
): Pick<ScanResult, "tipHash" | "parentHash"> {
  const last = blocks.at(-1);
  const chain = next === null ? blocks : [...blocks, next];
  const [first] = chain;
  if (first === undefined || (next === null && last?.slot !== to)) throw missingBlockError(to);
  if (from > 0 && first.parentSlot >= from) throw missingBlockError(first.parentSlot);
  for (const [i, { parentSlot, parentHash }] of chain.entries()) {
    const parent = chain[i - 1];
    if (parent && (parentSlot !== parent.slot || parentHash !== parent.hash))
      throw missingBlockError(parentSlot);
  }
  return { tipHash: last?.hash ?? first.parentHash, parentHash: first.parentHash };
}

function toTransfer({ header, signature, gain }: Found): ChainTransfer {
  const { slot, hash, time } = header;
  if (time === null) throw new NodeError("malformed", `the node sent no time of block ${slot}`);
  const { position, token, address, sender } = gain;
  const block = { height: slot, hash, time };
  const amount = gain.amount();
  return {
    txHash: signature,
    position,
    token,
    address,
    sender,
    amount,
    block,
    spends: [],
    unmatchedReason: null,
  };
}
