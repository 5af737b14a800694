import { formatAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES, type CurrencyCode } from "#lib/platform/money/currencies.ts";
import { parseCurrencyAmount } from "#lib/platform/money/currency-amount.ts";
import { isFilledLine } from "#lib/platform/plain-text.ts";

/** Short enough to be shown whole on the page, on a receipt and in a mail. */
export const MAX_DESCRIPTION = 300;
export const MAX_ITEMS = 20;
export const MAX_ITEM_NAME = 100;
export const MAX_ITEM_QUANTITY = 1_000_000;

/** A position of the order that a link is for. */
export interface LinkItem {
  readonly name: string;
  readonly quantity: number;
  /** Smallest unit of the link's currency, for the whole quantity. */
  readonly amount: bigint;
}

/** An item before its amount is read: decimal text. */
export interface GivenItem extends Omit<LinkItem, "amount"> {
  readonly amount: string;
}

/** An item in the database. JSON has no integers of any size, so that the amount is text. */
export type StoredItem = GivenItem;

export type ItemsProblem = "items_malformed" | "items_amount_malformed" | "items_sum_differs";

/** True if a link can have this description. */
export function isDescription(text: string): boolean {
  return isFilledLine(text, MAX_DESCRIPTION);
}

/** Checks the items of a link with this amount. Their amounts must add up to it exactly. */
export function readItems(
  given: readonly GivenItem[],
  link: { readonly amount: bigint; readonly currency: CurrencyCode },
):
  | { readonly ok: true; readonly items: readonly LinkItem[] }
  | { readonly ok: false; readonly reason: ItemsProblem; readonly sum?: bigint } {
  const isMalformed = given.length > MAX_ITEMS || !given.every(isItem);
  if (isMalformed) return { ok: false, reason: "items_malformed" };
  const items: LinkItem[] = [];
  for (const { name, quantity, amount: text } of given) {
    const amount = parseCurrencyAmount(text, link.currency);
    if (amount === null) return { ok: false, reason: "items_amount_malformed" };
    items.push({ name, quantity, amount });
  }
  const sum = items.reduce((total, { amount }) => total + amount, 0n);
  if (items.length > 0 && sum !== link.amount) return { ok: false, reason: "items_sum_differs", sum };
  return { ok: true, items };
}

function isItem({ name, quantity }: GivenItem): boolean {
  const isQuantity = Number.isInteger(quantity) && quantity >= 1 && quantity <= MAX_ITEM_QUANTITY;
  return isFilledLine(name, MAX_ITEM_NAME) && isQuantity;
}

/** The items for the database. null without items. */
export function toStoredItems(items: readonly LinkItem[]): readonly StoredItem[] | null {
  return items.length === 0 ? null : items.map((item) => ({ ...item, amount: item.amount.toString() }));
}

/** The items of a stored link. */
export function fromStoredItems(stored: readonly StoredItem[] | null): readonly LinkItem[] {
  return (stored ?? []).map((item) => ({ ...item, amount: BigInt(item.amount) }));
}

/** The items with their amounts as decimal text. */
export function itemTexts(items: readonly LinkItem[], currency: CurrencyCode): readonly GivenItem[] {
  return items.map((item) => ({ ...item, amount: formatAmount(item.amount, CURRENCIES[currency]) }));
}
