import { getFinalHeight } from "#lib/chains/finality-rules.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import type { UnlistedTokens, UnlistedTransfer } from "#lib/chains/transfers.ts";
import { findFirstAddressTime, iterateAddresses } from "#lib/domain/wallets/queries.ts";
import { unlessAborted } from "#lib/platform/repeat.ts";
import { networksSharingAddresses } from "../find-address-owners.ts";
import { estimateBlocksSince } from "../rules.ts";
import type { UnlistedTransferObservation, WatchDeps } from "../types.ts";
import { applyUnlistedLimits } from "./rules.ts";
import {
  claimSearch,
  countUnlistedDeposits,
  findSearch,
  insertSearch,
  insertUnlistedDeposits,
  updateSearchHeight,
  updateSearchTime,
} from "./unlisted-store.ts";

/** The most blocks and addresses that one request may cover on every family. */
const BLOCKS_AT_ONCE = 5_000;
const ADDRESSES_AT_ONCE = 1_000;
/** The pause between two searches, and for each request after the first of a search. They limit the load on the node. */
const PAUSE_MS = 600_000;
const DEVELOPMENT_PAUSE_MS = 5_000;
const PAUSE_PER_REQUEST_MS = 2_000;
const RETRY_MS = 30_000;
const HOUR_SECONDS = 3_600;
/** After this time another worker may take over the range. */
const LEASE_MS = 300_000;
/** The last address index of an account. It is never allocated. */
const UNUSED_INDEX = 2 ** 31 - 1;

interface SearchDeps extends Pick<WatchDeps, "database" | "networks" | "log" | "now"> {
  /** Aborted when this process ends. The range is then left to another worker. */
  readonly stopping?: AbortSignal;
}
type UnlistedScanner = NetworkAdapter & { readonly unlistedTokens: UnlistedTokens };
interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Searches the final blocks of every network for transfers of unlisted tokens to our addresses, old and new. It runs
 * apart from the watchers and never delays a payment. It asks in wide ranges at long intervals, and not at all before an
 * address is allocated. The cost grows with the number of addresses, so it pauses longer when there are more. It does not throw when a node fails.
 */
export async function searchUnlistedTokens(deps: SearchDeps): Promise<void> {
  const adapters = deps.networks
    .all()
    .filter((adapter): adapter is UnlistedScanner => adapter.unlistedTokens !== null);
  await Promise.all(
    adapters.map(async (adapter) => {
      try {
        await searchNetwork(deps, adapter);
      } catch (error) {
        if (deps.stopping?.aborted) return;
        const { env, network } = adapter;
        deps.log.warn({ err: error, env, network }, "search for unlisted tokens failed");
      }
    }),
  );
}

/** Reads the next range of one network, if its time has come and no other worker has claimed it. */
async function searchNetwork(deps: SearchDeps, adapter: UnlistedScanner): Promise<void> {
  const { db } = deps.database;
  const now = deps.now?.() ?? new Date();
  const later = (ms: number) => new Date(now.getTime() + ms);
  const search = await findSearch(db, adapter);
  if (search === null) {
    const since = await findFirstAddressTime(db, adapter.env, networksSharingAddresses(adapter));
    // Without an address nothing can be found, so no node is asked.
    if (since === null) return;
    const final = getFinalHeight(adapter.data.finality, await adapter.blocks.fetchHead());
    await insertSearch(db, adapter, Math.max(final - countBlocksBack(adapter, since, now), 0), now);
    return;
  }
  if (search.nextAt > now) return;
  const height = await claimSearch(db, adapter, now, later(LEASE_MS));
  if (height === null) return;
  const { stopping = new AbortController().signal } = deps;
  const pauseMs = adapter.data.isDevelopment ? DEVELOPMENT_PAUSE_MS : PAUSE_MS;
  try {
    const final = getFinalHeight(
      adapter.data.finality,
      await unlessAborted(adapter.blocks.fetchHead(), stopping),
    );
    if (final <= height) {
      await updateSearchTime(db, adapter, later(pauseMs), now);
      return;
    }
    const range = { from: height + 1, to: Math.min(final, height + BLOCKS_AT_ONCE) };
    const { observations, requests } = await unlessAborted(readRange(deps, adapter, range), stopping);
    const pause = (range.to < final ? 0 : pauseMs) + Math.max(0, requests - 1) * PAUSE_PER_REQUEST_MS;
    const nextAt = later(pause);
    await recordRange(deps, adapter, { from: height, to: range.to, nextAt, observations }, now);
  } catch (error) {
    await updateSearchTime(db, adapter, later(stopping.aborted ? 0 : RETRY_MS), now);
    throw error;
  }
}

/** Blocks before the first search: those since the first address was allocated, and at most those of an hour: every node still has their logs. */
function countBlocksBack({ data: { blockSeconds } }: UnlistedScanner, since: Date, now: Date): number {
  return Math.min(estimateBlocksSince(since, now, blockSeconds), Math.ceil(HOUR_SECONDS / blockSeconds));
}

/** Reads one range of blocks for all addresses of the network, in parts. `requests` counts the parts. */
async function readRange(
  { database, log }: SearchDeps,
  adapter: UnlistedScanner,
  range: Range,
): Promise<{ observations: readonly UnlistedTransferObservation[]; requests: number }> {
  const observations: UnlistedTransferObservation[] = [];
  const shared = networksSharingAddresses(adapter);
  let requests = 0;
  for await (const part of iterateAddresses(database.db, adapter.env, shared, ADDRESSES_AT_ONCE)) {
    const owners = new Map(part.map((owner) => [owner.address, owner]));
    const skip = (address: string, error: NodeError) =>
      log.error({ err: error, address, ...range }, "address skipped: too many transfers");
    const found = await readAddresses(adapter, range, [...owners.keys()], skip);
    for (const { address, ...transfer } of found) {
      const owner = owners.get(address);
      if (!owner) throw new Error(`the network's adapter returned ${address}, which is not our address`);
      observations.push({ ...transfer, addressId: owner.id, merchantId: owner.merchantId });
    }
    requests += 1;
  }
  return { observations, requests };
}

/**
 * Reads the transfers to these addresses. When the node refuses the request as too large, it reads them in halves, so
 * that one address with very many transfers does not hide the others.
 */
async function readAddresses(
  adapter: UnlistedScanner,
  range: Range,
  addresses: readonly string[],
  skip: (address: string, error: NodeError) => void,
): Promise<readonly UnlistedTransfer[]> {
  try {
    return await adapter.unlistedTokens.scan(range, addresses);
  } catch (error) {
    if (!(error instanceof NodeError && error.kind === "refused")) throw error;
    const [first = ""] = addresses;
    if (addresses.length === 1) {
      // Checks that the node answers for an address without any transfers. Otherwise the node is at fault.
      await adapter.unlistedTokens.scan(range, [adapter.addresses.derive(UNUSED_INDEX).address]);
      skip(first, error);
      return [];
    }
    const middle = Math.ceil(addresses.length / 2);
    const found: UnlistedTransfer[] = [];
    for (const half of [addresses.slice(0, middle), addresses.slice(middle)]) {
      found.push(...(await readAddresses(adapter, range, half, skip)));
    }
    return found;
  }
}

/**
 * Moves the search and stores what was found, in one transaction. Does nothing when another worker moved the search first.
 */
async function recordRange(
  { database, log }: SearchDeps,
  adapter: UnlistedScanner,
  step: {
    readonly from: number;
    readonly to: number;
    readonly nextAt: Date;
    readonly observations: readonly UnlistedTransferObservation[];
  },
  now: Date,
): Promise<void> {
  const { env, network } = adapter;
  const { observations } = step;
  await database.db.transaction(async (tx) => {
    if (!(await updateSearchHeight(tx, adapter, step, now)) || observations.length === 0) return;
    const rows = await countUnlistedDeposits(tx, adapter, [
      ...new Set(observations.map(({ addressId }) => addressId)),
    ]);
    const counts = new Map(
      [...Map.groupBy(rows, ({ addressId }) => addressId)].map(([addressId, of]) => [
        addressId,
        new Map(of.map(({ contract, count }) => [contract, count])),
      ]),
    );
    const { kept, dropped } = applyUnlistedLimits(observations, counts);
    await insertUnlistedDeposits(tx, adapter, kept, now);
    log.warn({ env, network, transfers: kept.length }, "transfers of unlisted tokens stored");
    if (dropped.length > 0) {
      const hashes = [...new Set(dropped.map(({ txHash }) => txHash))].slice(0, 20);
      log.warn(
        { env, network, transfers: dropped.length, hashes },
        "transfers of unlisted tokens dropped: too many",
      );
    }
  });
}
