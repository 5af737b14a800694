import { CopyButton } from "#components/ui/buttons.tsx";
import { Icon } from "#components/ui/icon.tsx";
import type { PaymentInstructions } from "./payment-instructions.ts";
import type { Texts } from "./texts.ts";

/** Help for customers who pay from an account at an exchange, behind one press and without a script. */
export function ExchangeHelp({ instructions, texts }: { instructions: PaymentInstructions; texts: Texts }) {
  const { exchange } = texts;
  const { networkName: network, readableAmount, symbol, pageUrl } = instructions;
  return (
    <details className="group/help border-t border-line pt-4 text-sm">
      <summary className="flex min-h-6 cursor-pointer list-none items-center justify-between gap-3 font-medium">
        {exchange.title}
        <Icon
          name="next"
          className="size-4 text-muted group-open/help:rotate-90 rtl:rotate-180 rtl:group-open/help:rotate-90"
        />
      </summary>
      <ol className="mt-3 grid list-decimal gap-2 ps-5 text-muted">
        <li>{exchange.network({ network })}</li>
        <li>{exchange.fee({ amount: `${readableAmount} ${symbol}` })}</li>
        {instructions.missesContracts && <li>{texts.contractsNotSeen({ symbol })}</li>}
        <li>{exchange.wait}</li>
      </ol>
      <p className="field mt-3">
        <bdi dir="ltr" className="min-w-0 flex-1 basis-40 break-all select-all">
          {pageUrl}
        </bdi>
        <CopyButton
          id="copy-link"
          text={pageUrl}
          label={exchange.copyLink}
          spoken={exchange.linkCopied}
          words={{ copy: texts.copy, copied: texts.copied, failed: texts.copyFailed }}
        />
      </p>
    </details>
  );
}
