import { Countdown } from "#components/ui/clock.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { MerchantBadge } from "#components/ui/merchant-badge.tsx";
import { type CheckoutModel, hasTimeLeft } from "./checkout-model.ts";
import type { Texts } from "./texts.ts";

/** Remaining seconds at which the time left is announced. */
const MILESTONES = [300, 60] as const;

/** The merchant, the reference, the price, and the time that is left. The price is small where an amount to send is large. */
export function PaymentSummary({ model, texts }: { model: CheckoutModel; texts: Texts }) {
  const isSending = model.instructions !== null;
  const price = <bdi className="tabular-nums">{model.price}</bdi>;
  return (
    <header className="grid gap-3">
      <div className="flex items-center gap-3 [[data-framed]_&]:pe-10">
        <MerchantBadge model={model} />
        <div className="min-w-0 flex-1">
          <p className="text-base/5 font-semibold break-words">
            <span className="sr-only">{texts.payTo} </span>
            <bdi>{model.merchantName}</bdi>
          </p>
          <p className="text-sm/5 break-words text-muted">
            {isSending && <span className="text-ink">{price} </span>}
            <span className="sr-only">{texts.reference} </span>
            <bdi>{model.reference}</bdi>
          </p>
        </div>
        {hasTimeLeft(model.stage) && (
          <p className="flex shrink-0 items-center gap-1.5 text-sm font-medium">
            <Icon name="clock" className="size-4 text-muted" />
            <span className="sr-only">{texts.timeLeft} </span>
            <Countdown
              seconds={model.secondsLeft}
              renderedAt={model.renderedAt}
              day={texts.daysShort}
              milestones={MILESTONES.map((seconds) => ({ seconds, text: texts.timeLeftSoon[seconds] }))}
            />
          </p>
        )}
      </div>
      {!isSending && (
        <p className={`font-semibold tracking-tight break-words ${priceTextSize(model.price)}`}>{price}</p>
      )}
    </header>
  );
}

/** Keeps a long price on one line of a phone. */
function priceTextSize(price: string): string {
  return price.length <= 16 ? "text-3xl/9" : "text-2xl/8";
}
