import { hex } from "@scure/base";
import type { OwnKeys } from "./own-keys.ts";
import { readRaw } from "./transaction.ts";
import type { Coin, Output } from "./types.ts";

/** A signed transaction. */
export interface Signed {
  readonly hash: string;
  readonly raw: string;
}

/** An output of our own transaction that pays ourselves. */
export type Change = Omit<Coin, "isConfirmed">;

export interface OwnTransaction extends Signed {
  readonly spends: readonly string[];
  readonly outputs: readonly Output[];
  readonly change: readonly Change[];
}

/**
 * Finds our change in our own transactions, given all that are not dead, oldest first. A new one takes the change address after the highest
 * that these use. So no address is further above the highest before it than the number of transactions that are not settled: GAP.
 */
const GAP = 200;

/** Reads our own transactions, each once. */
export function openOwnChange(keys: OwnKeys) {
  const indexes = new Map<string, number>();
  const known = new Map<string, OwnTransaction>();
  let highest = -1;
  const derive = () => {
    for (let index = indexes.size; index <= highest + GAP; index++)
      indexes.set(hex.encode(keys.child({ branch: 1, index }).script), index);
  };
  derive();
  const read = ({ hash, raw }: Signed): OwnTransaction => {
    derive();
    const { spends, outputs } = readRaw(raw);
    const change = outputs.flatMap(({ script, satoshis }, position): Change[] => {
      const index = indexes.get(hex.encode(script));
      if (index === undefined) return [];
      highest = Math.max(highest, index);
      return [{ outpoint: `${hash}:${position}`, satoshis, branch: 1, index }];
    });
    return { hash, raw, spends, outputs, change };
  };
  return {
    /** The transactions of these entries, in their order. */
    list(own: readonly Signed[]): readonly OwnTransaction[] {
      return own.map((one) => {
        const found = known.get(one.hash) ?? read(one);
        known.set(one.hash, found);
        return found;
      });
    },
    /** The index of the next change address. */
    next: () => highest + 1,
    /** Whether a script is one of the change addresses that are or soon will be used. */
    isOurs: (script: Uint8Array) => indexes.has(hex.encode(script)),
  };
}
