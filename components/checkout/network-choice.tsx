import { SubmitSpinner } from "#components/ui/buttons.tsx";
import { CoinMark } from "#components/ui/coin-mark.tsx";
import type { CheckoutModel } from "./checkout-model.ts";
import { ChoiceForm } from "./choice-form.tsx";
import type { PricedChoice } from "./pair-choice.ts";
import type { Texts } from "./texts.ts";

/** Address of the choice, relative to the page of the link. */
export function choiceAddress({ lang, widgetParams }: Pick<CheckoutModel, "lang" | "widgetParams">): string {
  return `?${new URLSearchParams({ choose: "1", ...(lang !== null && { lang }), ...widgetParams })}`;
}

/** The selectable pairs: one form with one button each, which works without scripts. */
export function NetworkChoice({
  model,
  texts,
  choose,
}: {
  model: CheckoutModel;
  texts: Texts;
  choose: (form: FormData) => Promise<void>;
}) {
  return (
    <ChoiceForm action={choose} here={choiceAddress(model)}>
      <input type="hidden" name="refid" value={model.refid} />
      {model.lang !== null && <input type="hidden" name="lang" value={model.lang} />}
      {model.choices.map((pair) => (
        <button
          key={pair.value}
          id={pair.value}
          type="submit"
          name="pair"
          value={pair.value}
          className="choice"
        >
          <SubmitSpinner name="pair" value={pair.value}>
            <CoinMark symbol={pair.symbol} />
          </SubmitSpinner>
          <span className="min-w-0 flex-1">
            <span className="block text-[0.9375rem]/5.5 tracking-tight">
              <span className="font-semibold">{pair.symbol}</span>{" "}
              <span aria-hidden="true" className="text-muted">
                ·
              </span>{" "}
              {pair.networkName}
            </span>{" "}
            <PairFacts pair={pair} texts={texts} />
          </span>
        </button>
      ))}
    </ChoiceForm>
  );
}

/** The amount, the time and the fee in one line. */
function PairFacts({ pair, texts }: { pair: PricedChoice; texts: Texts }) {
  const { estimate, fee, isCheapest, wait, waitMayBeLonger: orMore } = pair;
  const facts = [
    estimate,
    texts.networkSpeed({ wait, orMore }),
    fee && (isCheapest ? texts.lowestFee({ fee }) : texts.usualFee({ fee })),
  ].filter((fact) => fact !== null);
  return (
    <span className="block text-[0.8125rem]/4.5 text-muted tabular-nums">
      {facts.map((fact, index) => (
        <span key={fact}>
          {index > 0 && " · "}
          <bdi>{fact}</bdi>
        </span>
      ))}
    </span>
  );
}
