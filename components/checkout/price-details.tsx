import { Countdown } from "#components/ui/clock.tsx";
import type { CheckoutModel } from "./checkout-model.ts";
import type { PaymentInstructions } from "./payment-instructions.ts";
import type { Texts } from "./texts.ts";
import { ageText } from "./time-text.ts";

interface PriceDetailsProps {
  instructions: PaymentInstructions;
  model: CheckoutModel;
  texts: Texts;
}

/** The rate, its source, its age, and how long it is held. */
export function PriceDetails({ instructions, model, texts }: PriceDetailsProps) {
  return (
    <dl className="grid gap-3">
      <div className="flex flex-wrap justify-between gap-x-4 gap-y-0.5">
        <dt>{texts.rate}</dt>
        <dd className="ms-auto min-w-0 text-end">
          <bdi className="block font-medium text-ink tabular-nums">{instructions.rate}</bdi>
          <RateOriginText instructions={instructions} model={model} texts={texts} />
        </dd>
      </div>
      <div className="flex flex-wrap justify-between gap-x-4 gap-y-0.5">
        <dt>{texts.priceHeldFor}</dt>
        <dd className="ms-auto min-w-0 text-end">
          <span className="block font-medium text-ink">
            <Countdown
              seconds={instructions.quoteSecondsLeft}
              renderedAt={model.renderedAt}
              day={texts.daysShort}
            />
          </span>
          <span>{texts.priceRenewedAfter}</span>
        </dd>
      </div>
    </dl>
  );
}

function RateOriginText({ instructions, model, texts }: PriceDetailsProps) {
  const { rateOrigin: origin } = instructions;
  const names = { merchant: model.merchantName };
  const lines =
    origin.kind === "fixed"
      ? [model.test ? texts.rateFixed : texts.rateFixedBy(names)]
      : [
          texts.rateFrom(origin),
          ...(origin.markup === null ? [] : [texts.rateMarkup({ ...names, percent: origin.markup })]),
          ageText(instructions.rateAgeSeconds, texts.locale) ?? texts.rateNow,
        ];
  return lines.map((line) => (
    <span key={line} className="block">
      {line}
    </span>
  ));
}
