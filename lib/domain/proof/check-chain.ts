import { setTimeout as delay } from "node:timers/promises";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { findDifferences } from "./find-differences.ts";
import { observeBooks } from "./observe-books.ts";
import {
  depositInFlight,
  feeInFlight,
  movesInFlight,
  proofDifference,
  withdrawalsInFlight,
} from "./proof-rules.ts";
import { getBooks, getCursorHeight } from "./queries.ts";
import { type ReadBalances, readBalances } from "./read-balances.ts";
import type { Books, InFlight, KnownOutgoing, NetworkProof, ObservedPayment, TokenProof } from "./types.ts";

/** Blocks can be replaced while they are compared. */
const TRIES = 3;
const POLL_MS = 250;
/** Clocks of the database's writers differ by less. */
const CLOCKS_MS = 60_000;

export interface ProofDeps {
  readonly db: Db;
  readonly networks: NetworkRegistry;
  /** Further addresses that hold our coins. Canonical. */
  readonly also: (adapter: NetworkAdapter) => readonly string[];
  /** How long the watcher may take to read the blocks at which balances were read. */
  readonly waitMs: number;
  readonly onProgress: (line: string) => void;
}

/**
 * Compares what our addresses hold on each network that is on with custody. A network whose nodes do not answer, or whose watcher does not
 * catch up, has an error instead.
 */
export async function checkChain(deps: ProofDeps): Promise<NetworkProof[]> {
  const proofs: NetworkProof[] = [];
  for (const adapter of deps.networks.all()) proofs.push(await checkNetwork(deps, adapter));
  return proofs;
}

async function checkNetwork(deps: ProofDeps, adapter: NetworkAdapter): Promise<NetworkProof> {
  const { env, network } = adapter;
  const failed = { env, network, addresses: 0, height: null, accounts: [], unknown: [], tokens: [] };
  try {
    for (let left = TRIES; left > 0; left--) {
      const proof = await compare(deps, adapter);
      if (proof !== null) return proof;
    }
    return { ...failed, error: "its chain was reorganized each time: try again" };
  } catch (error) {
    if (error instanceof NodeError) return { ...failed, error: error.message };
    throw error;
  }
}

/** Null if a block that was read is no longer in the chain. */
async function compare(deps: ProofDeps, adapter: NetworkAdapter): Promise<NetworkProof | null> {
  const { db, onProgress } = deps;
  const { env, network } = adapter;
  const name = `${env} ${network}`;
  const since = new Date(Date.now() - CLOCKS_MS);
  const progress = (asked: number) => onProgress(`${name}: ${asked} addresses read`);
  const read = await readBalances({ db, onProgress: progress }, adapter, deps.also(adapter));
  onProgress(`${name}: block ${read.highest}, waiting for the watcher`);
  await waitForCursor(deps, adapter, read.highest);
  const proof = await db.transaction(
    async (tx) => {
      const books = await getBooks(tx, adapter, { height: read.lowest, since });
      const observed = await observeBooks(tx, adapter, books);
      const inFlight = listInFlight(adapter, books, { ...observed, read });
      const tokens = listTokens(adapter, books).map((token) => proveToken({ token, read, books, inFlight }));
      return addAddresses(tx, adapter, { read, outgoing: observed.outgoing, tokens });
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
  for (const { height, hash } of read.blocks)
    if ((await adapter.blocks.fetchHash(height)) !== hash) return null;
  const { addresses, accounts, unknown } = read;
  return { env, network, addresses, accounts, unknown, height: read.highest, tokens: proof, error: null };
}

/** Throws NodeError("behind") if the watcher has not recorded the deposits of the block in time. */
async function waitForCursor(
  { db, waitMs }: ProofDeps,
  adapter: NetworkAdapter,
  height: number,
): Promise<void> {
  for (const end = performance.now() + waitMs; ; await delay(POLL_MS)) {
    const at = await getCursorHeight(db, adapter);
    if (at >= height) return;
    if (performance.now() < end) continue;
    throw new NodeError("behind", `the watcher has read block ${at}, not yet ${height}`);
  }
}

/** The network's tokens, and any other that its custody has. */
function listTokens({ data }: NetworkAdapter, { custody }: Books): TokenCode[] {
  return [...new Set([...(Object.keys(data.tokens) as TokenCode[]), data.coin, ...custody.keys()])];
}

function listInFlight(
  { data }: NetworkAdapter,
  { deposits, withdrawals }: Books,
  {
    read: { heightOf },
    outgoing,
    payments,
  }: {
    readonly read: ReadBalances;
    readonly outgoing: readonly KnownOutgoing[];
    readonly payments: ReadonlyMap<string, ObservedPayment>;
  },
): InFlight[] {
  const paying = heightOf(null);
  return [
    ...deposits.flatMap((deposit) => depositInFlight(deposit, heightOf) ?? []),
    ...withdrawals.flatMap((withdrawal) => {
      const paid = withdrawal.transactions.flatMap(({ hash }) => payments.get(hash) ?? []);
      return withdrawalsInFlight(withdrawal, paid, paying);
    }),
    ...outgoing.flatMap((one) => feeInFlight(one, data.coin, paying) ?? []),
    ...outgoing.flatMap((one) => movesInFlight(one, heightOf)),
  ];
}

function proveToken({
  token,
  read,
  books,
  inFlight,
}: {
  readonly token: TokenCode;
  readonly read: ReadBalances;
  readonly books: Books;
  readonly inFlight: readonly InFlight[];
}): TokenProof {
  const own = inFlight.filter((one) => one.token === token);
  const onChain = read.total.get(token) ?? 0n;
  const custody = books.custody.get(token) ?? 0n;
  const difference = proofDifference(onChain, custody, own);
  return { token, onChain, custody, inFlight: own, difference, addresses: [] };
}

/** Looks for the addresses of each difference. */
async function addAddresses(
  tx: Tx,
  adapter: NetworkAdapter,
  {
    read,
    outgoing,
    tokens,
  }: {
    readonly read: ReadBalances;
    readonly outgoing: readonly KnownOutgoing[];
    readonly tokens: readonly TokenProof[];
  },
): Promise<TokenProof[]> {
  const wrong = tokens.filter(({ difference }) => difference !== 0n);
  if (wrong.length === 0) return [...tokens];
  const found = await findDifferences(tx, adapter, { read, outgoing, tokens: wrong });
  return tokens.map((proof) => ({ ...proof, addresses: found.get(proof.token) ?? [] }));
}
