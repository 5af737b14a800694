import { PosFrame, type PosFrameProps } from "./pos-frame.tsx";
import { TimeZoneField } from "./time-zone-field.tsx";

/** Asks for the code of this device. It needs no scripts, but without them the device's day begins at 0:00 UTC. */
export function PairPage({ pair, ...frame }: PosFrameProps & { pair: (form: FormData) => Promise<void> }) {
  const { model, texts } = frame;
  return (
    <PosFrame {...frame} title={model.merchantName}>
      <form action={pair} className="card">
        <h2 className="text-xl font-semibold tracking-tight">{texts.pos.pairTitle}</h2>
        <p className="text-muted">{texts.pos.pairText}</p>
        <input type="hidden" name="form" value={model.code} />
        {model.lang !== null && <input type="hidden" name="lang" value={model.lang} />}
        <TimeZoneField />
        <label className="block">
          <span className="label block">{texts.pos.deviceCode}</span>
          <input
            name="device_code"
            required
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            placeholder="XXXX-XXXX-XXXX"
            dir="ltr"
            className="input text-center font-mono text-xl tracking-wider uppercase placeholder:opacity-40"
          />
        </label>
        <button type="submit" className="button cursor-pointer">
          {texts.pos.connect}
        </button>
      </form>
    </PosFrame>
  );
}
