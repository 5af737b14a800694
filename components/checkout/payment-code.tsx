import type { ReactNode } from "react";
import { QrCode } from "#components/ui/qr-code.tsx";
import type { PaymentInstructions } from "./payment-instructions.ts";
import type { Texts } from "./texts.ts";

/**
 * The QR code. If the URI can hold the amount, two radio buttons switch between it and the bare address, because
 * some wallets read only addresses. The switch needs only the style sheet, no script.
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
  return (
    <div className="group/code grid content-start justify-items-center gap-3">
      <div className="group-has-[[value=address]:checked]/code:hidden">
        <QrCode
          text={instructions.walletUri}
          label={texts.qrLabel({ ...pair, amount: instructions.readableAmount })}
          className="qr"
        />
      </div>
      <div className="hidden group-has-[[value=address]:checked]/code:block">{addressCode}</div>
      <fieldset className="w-64 max-w-full">
        <legend className="sr-only">{texts.qr.label}</legend>
        <div className="grid grid-cols-2 gap-1 rounded-xl border border-line bg-page p-1">
          <CodeOption value="payment">{texts.qr.payment}</CodeOption>
          <CodeOption value="address">{texts.qr.address}</CodeOption>
        </div>
      </fieldset>
    </div>
  );
}

function CodeOption({ value, children }: { value: "payment" | "address"; children: ReactNode }) {
  return (
    <label className="segment">
      <input
        type="radio"
        name="code"
        value={value}
        defaultChecked={value === "payment"}
        className="sr-only"
      />
      {children}
    </label>
  );
}
