import type { ReactNode } from "react";
import { QrCode } from "#components/ui/qr-code.tsx";
import { TOKEN_URI_READERS } from "#lib/chains/phone-wallets.ts";
import type { PaymentInstructions } from "./payment-instructions.ts";
import type { Texts } from "./texts.ts";

/**
 * The QR code. If the URI can hold the amount, two radio buttons switch between it and the bare address. For a token the
 * bare address comes first: some wallets send to the token's contract. The switch needs only the style sheet, no script.
 */
export function PaymentCode({ instructions, texts }: { instructions: PaymentInstructions; texts: Texts }) {
  const pair = { symbol: instructions.symbol, network: instructions.networkName };
  const addressCode = (
    <QrCode text={instructions.address} label={texts.qrAddressLabel(pair)} className="qr" />
  );
  if (!instructions.opensWallet) {
    return (
      <div className="grid content-start justify-items-center gap-3">
        {addressCode}
        <p className="max-w-64 text-center text-sm text-muted">{texts.qrAddressOnly}</p>
      </div>
    );
  }
  const first = instructions.isUriSafe ? "payment" : "address";
  const readers = new Intl.ListFormat(texts.locale).format(TOKEN_URI_READERS);
  return (
    <div className="group/code grid content-start justify-items-center gap-3">
      <div className="group-has-[[value=address]:checked]/code:hidden">
        <QrCode
          text={toCodeText(instructions.walletUri)}
          label={texts.qrLabel({ ...pair, amount: instructions.readableAmount })}
          className="qr"
        />
      </div>
      <div className="hidden group-has-[[value=address]:checked]/code:block">{addressCode}</div>
      <fieldset className="w-64 max-w-full">
        <legend className="sr-only">{texts.qr.label}</legend>
        <div className="grid grid-cols-2 gap-1 rounded-xl border border-line bg-page p-1">
          <CodeOption value="payment" first={first}>
            {texts.qr.payment}
          </CodeOption>
          <CodeOption value="address" first={first}>
            {texts.qr.address}
          </CodeOption>
        </div>
      </fieldset>
      <p className="hidden max-w-64 text-center text-sm text-muted group-has-[[value=address]:checked]/code:block">
        {texts.qrAddressOnly}
      </p>
      {!instructions.isUriSafe && (
        <p className="max-w-64 text-center text-sm text-warn group-has-[[value=address]:checked]/code:hidden">
          {texts.qrReaders({ wallets: readers, network: instructions.networkName })}
        </p>
      )}
    </div>
  );
}

/**
 * A bech32 address in capitals and a scheme in capitals mean the same (BIP 173, RFC 3986) and make a smaller code. The
 * parameters stay: their names are read exactly (BIP 21).
 */
function toCodeText(uri: string): string {
  return uri.replace(/^(?:bitcoin|litecoin):[a-z]+1[a-z0-9]+(?=\?)/, (start) => start.toUpperCase());
}

type Code = "payment" | "address";

function CodeOption({ value, first, children }: { value: Code; first: Code; children: ReactNode }) {
  return (
    <label className="segment">
      <input type="radio" name="code" value={value} defaultChecked={value === first} className="sr-only" />
      {children}
    </label>
  );
}
