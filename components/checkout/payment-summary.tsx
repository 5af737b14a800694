import { Countdown } from "#components/ui/clock.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { MerchantBadge } from "#components/ui/merchant-badge.tsx";
import { type CheckoutModel, hasTimeLeft } from "./checkout-model.ts";
import type { Texts } from "./texts.ts";

/** Remaining seconds at which the time left is announced. */
const MILESTONES = [300, 60] as const;

/** The merchant, the amount, and the time that is left. */
export function PaymentSummary({ model, texts }: { model: CheckoutModel; texts: Texts }) {
  const waiting = hasTimeLeft(model.stage);
  return (
    <header className="lg:pt-6">
      <div className="flex items-center gap-3">
        <MerchantBadge model={model} />
        <p className="min-w-0">
          <span className="block text-sm text-muted">{texts.payTo}</span>
          <bdi className="block font-semibold break-words">{model.merchantName}</bdi>
        </p>
      </div>
      <p
        className={`mt-2 font-semibold tracking-tight break-words tabular-nums lg:mt-8 ${priceTextSize(model.price)}`}
      >
        <bdi>{model.price}</bdi>
      </p>
      <dl className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-sm lg:mt-6 lg:block lg:divide-y lg:divide-line lg:border-y lg:border-line">
        <div className="flex items-center gap-2 lg:justify-between lg:py-3">
          <dt className="text-muted">{texts.reference}</dt>
          <dd className="font-medium break-all">
            <bdi>{model.reference}</bdi>
          </dd>
        </div>
        {waiting && (
          <div className="flex items-center gap-2 lg:justify-between lg:py-3">
            <dt className="text-muted">{texts.timeLeft}</dt>
            <dd className="flex items-center gap-1.5 font-medium">
              <Icon name="clock" className="size-4 text-muted" />
              <Countdown
                seconds={model.secondsLeft}
                renderedAt={model.renderedAt}
                day={texts.daysShort}
                milestones={MILESTONES.map((seconds) => ({ seconds, text: texts.timeLeftSoon[seconds] }))}
              />
            </dd>
          </div>
        )}
      </dl>
    </header>
  );
}

/** Keeps a long price on one line of a phone. */
function priceTextSize(price: string): string {
  if (price.length <= 14) return "text-4xl/tight";
  return price.length <= 18 ? "text-3xl/tight" : "text-2xl/tight";
}
