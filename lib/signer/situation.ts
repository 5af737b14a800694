import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { ChainSigner, Situation } from "./chain-signer.ts";
import type { Journal } from "./journal.ts";
import { policyName } from "./policy-rules.ts";
import type { JournalEntry } from "./types.ts";

/** The knowledge of one step about the chain. */
export interface ChainView {
  /** Own transactions in no block. */
  waiting: readonly JournalEntry[];
  readonly headTime: Date;
}

interface SituationDeps {
  readonly adapter: Pick<NetworkAdapter, "env" | "network">;
  readonly chain: Pick<ChainSigner, "isSigner">;
  readonly journal: Pick<Journal, "listLive" | "listOpen">;
}

/** Lists the transactions that the present account has signed: a former account, of other words, has nonces and a balance of its own. */
export const situationOf = (
  { adapter, chain, journal }: SituationDeps,
  waiting: readonly JournalEntry[],
): Situation => {
  const name = policyName(adapter);
  const [own, open] = [
    listOwn({ chain }, journal.listLive(name)),
    listOwn({ chain }, journal.listOpen(name)),
  ];
  return { own, open, waiting };
};

/** Lists the entries that the present account has signed. */
export const listOwn = (
  { chain }: Pick<SituationDeps, "chain">,
  entries: readonly JournalEntry[],
): readonly JournalEntry[] => entries.filter((entry) => chain.isSigner?.(entry) ?? true);

type IsSigner = NonNullable<ChainSigner["isSigner"]>;

/** The same, which reads each entry once: a journal has thousands. */
export function rememberSigners(isSigner: IsSigner | undefined): Pick<ChainSigner, "isSigner"> {
  if (isSigner === undefined) return {};
  const known = new WeakMap<JournalEntry, boolean>();
  return {
    isSigner(entry) {
      const found = known.get(entry) ?? isSigner(entry);
      known.set(entry, found);
      return found;
    },
  };
}
