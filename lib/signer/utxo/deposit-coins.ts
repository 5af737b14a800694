import { hex } from "@scure/base";
import type { Logger } from "pino";
import type { TransactionNetwork } from "#lib/chains/network.ts";
import { toLedgerUnits } from "#lib/chains/units.ts";
import type { UnspentOutput, UtxoSending } from "#lib/chains/utxo/sending.ts";
import {
  listSpendable,
  listSpendableOf,
  type SpendableDeposit,
} from "#lib/domain/deposits/spendable-queries.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { OwnKeys } from "./own-keys.ts";
import { readAmount } from "./transaction.ts";
import type { Coin } from "./types.ts";

const PAGE_SIZE = 200;
/** Pages of deposits, and so outputs of which nodes are asked, in one step. */
const MOST_PAGES = 5;

export interface CoinDeps {
  readonly db: Db;
  readonly adapter: TransactionNetwork;
  readonly sending: UtxoSending;
  readonly keys: OwnKeys;
  /** Learns of deposits that are not ours. */
  readonly log?: Logger;
}

/** The deposits that can be spent, as far as they are known. */
export interface DepositCoins {
  /** Looks for more. Returns false while deposits remain that were not looked at. */
  look(): Promise<boolean>;
  list(): readonly Coin[];
  /** Proven coins among these outpoints, also while a transaction that waits spends them. */
  find(outpoints: readonly string[]): Promise<readonly Coin[]>;
  /**
   * Lists the coins whose amount is not proven by their transaction, whose hash is its id. Without segwit no signature commits to amounts:
   * an amount that a node hides would become fee.
   */
  listUnproven(coins: readonly Coin[]): Promise<readonly Coin[]>;
}

/**
 * Keeps the unspent outputs of credited deposits, which the database names and a node confirms. Each deposit is asked about once, unless its
 * block is so new that it may be another one later. The latest come first, so what arrives is found at once and what is old step by step.
 */
export function openDepositCoins(deps: CoinDeps): DepositCoins {
  const queue = { env: deps.adapter.env, network: deps.adapter.network };
  const coins = new Map<string, Coin>();
  /** The ids of deposits that a node was asked about for good. */
  const known = new Set<number>();
  /** Everything between the newest and this one is known. Null if nothing is. */
  let bottom: SpendableDeposit | null = null;
  let isComplete = false;
  const listUnproven = openProofs(deps);

  async function ask(page: readonly SpendableDeposit[]): Promise<number> {
    const fresh = page.filter(({ id }) => !known.has(id));
    if (fresh.length === 0) return 0;
    const { unspent, head } = await fetchProven(deps, fresh);
    for (const deposit of fresh) {
      const output = unspent.get(outpointOf(deposit));
      const coin = toCoin(deps, deposit, output);
      if (coin !== null) coins.set(coin.outpoint, coin);
      const isFinal = deposit.blockHeight !== null && deposit.blockHeight <= head;
      if (coin !== null || (isFinal && !isImmature(deps, output))) known.add(deposit.id);
      if (coin === null && output !== undefined && known.has(deposit.id))
        deps.log?.error(
          { outpoint: outpointOf(deposit), index: deposit.index },
          "not spent: the account key does not derive this output, or it has another amount",
        );
    }
    return fresh.length;
  }

  return {
    async look() {
      let before: SpendableDeposit | null = null;
      for (let pages = 0; pages < MOST_PAGES; pages++) {
        const page: SpendableDeposit[] = await listSpendable(deps.db, queue, { before, limit: PAGE_SIZE });
        const asked = await ask(page);
        before = page.at(-1) ?? before;
        if (page.length < PAGE_SIZE) {
          isComplete = true;
          return true;
        }
        if (asked > 0) continue;
        // The next deposits were read before, down to the bottom.
        if (isComplete) return true;
        if (bottom !== null && isAbove(before, bottom)) before = bottom;
      }
      bottom = before;
      isComplete = false;
      return false;
    },
    list: () => [...coins.values()],
    async find(outpoints) {
      const hashes = [...new Set(outpoints.map((outpoint) => outpoint.slice(0, 64)))];
      const found = await listSpendableOf(deps.db, queue, hashes);
      const wanted = found.filter((one) => outpoints.includes(outpointOf(one)));
      const { unspent } = await fetchProven(deps, wanted);
      const coins = wanted.flatMap((one) => toCoin(deps, one, unspent.get(outpointOf(one))) ?? []);
      const unproven = await listUnproven(coins);
      return coins.filter((coin) => !unproven.includes(coin));
    },
    listUnproven,
  };
}

/** See listUnproven. A coin is proven with its amount: the database and a node can both change their word about it. */
function openProofs(deps: CoinDeps): DepositCoins["listUnproven"] {
  const proven = new Set<string>();
  const nameOf = ({ outpoint, satoshis }: Coin) => `${outpoint} ${satoshis}`;
  return async (chosen) => {
    const asked = chosen.filter((coin) => !proven.has(nameOf(coin)));
    if (deps.keys.form !== "p2pkh" || asked.length === 0) return [];
    const hashes = [...new Set(asked.map(({ outpoint }) => outpoint.slice(0, 64)))];
    const { env, network } = deps.adapter;
    const known = await listSpendableOf(deps.db, { env, network }, hashes);
    for (const coin of asked) {
      const deposit = known.find((one) => outpointOf(one) === coin.outpoint);
      if (await isProven(deps, coin, deposit?.blockHash ?? null)) proven.add(nameOf(coin));
      else deps.log?.error({ outpoint: coin.outpoint }, "not spent: no node proves what this output holds");
    }
    return asked.filter((coin) => !proven.has(nameOf(coin)));
  };
}

async function isProven({ adapter }: CoinDeps, coin: Coin, block: string | null): Promise<boolean> {
  const [txid = "", position] = coin.outpoint.split(":");
  const record = await adapter.transactions.fetchRecord(txid, block);
  const raw = record && (JSON.parse(record.json) as { hex?: unknown }).hex;
  return typeof raw === "string" && readAmount(raw, txid, Number(position)) === coin.satoshis;
}

const outpointOf = ({ txHash, position }: SpendableDeposit) => `${txHash}:${position}`;

const isAbove = (one: SpendableDeposit | null, other: SpendableDeposit): boolean =>
  one === null ||
  Number(one.confirmedAt) > Number(other.confirmedAt) ||
  (Number(one.confirmedAt) === Number(other.confirmedAt) && one.id > other.id);

/** Fetches the outputs of these deposits in blocks, from a node. `head`: the height up to which its blocks are final. */
async function fetchProven({ adapter, sending }: CoinDeps, deposits: readonly SpendableDeposit[]) {
  const head = await adapter.blocks.fetchHead();
  // A malformed outpoint would make the node refuse all of them.
  const asked = deposits.map(outpointOf).filter((outpoint) => /^[0-9a-f]{64}:[0-9]{1,9}$/.test(outpoint));
  const unspent = await sending.fetchUnspent(asked, { waiting: false });
  const { finality } = adapter.data;
  const depth = finality.kind === "finalized" ? 0 : Math.max(...finality.tiers.map(({ blocks }) => blocks));
  return { unspent, head: head.height - depth };
}

const isImmature = ({ sending }: CoinDeps, output: UnspentOutput | undefined) =>
  output?.isCoinbase === true && output.confirmations <= sending.family.coinbaseMaturity;

/**
 * The coin of a deposit. Null if it is spent, or not ours: neither the database nor the node alone decides. The node's script must be the one
 * of our key, and its amount the deposit's.
 */
function toCoin(deps: CoinDeps, deposit: SpendableDeposit, output: UnspentOutput | undefined): Coin | null {
  if (output === undefined || deposit.index < 0 || isImmature(deps, output)) return null;
  const { script } = deps.keys.child({ branch: 0, index: deposit.index });
  const isOurs = hex.encode(script) === hex.encode(output.script);
  if (!isOurs || toLedgerUnits(output.satoshis, deps.sending.coin) !== deposit.amount) return null;
  const { satoshis, confirmations } = output;
  return {
    outpoint: outpointOf(deposit),
    satoshis,
    branch: 0,
    index: deposit.index,
    isConfirmed: confirmations > 0,
  };
}
