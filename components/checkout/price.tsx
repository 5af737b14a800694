import { Countdown } from "#components/ui/clock.tsx";
import type { Ask } from "./ask.ts";
import type { CheckoutModel } from "./checkout-model.ts";
import type { Texts } from "./texts.ts";
import { agoText } from "./time-text.ts";

interface PriceProps {
  ask: Ask;
  model: CheckoutModel;
  texts: Texts;
}

/** The rate, whose it is, how old it is, and how long it is held. */
export function Price({ ask, model, texts }: PriceProps) {
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
        <dt className="text-muted">{texts.priceHeld}</dt>
        <dd className="ms-auto min-w-0 text-end">
          <span className="block font-medium">
            <Countdown seconds={ask.quoteSeconds} renderedAt={model.renderedAt} day={texts.day} />
          </span>
          <span className="text-muted">{texts.priceThen}</span>
        </dd>
      </div>
    </dl>
  );
}

function RateOriginText({ ask, model, texts }: PriceProps) {
  const { rateOrigin: origin } = ask;
  const names = { merchant: model.merchantName };
  const lines =
    origin.kind === "fixed"
      ? [model.test ? texts.rateFixed : texts.rateFixedBy(names)]
      : [
          texts.rateFrom(origin),
          ...(origin.markup === null ? [] : [texts.rateMarkup({ ...names, percent: origin.markup })]),
          agoText(ask.rateAgeSeconds, texts.locale) ?? texts.rateNow,
        ];
  return lines.map((line) => (
    <span key={line} className="block text-muted">
      {line}
    </span>
  ));
}
