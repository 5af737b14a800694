import { QrCode } from "#components/ui/qr-code.tsx";
import { TOKEN_URI_READERS } from "#lib/chains/phone-wallets.ts";
import { listFormat } from "#lib/platform/formats.ts";
import { CopyCode } from "./copy-code.tsx";
import type { PaymentInstructions } from "./payment-instructions.ts";
import type { Texts } from "./texts.ts";

interface PaymentCodeProps {
  instructions: PaymentInstructions;
  texts: Texts;
}

const LOOK = "qr size-52 border-transparent";

/**
 * The code for another device. A press copies the address. It holds the amount where every wallet reads it, otherwise the bare
 * address: some wallets send to the token's contract.
 */
export function PaymentCode({ instructions, texts }: PaymentCodeProps) {
  const withAmount = instructions.opensWallet && instructions.isUriSafe;
  return (
    <CopyCode
      text={instructions.address}
      hint={texts.copyAddress}
      caption={withAmount ? texts.qr.scan : texts.qrAddressOnly}
      words={{ copied: texts.addressCopied, failed: texts.copyFailed }}
    >
      {withAmount ? (
        <AmountCode instructions={instructions} texts={texts} />
      ) : (
        <AddressCode instructions={instructions} texts={texts} />
      )}
    </CopyCode>
  );
}

/** The other code of the payment. Only where a URI opens a wallet: elsewhere there is one code. */
export function OtherCode({ instructions, texts }: PaymentCodeProps) {
  const { isUriSafe, networkName: network } = instructions;
  const wallets = listFormat(texts.locale, {}).format(TOKEN_URI_READERS);
  return (
    <>
      <h3 className="font-medium text-ink">{isUriSafe ? texts.qr.withoutAmount : texts.qr.withAmount}</h3>
      <div className="justify-self-center">
        {isUriSafe ? (
          <AddressCode instructions={instructions} texts={texts} />
        ) : (
          <AmountCode instructions={instructions} texts={texts} />
        )}
      </div>
      {isUriSafe ? (
        <p>{texts.qrAddressOnly}</p>
      ) : (
        <p className="text-warn">{texts.qrReaders({ wallets, network })}</p>
      )}
    </>
  );
}

function AddressCode({ instructions, texts }: PaymentCodeProps) {
  const { address, symbol, networkName: network } = instructions;
  return <QrCode text={address} label={texts.qrAddressLabel({ symbol, network })} className={LOOK} />;
}

function AmountCode({ instructions, texts }: PaymentCodeProps) {
  const { walletUri, readableAmount: amount, symbol, networkName: network } = instructions;
  const label = texts.qrLabel({ amount, symbol, network });
  return <QrCode text={toCodeText(walletUri)} label={label} className={LOOK} />;
}

/**
 * A bech32 address in capitals and a scheme in capitals mean the same (BIP 173, RFC 3986) and make a smaller code. The
 * parameters stay: their names are read exactly (BIP 21).
 */
function toCodeText(uri: string): string {
  return uri.replace(/^(?:bitcoin|litecoin):[a-z]+1[a-z0-9]+(?=\?)/, (start) => start.toUpperCase());
}
