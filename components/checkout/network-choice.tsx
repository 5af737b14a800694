import { Icon } from "#components/ui/icon.tsx";
import type { CheckoutModel } from "./checkout-model.ts";
import type { Texts } from "./texts.ts";

interface ChoiceProps {
  model: CheckoutModel;
  choose: (form: FormData) => Promise<void>;
}

/** The pairs on offer: a form of one button each, which works without scripts. */
export function NetworkChoice({ model, choose }: ChoiceProps) {
  return (
    <form action={choose} className="grid gap-3">
      <input type="hidden" name="refid" value={model.refid} />
      {model.lang !== null && <input type="hidden" name="lang" value={model.lang} />}
      {model.choices.map((pair) => (
        <button key={pair.value} type="submit" name="pair" value={pair.value} className="choice">
          <span
            aria-hidden="true"
            className="grid size-10 shrink-0 place-items-center rounded-full bg-accent-soft text-[0.65rem] font-bold text-accent"
          >
            {pair.symbol}
          </span>
          <span className="min-w-0 flex-1">
            <span className="block font-semibold">{pair.symbol}</span>
            <span className="block text-sm text-muted">{pair.networkName}</span>
          </span>
          <Icon name="next" className="size-5 text-muted" />
        </button>
      ))}
    </form>
  );
}

/** The same, folded away once one has been chosen. */
export function OtherNetworks(props: ChoiceProps & { texts: Texts }) {
  return (
    <details className="group rounded-xl border border-line">
      <summary className="flex cursor-pointer list-none items-center justify-between gap-3 rounded-xl px-4 py-3 text-sm font-medium">
        {props.texts.otherNetwork}
        <Icon name="next" className="size-4 text-muted group-open:rotate-90" />
      </summary>
      <div className="px-3 pb-3">
        <NetworkChoice model={props.model} choose={props.choose} />
      </div>
    </details>
  );
}
