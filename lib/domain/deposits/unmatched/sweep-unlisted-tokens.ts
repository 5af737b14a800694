import { getFinalHeight } from "#lib/chains/finality-rules.ts";
import { type NetworkAdapter, NodeError, type UnlistedTransfer } from "#lib/chains/network.ts";
import { iterateAddresses } from "#lib/domain/wallets/list-addresses.ts";
import { unlessAborted } from "#lib/platform/repeat.ts";
import { applyUnlistedLimits } from "../rules.ts";
import type { UnlistedTransferObservation, WatchDeps } from "../types.ts";
import { networksSharingAddresses } from "../watch/find-address-owners.ts";
import {
  claimSweep,
  countUnlistedDeposits,
  findSweep,
  insertSweep,
  insertUnlistedDeposits,
  updateSweepHeight,
  updateSweepTime,
} from "./unlisted-store.ts";

/** As many blocks, and as many addresses, as one question may speak of on every family. */
const BLOCKS_AT_ONCE = 5_000;
const ADDRESSES_AT_ONCE = 1_000;
/** Between two looks, and for every question after the first of a look: what a node is asked stays bounded. */
const PAUSE_MS = 5_000;
const PAUSE_PER_QUESTION_MS = 2_000;
const RETRY_MS = 30_000;
/** A worker that has not ended its part by then is taken for dead. */
const LEASE_MS = 300_000;
/** The last index of an account. */
const UNUSED_INDEX = 2 ** 31 - 1;

interface SweepDeps extends Pick<WatchDeps, "database" | "networks" | "log" | "now"> {
  /** Aborted when this process ends: what is being read is given up, for another worker to read. */
  readonly stopping?: AbortSignal;
}
type UnlistedScanner = NetworkAdapter & Required<Pick<NetworkAdapter, "scanUnlistedTokens">>;
interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Looks, on every network that has such, for tokens that we keep no books of at addresses of ours, old and new, in
 * blocks that have become final. Apart from the watchers, because a wrong token may wait and a payment may not: what
 * this costs grows with the addresses, so it asks less often instead of more. Never throws on account of a node.
 */
export async function sweepUnlistedTokens(deps: SweepDeps): Promise<void> {
  const adapters = deps.networks
    .all()
    .filter((adapter): adapter is UnlistedScanner => adapter.scanUnlistedTokens !== undefined);
  await Promise.all(
    adapters.map(async (adapter) => {
      try {
        await sweepNetwork(deps, adapter);
      } catch (error) {
        if (deps.stopping?.aborted) return;
        const { env, network } = adapter;
        deps.log.warn({ err: error, env, network }, "the search for unknown tokens failed");
      }
    }),
  );
}

async function sweepNetwork(deps: SweepDeps, adapter: UnlistedScanner): Promise<void> {
  const { db } = deps.database;
  const now = deps.now?.() ?? new Date();
  const later = (ms: number) => new Date(now.getTime() + ms);
  const sweep = await findSweep(db, adapter);
  if (sweep === null) {
    // No address of ours is older.
    const final = getFinalHeight(adapter.data.finality, await adapter.fetchHead());
    await insertSweep(db, adapter, Math.max(final, 0), now);
    return;
  }
  if (sweep.nextAt > now) return;
  const height = await claimSweep(db, adapter, now, later(LEASE_MS));
  if (height === null) return;
  const { stopping = new AbortController().signal } = deps;
  try {
    const final = getFinalHeight(adapter.data.finality, await unlessAborted(adapter.fetchHead(), stopping));
    if (final <= height) {
      await updateSweepTime(db, adapter, later(PAUSE_MS), now);
      return;
    }
    const range = { from: height + 1, to: Math.min(final, height + BLOCKS_AT_ONCE) };
    const { observations, questions } = await unlessAborted(readRange(deps, adapter, range), stopping);
    const pause = (range.to < final ? 0 : PAUSE_MS) + Math.max(0, questions - 1) * PAUSE_PER_QUESTION_MS;
    await recordRange(deps, adapter, { from: height, to: range.to, nextAt: later(pause) }, observations, now);
  } catch (error) {
    await updateSweepTime(db, adapter, later(stopping.aborted ? 0 : RETRY_MS), now);
    throw error;
  }
}

async function readRange(
  { database, networks, log }: SweepDeps,
  adapter: UnlistedScanner,
  range: Range,
): Promise<{ observations: readonly UnlistedTransferObservation[]; questions: number }> {
  const observations: UnlistedTransferObservation[] = [];
  const shared = networksSharingAddresses(adapter, networks);
  let questions = 0;
  for await (const part of iterateAddresses(database.db, adapter.env, shared, ADDRESSES_AT_ONCE)) {
    const owners = new Map(part.map((owner) => [owner.address, owner]));
    const skip = (address: string, error: NodeError) =>
      log.error({ err: error, address, ...range }, "an address with too many transfers is not searched");
    const found = await readAddresses(adapter, range, [...owners.keys()], skip);
    for (const { address, ...transfer } of found) {
      const owner = owners.get(address);
      if (!owner) throw new Error(`the network's adapter returned ${address}, which is not ours`);
      observations.push({ ...transfer, addressId: owner.id, merchantId: owner.merchantId });
    }
    questions += 1;
  }
  return { observations, questions };
}

/** In halves where the node finds it too much: one address with a flood of tokens must not hide the others. */
async function readAddresses(
  adapter: UnlistedScanner,
  range: Range,
  addresses: readonly string[],
  skip: (address: string, error: NodeError) => void,
): Promise<readonly UnlistedTransfer[]> {
  try {
    return await adapter.scanUnlistedTokens(range, addresses);
  } catch (error) {
    if (!(error instanceof NodeError && error.kind === "refused")) throw error;
    const [first = ""] = addresses;
    if (addresses.length === 1) {
      // Is it the address, or does the node not answer such questions at all? This one nobody has ever seen.
      await adapter.scanUnlistedTokens(range, [adapter.deriveAddress(UNUSED_INDEX).address]);
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

async function recordRange(
  { database, log }: SweepDeps,
  adapter: UnlistedScanner,
  step: { from: number; to: number; nextAt: Date },
  observations: readonly UnlistedTransferObservation[],
  now: Date,
): Promise<void> {
  const { env, network } = adapter;
  await database.db.transaction(async (tx) => {
    if (!(await updateSweepHeight(tx, adapter, step, now)) || observations.length === 0) return;
    const rows = await countUnlistedDeposits(tx, adapter, [
      ...new Set(observations.map(({ addressId }) => addressId)),
    ]);
    const counts = new Map(
      [...Map.groupBy(rows, ({ addressId }) => addressId)].map(([addressId, of]) => [
        addressId,
        new Map(of.map(({ contract, count }) => [contract, count])),
      ]),
    );
    const { kept, left } = applyUnlistedLimits(observations, counts);
    await insertUnlistedDeposits(tx, adapter, kept, now);
    log.warn({ env, network, transfers: kept.length }, "tokens that we keep no books of came in");
    if (left.length > 0) {
      const hashes = [...new Set(left.map(({ txHash }) => txHash))].slice(0, 20);
      log.warn({ env, network, transfers: left.length, hashes }, "more of them than are listed came in");
    }
  });
}
