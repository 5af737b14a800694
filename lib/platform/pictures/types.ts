/** What the picture of a payment link says: plain texts, nothing of a payer, no address. */
export interface LinkCard {
  readonly merchant: string;
  /** "₦25,000.00 NGN". */
  readonly price: string;
  /** What it can be, or was, paid with; may be empty. */
  readonly networks: string;
  readonly state: { readonly text: string; readonly tone: CardTone };
  /** Said above all else on a link that moves no real money. */
  readonly test: string | null;
  /** WebP. */
  readonly logo: Uint8Array | null;
  /** "#rrggbb": the merchant's or Paylink's own, readable on white and under `onAccent`. */
  readonly colours: { readonly accent: string; readonly onAccent: string; readonly accentSoft: string };
}

export type CardTone = "waiting" | "good" | "bad";

/** PNG, 1200 × 630; or there is no room in the queue; or drawing failed. */
export type DrawingResult =
  | { readonly ok: true; readonly png: Uint8Array }
  | { readonly ok: false; readonly reason: "busy" | "failed" };

export interface LinkPictures {
  /**
   * The picture kept under `key`; else the one of the card that `load` gives when its turn comes. Never rejects for
   * what drawing does; rejects with what `load` rejects with.
   */
  getPicture(key: string, load: () => Promise<LinkCard>): Promise<DrawingResult>;
  close(): Promise<void>;
}
