import type { RpcClient } from "../rpc-client.ts";
import { type AccountSignature, fetchSignaturePages } from "./fetch-signatures.ts";

/** Anybody can name an account in many transactions, for a fee each. A turn lists no more pages of one. The next turn continues. */
const MOST_PAGES = 5;
/** The same for the transactions that a turn reads. */
const MOST_READS = 100;
/**
 * Transactions that wait to be read, of one address. One transaction can name dozens of our addresses: while those of all together are more than
 * `ofAll`, each address may have only `ofEach`. What is more is not remembered: the address is asked about again.
 */
export const MOST_UNREAD = { ofOne: 10_000, ofAll: 100_000, ofEach: 10 } as const;

/** The part of an account's list that is still to be asked for. */
interface Rest {
  readonly before: string;
  readonly since: number;
}

/** Lists accounts, and continues a list in the next turn. `report`: transactions of an account were left out. */
export function openLists(report: (account: string) => void = () => {}) {
  const rests = new Map<string, Rest>();
  /** The newest transaction of each list that has a rest. */
  const tops = new Map<string, string | undefined>();

  const listRest = async (client: RpcClient, account: string, rest: Rest, at: number) => {
    // After a failure the list begins again: another node may not know the transaction where it stopped.
    rests.delete(account);
    const question = { from: rest.since, at, mostPages: MOST_PAGES, before: rest.before };
    const { found, next } = await fetchSignaturePages(client, account, question);
    if (next !== null) rests.set(account, { ...rest, before: next });
    return found.filter(({ slot }) => slot >= rest.since);
  };
  return {
    /** Whether a later turn has nothing of an account's list to continue. */
    isWhole: (account: string) => !rests.has(account),
    /** Lists these accounts from their newest transactions on again: some of what was listed is not remembered. */
    beginAgain(accounts: readonly string[]) {
      for (const account of accounts) {
        rests.delete(account);
        tops.delete(account);
      }
    },
    /** Returns the newest transactions that name an account, in slots of `since` or later, and some that earlier turns left. */
    async list(
      client: RpcClient,
      account: string,
      { since, at }: { readonly since: number; readonly at: number },
    ): Promise<readonly AccountSignature[]> {
      const rest = rests.get(account);
      const top = tops.get(account);
      const { found, next } = await fetchSignaturePages(client, account, {
        from: since,
        at,
        mostPages: MOST_PAGES,
      });
      const isGap = rest !== undefined && next !== null && !found.some(({ signature }) => signature === top);
      if (isGap) report(account);
      tops.delete(account);
      if (next !== null) tops.set(account, found[0]?.signature);
      if (rest === undefined && next !== null) rests.set(account, { before: next, since });
      const older = rest === undefined ? [] : await listRest(client, account, rest, at);
      return [...found.filter(({ slot }) => slot >= since), ...older];
    },
  };
}

/** Turns in which a transaction is read: one answer may leave something out. */
const TIMES = 2;

interface Named {
  readonly slot: number;
  readonly times: number;
}

/** A transaction that a turn reads. */
export type Unread = Pick<AccountSignature, "signature" | "slot">;

/** A transaction that a turn read. */
interface AskedAbout {
  readonly signature: string;
  /** Nothing of its accounts is left to be listed. */
  readonly isDone: boolean;
}

/** Decides which transactions that name an address a turn reads: the ones that were listed first before the others. */
export function openReading(report: (address: string) => void = () => {}) {
  const byAddress = new Map<string, Map<string, Named>>();
  return {
    /** Adds listed transactions, and forgets those below `from` that were read. Returns the ones to read now. */
    choose(address: string, named: readonly AccountSignature[], from: number): readonly Unread[] {
      const all = byAddress.get(address) ?? new Map<string, Named>();
      byAddress.set(address, all);
      for (const [signature, { slot, times }] of all)
        if (times >= TIMES && slot < from) all.delete(signature);
      const unread = [...all.values()].filter(({ times }) => times < TIMES).length;
      const remembered = [...byAddress.values()].reduce((sum, { size }) => sum + size, 0);
      const most = remembered < MOST_UNREAD.ofAll ? MOST_UNREAD.ofOne : MOST_UNREAD.ofEach;
      const fresh = named.filter(({ signature, failed }) => !failed && !all.has(signature)).toReversed();
      for (const { signature, slot } of fresh.slice(0, Math.max(0, most - unread)))
        all.set(signature, { slot, times: 0 });
      if (fresh.length > 0 && unread + fresh.length > most) report(address);
      return [...all]
        .flatMap(([signature, { slot, times }]) => (times < TIMES ? { signature, slot } : []))
        .slice(0, MOST_READS);
    },
    /**
     * The accounts of `read` were asked about. With `isDone` that counts for transactions below `from`, the first slot of the range that is read now:
     * what is in the range cannot be late yet. The node does not have `missing`: a later list shows them again.
     */
    end(
      address: string,
      from: number,
      { read, missing }: { readonly read: readonly AskedAbout[]; readonly missing: readonly string[] },
    ) {
      const all = byAddress.get(address);
      for (const { signature, isDone } of read) {
        const named = all?.get(signature);
        if (all === undefined || named === undefined || named.slot >= from) continue;
        // The others come first.
        all.delete(signature);
        all.set(signature, { ...named, times: named.times + (isDone ? 1 : 0) });
      }
      for (const signature of missing) all?.delete(signature);
    },
  };
}
