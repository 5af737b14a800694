import type { AddressBalances } from "#lib/chains/custody.ts";
import { getFamily } from "#lib/chains/families.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { listOurAddresses } from "./list-our-addresses.ts";
import { findSignerAddresses } from "./queries.ts";

/** Change addresses after the last that a transaction can have used. */
const GAP = 20;

/** The balances of our addresses on the chain. Canonical addresses; amounts in ledger units. */
export interface ReadBalances {
  /** Accounts that pay or keep. */
  readonly accounts: readonly string[];
  /** Where money went by the database alone: neither our addresses nor the configuration have it. */
  readonly unknown: readonly string[];
  /** Change addresses of the account key. */
  readonly change: readonly string[];
  readonly addresses: number;
  readonly total: ReadonlyMap<TokenCode, bigint>;
  /** Returns the balance of an address in a token; 0 if it has none. */
  balance(address: string, token: TokenCode): bigint;
  /** The height at which an address was read. The height of an unknown one is the highest. */
  readonly heightOf: (address: string | null) => number;
  readonly lowest: number;
  readonly highest: number;
  /** The blocks whose states were read, where they are not final. */
  readonly blocks: readonly { readonly height: number; readonly hash: string }[];
}

/** The address whose balance holds what an address receives: tags share their account. */
export function holderOf(adapter: NetworkAdapter, address: string): string {
  const tagged = adapter.addresses.tags?.read(address) ?? null;
  return tagged === null ? address : (adapter.addresses.canonicalize(tagged.account) ?? address);
}

/** Asks the nodes what each of our addresses holds, page by page. Throws NodeError. */
export async function readBalances(
  { db, onProgress }: { readonly db: Db; readonly onProgress: (asked: number) => void },
  adapter: NetworkAdapter,
  also: readonly string[],
): Promise<ReadBalances> {
  const { targets, count, account } = await findSignerAddresses(db, adapter);
  // On Solana no configured key derives it. On bitcoin and the like the signer says a path, which is no address.
  const said = account === null ? null : adapter.addresses.canonicalize(account);
  const hot = adapter.addresses.tags?.collecting ?? adapter.sending?.hotAccount() ?? null;
  const accounts = [...new Set([...(hot === null ? [] : [hot]), ...also])];
  const claimed = hot === null && said !== null ? [said, ...targets] : targets;
  const { outputs } = adapter.addresses;
  const change = outputs
    ? Array.from({ length: count + GAP }, (_, index) => outputs.deriveChange(index))
    : [];
  const head = await adapter.blocks.fetchHead();
  const collected = collect();
  let page: string[] = [];
  const read = async () => {
    if (page.length === 0) return;
    const asked = page;
    page = [];
    collected.add(asked, await fetchPage(adapter, asked, head));
    onProgress(collected.heights.size);
  };
  const seen = new Set<string>();
  for await (const address of listHolders(db, adapter, [...accounts, ...change])) {
    if (seen.has(address)) continue;
    seen.add(address);
    page.push(address);
    if (page.length >= getFamily(adapter.network).balancePage) await read();
  }
  await read();
  const { total, heights, blocks, held } = collected;
  const all = [...new Set(heights.values())];
  const [lowest, highest] = [Math.min(head.height, ...all), Math.max(0, ...all)];
  return {
    accounts,
    // Anyone who can write to the database could otherwise hide a theft there.
    unknown: [...new Set(claimed)].filter((address) => !seen.has(holderOf(adapter, address))),
    change,
    addresses: seen.size,
    total,
    lowest,
    highest,
    blocks: [...blocks.values()],
    balance: (address, token) => held.get(address)?.get(token) ?? 0n,
    heightOf: (address) =>
      (address === null ? undefined : heights.get(holderOf(adapter, address))) ?? highest,
  };
}

function fetchPage(
  adapter: NetworkAdapter,
  addresses: readonly string[],
  at: { readonly height: number; readonly hash: string },
): Promise<AddressBalances> {
  return adapter.nodes.withOne({ lastBlock: null }, async (node) => {
    if (node.custody) return node.custody.fetchBalances(addresses, at);
    throw new NodeError("refused", "the nodes of this network cannot be asked what addresses hold");
  });
}

/** Every address whose balance is ours: those given, then the allocated ones, also of other networks. The same one may come twice. */
async function* listHolders(
  db: Db,
  adapter: NetworkAdapter,
  given: readonly string[],
): AsyncGenerator<string> {
  yield* given.map((address) => holderOf(adapter, address));
  for await (const page of listOurAddresses(db, adapter))
    yield* page.map(({ address }) => holderOf(adapter, address));
}

function collect() {
  const total = new Map<TokenCode, bigint>();
  const heights = new Map<string, number>();
  const held = new Map<string, Map<TokenCode, bigint>>();
  const blocks = new Map<number, { height: number; hash: string }>();
  return {
    total,
    heights,
    held,
    blocks,
    add(asked: readonly string[], { block, balances }: AddressBalances) {
      const { height, hash } = block;
      for (const address of asked) heights.set(address, height);
      if (hash !== null) blocks.set(height, { height, hash });
      for (const { address, token, amount } of balances) {
        total.set(token, (total.get(token) ?? 0n) + amount);
        const tokens = held.get(address) ?? new Map<TokenCode, bigint>();
        held.set(address, tokens.set(token, (tokens.get(token) ?? 0n) + amount));
      }
    },
  };
}
