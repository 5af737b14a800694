import type { NetworkAdapter } from "#lib/chains/network.ts";
import { networksSharingAddresses } from "#lib/domain/deposits/find-address-owners.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { listOurAddresses } from "./list-our-addresses.ts";
import { listAddressTransactions, listExpected, listOwnBytes } from "./queries.ts";
import { holderOf, type ReadBalances } from "./read-balances.ts";
import type { AddressDifference, KnownOutgoing, TokenProof } from "./types.ts";

const ROWS = 1_000;
/** Addresses that are named for each token. */
const MOST_NAMED = 100;

interface Search {
  readonly read: ReadBalances;
  readonly outgoing: readonly KnownOutgoing[];
  /** Tokens with a difference. */
  readonly tokens: readonly TokenProof[];
}

/** Finds the addresses that do not hold what the books expect. The rest of a difference is on our accounts. */
export async function findDifferences(
  tx: Tx,
  adapter: NetworkAdapter,
  search: Search,
): Promise<ReadonlyMap<TokenCode, readonly AddressDifference[]>> {
  const named = new Map<TokenCode, AddressDifference[]>(search.tokens.map(({ token }) => [token, []]));
  const left = new Map(search.tokens.map(({ token, difference }) => [token, difference]));
  const networks = networksSharingAddresses(adapter);
  for await (const { address, token, expected } of listExpectations(tx, adapter, search)) {
    const onChain = search.read.balance(address, token);
    if (onChain === expected) continue;
    left.set(token, (left.get(token) ?? 0n) - (onChain - expected));
    const list = named.get(token);
    if (list === undefined || list.length >= MOST_NAMED) continue;
    const txHashes = await listAddressTransactions(tx, adapter, { address, networks });
    list.push({ address, onChain, expected, txHashes });
  }
  for (const { token } of search.tokens) {
    const rest = left.get(token) ?? 0n;
    if (rest === 0n) continue;
    const [hot = null, ...others] = search.read.accounts;
    const onChain = search.read.accounts.reduce((sum, one) => sum + search.read.balance(one, token), 0n);
    const address = others.length === 0 ? hot : null;
    named.get(token)?.push({ address, onChain, expected: onChain - rest, txHashes: [] });
  }
  return named;
}

interface Expectation {
  readonly address: string;
  readonly token: TokenCode;
  readonly expected: bigint;
}

/** Each address that is not an account, with each token that has a difference. */
async function* listExpectations(
  tx: Tx,
  adapter: NetworkAdapter,
  { read, outgoing, tokens }: Search,
): AsyncGenerator<Expectation> {
  const accounts = new Set(read.accounts);
  const spent = outgoing.filter((one) => one.blockHeight !== null).flatMap(({ spends }) => [...spends]);
  for await (const rows of listOurAddresses(tx, adapter)) {
    const page = rows.filter(({ address }) => !accounts.has(holderOf(adapter, address)));
    const ids = page.map(({ id }) => id);
    const amounts = await listExpected(tx, adapter, { ids, height: read.lowest, spent });
    const byAddress = new Map(amounts.map((one) => [`${one.address} ${one.token}`, one.amount]));
    for (const { address } of page)
      for (const { token } of tokens)
        yield { address, token, expected: byAddress.get(`${address} ${token}`) ?? 0n };
  }
  if (adapter.addresses.outputs) yield* listChange(tx, adapter, read);
}

/** Our change addresses with their outputs that none of our transactions spends. */
async function* listChange(tx: Tx, adapter: NetworkAdapter, read: ReadBalances): AsyncGenerator<Expectation> {
  const change = new Set(read.change);
  const outputs = new Map<string, { readonly address: string; readonly amount: bigint }>();
  const spent = new Set<string>();
  for (let after = ""; ; ) {
    const rows = await listOwnBytes(tx, adapter, { height: read.highest, after, limit: ROWS });
    for (const { hash, raw, spends } of rows) {
      for (const outpoint of spends) spent.add(outpoint);
      for (const [position, { address, amount }] of (adapter.addresses.outputs?.read(raw) ?? []).entries())
        if (address !== null && change.has(address)) outputs.set(`${hash}:${position}`, { address, amount });
    }
    if (rows.length < ROWS) break;
    after = rows.at(-1)?.hash ?? after;
  }
  const expected = new Map(read.change.map((address) => [address, 0n]));
  for (const [outpoint, { address, amount }] of outputs)
    if (!spent.has(outpoint)) expected.set(address, (expected.get(address) ?? 0n) + amount);
  for (const [address, amount] of expected) yield { address, token: adapter.data.coin, expected: amount };
}
