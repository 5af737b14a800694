import { setTimeout as delay } from "node:timers/promises";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { openUtxoAdapter } from "#lib/chains/utxo/utxo-adapter.ts";
import type { WatchContext } from "#lib/domain/deposits/types.ts";
import { createPassMemory, type PassMemory } from "#lib/domain/deposits/watch/pass-rules.ts";
import { runPass } from "#lib/domain/deposits/watch/run-pass.ts";
import { createWatchContext, openAddressBook } from "#lib/domain/deposits/watch/watch-network.ts";
import { allocateAddress } from "#lib/domain/wallets/allocate-address.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import { listCauses } from "#lib/platform/error-causes.ts";
import { BITCOIN_ACCOUNT_KEY } from "#tests/support/bitcoin-adapter.ts";
import { LINK_SETTINGS } from "#tests/support/watched-network.ts";
import type { HistoryResult } from "../history.ts";
import type { Lane } from "../lane.ts";
import { subtract } from "../lists.ts";
import { withMemory } from "../networks.ts";
import { Prices } from "../prices.ts";
import { Random } from "../random.ts";
import { log } from "../service.ts";
import { ElectrumChain } from "./electrum-chain.ts";
import { ModelServer } from "./model-server.ts";

/** A server reports what a block changed with its header. */
const DATA = {
  ...NETWORKS.bitcoin,
  utxo: { ...NETWORKS.bitcoin.utxo, headers: { ...NETWORKS.bitcoin.utxo.headers, settleMs: 0 } },
};
/** The time of a message between client and server, in this process. */
const TRANSPORT_MS = 2;
const SETTLING_BLOCKS = 8;
/** Ten seconds. A history that was read in doubt is read again after a second. */
const SETTLING_ROUNDS = 200;
const SETTLING_MS = 50;

export interface ElectrumSetting {
  readonly lane: Lane;
  readonly database: Database;
  readonly merchantId: number;
}

interface ElectrumWorld extends ElectrumSetting {
  readonly random: Random;
  readonly chain: ElectrumChain;
  readonly servers: readonly ModelServer[];
  readonly urls: readonly string[];
  readonly addresses: string[];
  readonly moves: string[];
  readonly problems: string[];
  watch: WatchContext;
  memory: PassMemory;
}

/**
 * A history of payments that are read from Electrum servers by the real reader, with its connections. Its time is real, so
 * that a seed repeats the moves, and almost always what follows from them.
 */
export async function runElectrumHistory(seed: number, setting: ElectrumSetting): Promise<HistoryResult> {
  await setting.lane.clear();
  const random = new Random(seed);
  const chain = new ElectrumChain();
  for (let i = 0; i < 3; i++) chain.mine([]);
  const servers = Array.from({ length: random.pick([1, 1, 2]) }, () => new ModelServer(chain, random));
  const urls = await Promise.all(servers.map((server) => server.listen()));
  const moves: string[] = [];
  const problems: string[] = [];
  const watch = openWatch(setting, urls);
  const memory = createPassMemory();
  const world = { ...setting, random, chain, servers, urls, addresses: [], moves, problems, watch, memory };
  try {
    await allocate(world);
    await pass(world);
    const count = random.between(6, 30);
    for (let i = 0; i < count && problems.length === 0; i++) {
      const { name, make } = random.weighted(MOVES);
      moves.push(name);
      await make(world);
    }
    if (problems.length === 0) await settle(world);
  } catch (error) {
    problems.push(`the history stopped: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
  return { seed, moves, problems, steps: [], reached: new Map(), hash: moves.join() };
}

function openWatch({ database }: ElectrumSetting, urls: readonly string[]): WatchContext {
  const scope = { env: "test", network: "bitcoin", rpcUrls: urls, accountKey: BITCOIN_ACCOUNT_KEY } as const;
  const optional = { zmqUrl: null, chain: "regtest", chainId: null, contracts: {} } as const;
  const opened = openUtxoAdapter({ ...scope, ...optional }, DATA, { log });
  const adapter: NetworkAdapter = {
    ...opened,
    addresses: { ...opened.addresses, derive: DERIVED.addresses.derive },
  };
  const networks: NetworkRegistry = { find: () => adapter, list: () => [adapter], all: () => [adapter] };
  const rates = new Prices().rates();
  const paymentLinks = { db: database.db, networks, rates, settings: LINK_SETTINGS };
  const watch = createWatchContext({ database, paymentLinks, log }, adapter);
  adapter.addressWatch?.watch(openAddressBook(watch));
  return watch;
}

const DERIVED = withMemory(
  openUtxoAdapter(
    {
      ...{
        env: "test",
        network: "bitcoin",
        rpcUrls: ["http://127.0.0.1:9"],
        accountKey: BITCOIN_ACCOUNT_KEY,
      },
      ...{ zmqUrl: null, chain: "regtest", chainId: null, contracts: {} },
    },
    DATA,
    { log },
  ),
);

async function allocate({ database, watch, merchantId, addresses }: ElectrumWorld): Promise<void> {
  const owner = { merchantId, purpose: "merchant", customerId: null } as const;
  const { address } = await database.db.transaction((tx) => allocateAddress(tx, watch.adapter, owner));
  addresses.push(address);
}

/** One pass of the watcher. Only a server's fault may end it. */
async function pass({ watch, memory, problems }: ElectrumWorld): Promise<boolean> {
  try {
    return await runPass(watch, memory);
  } catch (error) {
    if (!listCauses(error).some((cause) => cause instanceof NodeError))
      problems.push(`a pass failed: ${error instanceof Error ? error.stack : String(error)}`);
    return false;
  }
}

/** Most servers learn of a change at once. */
async function spread({ random, servers }: ElectrumWorld): Promise<void> {
  for (const server of servers) if (random.chance(0.7)) server.update();
  if (random.chance(0.7)) await delay(TRANSPORT_MS);
}

interface ElectrumMove {
  readonly weight: number;
  readonly name: string;
  make(world: ElectrumWorld): Promise<unknown>;
}

const MOVES: readonly ElectrumMove[] = [
  { weight: 1, name: "allocate an address", make: allocate },
  {
    weight: 4,
    name: "pay",
    async make(world) {
      const { chain, random, addresses } = world;
      chain.pay(random.pick(addresses), BigInt(random.between(10_000, 20_000)));
      await spread(world);
    },
  },
  {
    weight: 4,
    name: "mine",
    async make(world) {
      const { chain, random } = world;
      chain.mine(chain.state.waiting.filter(() => random.chance(0.8)));
      await spread(world);
    },
  },
  {
    weight: 4,
    name: "reorganize",
    async make(world) {
      const { chain, random } = world;
      const depth = random.between(1, Math.min(3, chain.state.blocks.length - 4));
      if (depth < 1) return;
      // At the same height, at another, or waiting again.
      const how = random.pick(["same", "same", "any", "none"] as const);
      chain.reorganize(depth, (former) =>
        how === "same" ? former : how === "any" ? random.between(0, depth) : null,
      );
      await spread(world);
    },
  },
  {
    weight: 3,
    name: "a server learns of the newest blocks",
    async make({ random, servers }) {
      random.pick(servers).update();
      await delay(TRANSPORT_MS);
    },
  },
  {
    weight: 2.5,
    name: "the connections to a server end",
    async make({ random, servers }) {
      random.pick(servers).endConnections();
      if (random.chance(0.7)) await delay(TRANSPORT_MS);
    },
  },
  {
    weight: 1,
    name: "the watcher starts again",
    async make(world) {
      world.watch = openWatch(world, world.urls);
      world.memory = createPassMemory();
    },
  },
  { weight: 8, name: "a pass", make: pass },
];

/** Ends the faults, and lets the watcher work until all is credited. An error that remains then stays. */
async function settle(world: ElectrumWorld): Promise<void> {
  const { chain, servers, problems, moves } = world;
  moves.push("the end: all servers show the same");
  for (let i = 0; i < SETTLING_BLOCKS; i++) chain.mine(chain.state.waiting);
  for (const server of servers) server.update();
  let wrong: readonly string[] = [];
  for (let round = 0; round < SETTLING_ROUNDS; round++) {
    await delay(round < 3 ? TRANSPORT_MS : SETTLING_MS);
    while ((await pass(world)) && problems.length === 0);
    wrong = await findWrong(world);
    if (wrong.length === 0 || problems.length > 0) return;
  }
  problems.push(...wrong);
}

/** Every payment in the chain is credited once, and nothing else is. */
async function findWrong({ chain, lane }: ElectrumWorld): Promise<readonly string[]> {
  const { rows } = await lane.admin.query({
    name: "electrum_credits",
    text: `select d.tx_hash || ' ' || a.address || ' ' || d.amount as credit
      from deposits d join addresses a on a.id = d.address_id where d.status in (1, 3)`,
  });
  const found = rows.map(({ credit }) => String(credit));
  const expected = chain.state.blocks.flatMap(({ transactions }) =>
    transactions.map(({ txid, address, amount }) => `${txid} ${address} ${amount}`),
  );
  const { rows: books } = await lane.admin.query({
    name: "electrum_books",
    text: `select coalesce(sum(-balance), 0)::text as held from ledger_accounts where code = 'custody:bitcoin'`,
  });
  const paid = chain.state.blocks
    .flatMap(({ transactions }) => transactions)
    .reduce((sum, { amount }) => sum + amount, 0n);
  return [
    ...subtract(expected, found).map((one) => `lost: ${one} is in the chain and not credited`),
    ...subtract(found, expected).map((one) => `doubled: ${one} is credited and not in the chain, or twice`),
    ...(books[0].held === String(paid) ? [] : [`the books hold ${books[0].held}, the chain holds ${paid}`]),
  ];
}
