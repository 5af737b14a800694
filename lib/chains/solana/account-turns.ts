/** Anybody can make token accounts of an address, for a deposit each. A turn asks about no more than these. */
export const MOST_ACCOUNTS = 50;
/** A part of them: those that hold the most. A stranger who would hide a payment has to pay as much. */
const RICHEST = 10;

/** The accounts of a turn. */
interface AccountTurn {
  readonly accounts: readonly string[];
  /** Each turn has some of the accounts only: they are asked about as long ago as a restart asks. */
  readonly isPart: boolean;
  /** Lets the next turn continue behind these accounts. */
  done(): void;
}

/** Decides which token accounts of an address a turn asks about. */
export function openAccountTurns() {
  /** The last account that was asked about, by address. */
  const lasts = new Map<string, string>();
  return {
    /** `units`: what the token accounts of the address hold. Processes that end early begin anywhere, so that they ask about all accounts together. */
    choose(address: string, units: ReadonlyMap<string, bigint>): AccountTurn {
      const names = [...units.keys()].toSorted();
      if (names.length <= MOST_ACCOUNTS) {
        // The turns before may have left some of them out.
        return { accounts: names, isPart: lasts.has(address), done: () => void lasts.delete(address) };
      }
      const held = (name: string) => units.get(name) ?? 0n;
      const richest = names
        .toSorted((a, b) => Number(held(b) > held(a)) - Number(held(b) < held(a)))
        .slice(0, RICHEST);
      const last = lasts.get(address) ?? names[Math.floor(Math.random() * names.length)] ?? "";
      const start = names.findIndex((name) => name > last);
      const others = [...names.slice(Math.max(0, start)), ...names].filter((name) => !richest.includes(name));
      const next = others.slice(0, MOST_ACCOUNTS - RICHEST);
      return {
        accounts: [...richest, ...next],
        isPart: true,
        done: () => void lasts.set(address, next.at(-1) ?? ""),
      };
    },
  };
}
