import { Fold } from "#components/ui/fold.tsx";
import type { CheckoutModel, Order } from "./checkout-model.ts";
import type { Texts } from "./texts.ts";

/** The description, and the items with their amounts. */
export function OrderDetails({ order: { description, items } }: { order: Order }) {
  return (
    <>
      {description !== null && (
        <p className="break-words">
          <bdi>{description}</bdi>
        </p>
      )}
      {items.length > 0 && (
        <ul data-testid="items" className="grid gap-1">
          {items.map(({ name, quantity, amount }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two items may be alike, and their order never changes
            <li key={at} className="flex justify-between gap-4">
              <span className="min-w-0 break-words">
                {quantity !== null && <bdi className="tabular-nums">{quantity} ×</bdi>} <bdi>{name}</bdi>
              </span>
              <bdi className="shrink-0 tabular-nums">{amount}</bdi>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The answer to what the payment is for. Nothing if the merchant has not said it. */
export function OrderFold({ model, texts }: { model: CheckoutModel; texts: Texts }) {
  if (model.order === null) return null;
  return (
    <Fold title={texts.folds.order}>
      <OrderDetails order={model.order} />
    </Fold>
  );
}
