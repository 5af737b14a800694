import { Icon } from "#components/ui/icon.tsx";
import type { CheckoutModel } from "./checkout-model.ts";
import { ScrollToTop } from "./scroll-to-top.tsx";
import type { Texts } from "./texts.ts";

/** On a point of sale: that it is paid, to be read from two meters, and the way to the next sale. */
export function PosPaid({ model, texts }: { model: CheckoutModel; texts: Texts }) {
  const paid = model.stage === "paid" || model.stage === "overpaid";
  if (!model.pointOfSale || !paid) return null;
  return (
    <section
      aria-label={texts.pos.title}
      className="grid min-h-[80svh] content-center justify-items-center gap-6 bg-good-soft p-6 text-center text-good print:hidden"
    >
      <ScrollToTop />
      <Icon name="check" className="size-40" />
      <p className="text-7xl font-bold">{texts.pos.statuses.paid}</p>
      <p className="text-4xl font-semibold break-words tabular-nums">
        <bdi>{model.price}</bdi>
      </p>
      <a className="button w-full max-w-sm text-xl" href={model.successUrl}>
        {texts.pos.newSale}
      </a>
    </section>
  );
}
