import { Countdown } from "#components/ui/clock.tsx";
import type { CheckoutModel } from "./checkout-model.ts";
import type { PaymentInstructions } from "./payment-instructions.ts";
import type { Texts } from "./texts.ts";
import { ageText } from "./time-text.ts";

interface PriceDetailsProps {
  ask: PaymentInstructions;
  model: CheckoutModel;
  texts: Texts;
}

/** The rate, whose it is, how old it is, and how long it is held. */
export function PriceDetails({ ask, model, texts }: PriceDetailsProps) {
  return (
    <dl className="grid gap-3 border-t border-line pt-4 text-sm">
      <div className="flex flex-wrap justify-between gap-x-4 gap-y-0.5">
        <dt className="text-muted">{texts.rate}</dt>
        <dd className="ms-auto min-w-0 text-end">
          <bdi className="block font-medium tabular-nums">{ask.rate}</bdi>
          <RateOriginText ask={ask} model={model} texts={texts} />
        </dd>
      </div>
      <div className="flex flex-wrap justify-between gap-x-4 gap-y-0.5">
        <dt className="text-muted">{texts.priceHeldFor}</dt>
        <dd className="ms-auto min-w-0 text-end">
          <span className="block font-medium">
            <Countdown seconds={ask.quoteSecondsLeft} renderedAt={model.renderedAt} day={texts.daysShort} />
          </span>
          <span className="text-muted">{texts.priceRenewedAfter}</span>
        </dd>
      </div>
    </dl>
  );
}

function RateOriginText({ ask, model, texts }: PriceDetailsProps) {
  const { rateOrigin: origin } = ask;
  const names = { merchant: model.merchantName };
  const lines =
    origin.kind === "fixed"
      ? [model.test ? texts.rateFixed : texts.rateFixedBy(names)]
      : [
          texts.rateFrom(origin),
          ...(origin.markup === null ? [] : [texts.rateMarkup({ ...names, percent: origin.markup })]),
          ageText(ask.rateAgeSeconds, texts.locale) ?? texts.rateNow,
        ];
  return lines.map((line) => (
    <span key={line} className="block text-muted">
      {line}
    </span>
  ));
}
