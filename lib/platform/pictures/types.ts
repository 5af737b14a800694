/** Content of a payment link's picture: plain texts without payer data or addresses. */
export interface LinkCard {
  /** Direction of the language. "rtl" lays the card out from right to left. */
  readonly dir: "ltr" | "rtl";
  readonly merchant: string;
  /** Such as "₦25,000.00 NGN". */
  readonly price: string;
  /** The networks that the link can be, or was, paid on. May be empty. */
  readonly networks: string;
  readonly state: { readonly text: string; readonly tone: CardTone };
  /** Text that marks a link which moves no real money. Null for a live link. */
  readonly test: string | null;
  /** WebP. */
  readonly logo: Uint8Array | null;
  /** "#rrggbb": the merchant's or Paylink's own color, readable on white and under `onAccent`. */
  readonly colors: { readonly accent: string; readonly onAccent: string; readonly accentSoft: string };
}

export type CardTone = "waiting" | "good" | "bad";

/** A PNG of 1200 × 630. "busy": the queue is full. "failed": drawing failed. */
export type DrawingResult =
  | { readonly ok: true; readonly png: Uint8Array }
  | { readonly ok: false; readonly reason: "busy" | "failed" };

export interface LinkPictures {
  /**
   * The cached picture of `key`, or a new one. `load` returns the card when its turn comes. Never rejects
   * because of drawing; rejects if `load` rejects.
   */
  getPicture(key: string, load: () => Promise<LinkCard>): Promise<DrawingResult>;
  close(): Promise<void>;
}
