import { NoticeBox } from "#components/ui/notice-box.tsx";
import type { SandboxOffer as Panel } from "#lib/domain/sandbox/types.ts";
import type { CheckoutModel } from "./checkout-model.ts";
import type { Texts } from "./texts.ts";

interface SandboxFormProps {
  panel: Panel;
  model: CheckoutModel;
  texts: Texts;
  /** The server action that simulates the payer. */
  play: (form: FormData) => Promise<void>;
  /** True if the last scenario was refused. */
  refused: boolean;
}

/** Buttons that pay the link with a scenario each. A plain form, which works without scripts. */
export function SandboxForm({ panel, model, texts, play, refused }: SandboxFormProps) {
  const { title, explanation, scenarios } = texts.sandbox;
  return (
    <section
      aria-labelledby="sandbox"
      className="mx-auto mb-10 grid w-[calc(100%-2rem)] max-w-3xl gap-3 rounded-2xl border-2 border-dashed border-warn p-5 print:hidden"
    >
      <h2 id="sandbox" className="font-semibold">
        {title}
      </h2>
      <p className="text-sm text-muted">{explanation}</p>
      {refused && (
        <NoticeBox tone="bad" icon="alert">
          {texts.sandbox.refused}
        </NoticeBox>
      )}
      <form action={play} className="flex flex-wrap gap-2">
        <input type="hidden" name="refid" value={model.refid} />
        <input type="hidden" name="network" value={panel.network} />
        <input type="hidden" name="token" value={panel.token} />
        {model.lang !== null && <input type="hidden" name="lang" value={model.lang} />}
        {panel.scenarios.map((scenario) => (
          <button key={scenario} type="submit" name="scenario" value={scenario} className="button-quiet">
            {scenarios[scenario]}
          </button>
        ))}
      </form>
    </section>
  );
}
