import type { KnownLink, PayPlace } from "./learn.ts";
import { hasTags, type Side } from "./side.ts";
import type { Work, World } from "./world.ts";

/** Something that can happen next. To add one, add an entry to MOVES. */
export type Move = { readonly weight: number } & (
  | {
      /** Happens outside of the program. Returns what happened, or null if it is not possible now. */
      readonly outside: (world: World) => string | null | Promise<string | null>;
    }
  | {
      /** Chooses a piece of work of the program. null: it is not possible now. */
      readonly inside: (world: World) => Work | null;
    }
);

export const pickSide = ({ random, sides }: World): Side => random.pick(sides);

export const pairOf = ({ network }: Side) => ({ network: network.adapter.network, token: network.token });

export const pickLink = ({ random, links }: World): KnownLink | null => random.pickOrNull(links);

export interface PayableLink {
  readonly link: KnownLink;
  readonly place: PayPlace;
  /** Ledger units that pay it whole, by its first quote there. */
  readonly due: bigint;
}

/** A link that can be paid, and where. null: none can. */
export function pickPayable({ random, links }: World, side?: Side): PayableLink | null {
  const all = links.flatMap((link) =>
    link.places
      .filter((place) => side === undefined || place.side === side)
      .map((place) => ({ link, place })),
  );
  const found = random.pickOrNull(all);
  return found && { ...found, due: found.place.quotes[0]?.full ?? 0n };
}

/** True for the addresses whose money is ours. For an account with tags, all are. */
export function isOurs({ links, sides }: World): (address: string) => boolean {
  const ours = new Set(links.flatMap(({ places }) => places.map(({ address }) => address)));
  const [first] = sides;
  return first !== undefined && hasTags(first) ? () => true : (address) => ours.has(address);
}
