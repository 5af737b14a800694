import type { UtxoSending } from "#lib/chains/utxo/sending.ts";
import type { Situation } from "../chain-signer.ts";
import type { JournalEntry } from "../types.ts";
import type { DepositCoins } from "./deposit-coins.ts";
import type { Waiting } from "./fee-rules.ts";
import type { openOwnChange } from "./own-change.ts";
import type { OwnKeys } from "./own-keys.ts";
import { countSignedBytes } from "./transaction.ts";
import type { Coin } from "./types.ts";

/** A coin that a node did not have is offered again after this time. */
const RETRY_MS = 600_000;

interface SpendingDeps {
  readonly sending: UtxoSending;
  readonly keys: OwnKeys;
  readonly change: ReturnType<typeof openOwnChange>;
  readonly deposits: DepositCoins;
  readonly now: () => Date;
}

/** The coins that can be spent now, and whether all of them are known. */
export interface Funds {
  readonly coins: readonly Coin[];
  readonly isComplete: boolean;
}

/** The coins of an account: deposits and own change, less what its own transactions spend. */
export interface Spending {
  /** Learns which own transactions may still leave the chain. */
  noteOpen(own: readonly JournalEntry[], settled: readonly { readonly entry: JournalEntry }[]): void;
  list(situation: Situation): Promise<Funds>;
  /** Whether a node has all of these coins now. Coins that it lacks are not offered for a while. */
  check(coins: readonly Coin[]): Promise<boolean>;
  /** The coins that a transaction spends. A coin that a block has spent otherwise is missing. */
  findInputs(entry: Pick<JournalEntry, "spends">, situation: Situation): Promise<readonly Coin[]>;
  /** Own transactions that wait and that this one needs. */
  listAncestors(spends: readonly string[], situation: Situation): readonly Waiting[];
}

/**
 * Returns the size and fee of an own transaction. Lines of former versions have no fee: then it counts as none, and as much as it lacks is
 * capped.
 */
export const toWaiting = ({ raw, fee = 0n }: JournalEntry): Waiting => ({
  virtualBytes: countSignedBytes(raw),
  satoshis: fee,
});

/** The transactions that wait and whose outputs these are, and those before them. */
function listAncestors(spends: readonly string[], { waiting }: Situation): readonly JournalEntry[] {
  const found = new Set<JournalEntry>();
  const add = (outpoints: readonly string[]) => {
    for (const one of waiting)
      if (!found.has(one) && outpoints.some((outpoint) => outpoint.startsWith(`${one.hash}:`))) {
        found.add(one);
        add(one.spends);
      }
  };
  add(spends);
  return [...found];
}

export function openSpending({ sending, change, deposits, now }: SpendingDeps): Spending {
  let open: ReadonlySet<string> = new Set();
  const missing = new Map<string, number>();
  const isOffered = ({ outpoint }: Coin) => now().getTime() - (missing.get(outpoint) ?? 0) >= RETRY_MS;

  /** Unspent change. That of a transaction that can still leave the chain is asked for: another one may have replaced it. */
  async function listChange({ own }: Situation, spent: ReadonlySet<string>): Promise<readonly Coin[]> {
    const unspent = change
      .list(own)
      .flatMap((one) => one.change.map((coin) => ({ ...coin, hash: one.hash })))
      .filter(({ outpoint }) => !spent.has(outpoint));
    const young = unspent.filter(({ hash }) => open.has(hash)).map(({ outpoint }) => outpoint);
    const found = young.length === 0 ? new Map() : await sending.fetchUnspent(young, { waiting: true });
    return unspent.flatMap(({ hash, ...coin }): Coin[] => {
      if (!open.has(hash)) return [{ ...coin, isConfirmed: true }];
      const output = found.get(coin.outpoint);
      return output === undefined ? [] : [{ ...coin, isConfirmed: output.confirmations > 0 }];
    });
  }

  return {
    noteOpen(own, settled) {
      const done = new Set(settled.map(({ entry }) => entry.hash));
      open = new Set(own.map(({ hash }) => hash).filter((hash) => !done.has(hash)));
    },
    async list(situation) {
      const isComplete = await deposits.look();
      // Signed in this step, and so not observed yet.
      open = new Set([...open, ...situation.waiting.map(({ hash }) => hash)]);
      const spent = new Set(situation.own.flatMap(({ spends }) => spends));
      const coins = [...(await listChange(situation, spent)), ...deposits.list()];
      return { coins: coins.filter((coin) => !spent.has(coin.outpoint) && isOffered(coin)), isComplete };
    },
    async check(coins) {
      const found = await sending.fetchUnspent(
        coins.map(({ outpoint }) => outpoint),
        { waiting: true },
      );
      const missed = coins.filter(({ outpoint, satoshis }) => found.get(outpoint)?.satoshis !== satoshis);
      const received = coins.filter((coin) => coin.branch === 0 && !missed.includes(coin));
      const gone = [...missed, ...(await deposits.listUnproven(received))];
      for (const { outpoint } of gone) missing.set(outpoint, now().getTime());
      return gone.length === 0;
    },
    async findInputs({ spends }, { own }) {
      const ours = new Map(
        change.list(own).flatMap((one) => one.change.map((coin) => [coin.outpoint, coin])),
      );
      const others = spends.filter((outpoint) => !ours.has(outpoint));
      const received = others.length === 0 ? [] : await deposits.find(others);
      return spends.flatMap((outpoint): Coin[] => {
        const coin = ours.get(outpoint);
        if (coin !== undefined) return [{ ...coin, isConfirmed: true }];
        return received.filter((one) => one.outpoint === outpoint);
      });
    },
    listAncestors: (spends, situation) => listAncestors(spends, situation).map(toWaiting),
  };
}
