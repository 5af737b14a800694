import { SubmitSpinner } from "#components/ui/buttons.tsx";
import { CoinMark } from "#components/ui/coin-mark.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { isPaymentNetwork } from "#lib/chains/networks.ts";
import type { CheckoutModel } from "./checkout-model.ts";
import type { PairChoice } from "./pair-choice.ts";
import type { Texts } from "./texts.ts";

interface ChoiceProps {
  model: CheckoutModel;
  texts: Texts;
  choose: (form: FormData) => Promise<void>;
}

/** The selectable pairs: one form with one button each, which works without scripts. */
export function NetworkChoice({ model, texts, choose }: ChoiceProps) {
  return (
    <form action={choose} className="grid gap-3">
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
          <CoinMark symbol={pair.symbol} />
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="font-semibold">{pair.symbol}</span>{" "}
              {pair.estimate !== null && (
                <span className="text-sm tabular-nums">{texts.estimate({ amount: pair.estimate })}</span>
              )}
            </span>{" "}
            <span className="block text-sm">{pair.networkName}</span>{" "}
            {pair.fee !== null && (
              <span className="mt-1 block text-sm text-muted">
                {texts.usualFee({ fee: pair.fee })}{" "}
                {pair.isCheapest && <span className="font-medium text-good">{texts.lowestFee}</span>}
              </span>
            )}{" "}
            <span className="mt-1 block text-sm text-muted">{networkHintText(pair, texts)}</span>
          </span>
          <SubmitSpinner name="pair" value={pair.value}>
            <Icon name="next" className="size-5 text-muted rtl:rotate-180" />
          </SubmitSpinner>
        </button>
      ))}
    </form>
  );
}

function networkHintText(
  { network, addressPrefix, wait, waitMayBeLonger }: PairChoice,
  texts: Texts,
): string {
  const speed = texts.networkSpeed({ wait, orMore: waitMayBeLonger });
  const hint = isPaymentNetwork(network) ? `${texts.networkHints[network]({ start: addressPrefix })}. ` : "";
  return `${hint}${speed}.`;
}

/** The same, collapsed once a network is chosen. */
export function OtherNetworks(props: ChoiceProps) {
  return (
    <details className="group rounded-xl border border-line">
      <summary className="flex cursor-pointer list-none items-center justify-between gap-3 rounded-xl px-4 py-3 text-sm font-medium">
        {props.texts.otherNetwork}
        <Icon
          name="next"
          className="size-4 text-muted group-open:rotate-90 rtl:rotate-180 rtl:group-open:rotate-90"
        />
      </summary>
      <div className="px-3 pb-3">
        <NetworkChoice {...props} />
      </div>
    </details>
  );
}
