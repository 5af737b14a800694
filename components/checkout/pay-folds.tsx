import type { ReactNode } from "react";
import { CopyButton } from "#components/ui/buttons.tsx";
import { Fold } from "#components/ui/fold.tsx";
import { isPaymentNetwork } from "#lib/chains/networks.ts";
import { listFormat } from "#lib/platform/formats.ts";
import { OrderFold } from "./order-details.tsx";
import { OtherCode } from "./payment-code.tsx";
import { PriceDetails } from "./price-details.tsx";
import type { Texts } from "./texts.ts";
import { canConnect, OtherDevice, type PayProps } from "./wallet-ways.tsx";

/** The questions of a payer before sending, each folded over its answer. */
export function PayFolds(props: PayProps) {
  const { instructions, model, texts } = props;
  return (
    <div className="divide-y divide-line border-y border-line">
      <OrderFold model={model} texts={texts} />
      <NetworkHelp instructions={instructions} texts={texts} />
      <ExchangeHelp instructions={instructions} texts={texts} />
      <Fold title={texts.folds.address}>
        <p>{texts.compareAddress}</p>
      </Fold>
      <OtherWays {...props} />
      {instructions.rate !== null && (
        <Fold title={texts.folds.rate}>
          <PriceDetails instructions={instructions} model={model} texts={texts} />
        </Fold>
      )}
      <DeadlineHelp model={model} texts={texts}>
        {!instructions.seesUnconfirmed && <p>{texts.seenAfterConfirmation}</p>}
      </DeadlineHelp>
    </div>
  );
}

/** A wallet on another device, and the other code. */
function OtherWays(props: PayProps) {
  const { instructions, model, texts } = props;
  const connects = canConnect(instructions, model);
  if (!connects && !instructions.opensWallet) return null;
  return (
    <Fold title={texts.folds.ways}>
      {connects && <OtherDevice {...props} />}
      {instructions.opensWallet && <OtherCode instructions={instructions} texts={texts} />}
    </Fold>
  );
}

/** The answer to what happens when the time is up. */
export function DeadlineHelp({
  model,
  texts,
  children,
}: Pick<PayProps, "model" | "texts"> & { children?: ReactNode }) {
  return (
    <Fold title={texts.folds.deadline}>
      <p>{texts.deadlineNote({ merchant: model.merchantName })}</p>
      {children}
    </Fold>
  );
}

/** Why only this network, how else it is called, and what it is mistaken for. */
function NetworkHelp({ instructions, texts }: Pick<PayProps, "instructions" | "texts">) {
  const { network, walletNames } = instructions;
  const names = listFormat(texts.locale, { type: "disjunction" }).format(walletNames);
  return (
    <Fold title={texts.folds.network}>
      <p>{texts.sendOnlyReason}</p>
      {isPaymentNetwork(network) && <p>{texts.networkMistakes[network]}</p>}
      {walletNames.length > 1 && <p>{texts.walletNames({ names })}</p>}
    </Fold>
  );
}

/** Help for customers who pay from an account at an exchange. */
function ExchangeHelp({ instructions, texts }: Pick<PayProps, "instructions" | "texts">) {
  const { exchange } = texts;
  const { networkName: network, readableAmount, symbol, pageUrl } = instructions;
  return (
    <Fold title={exchange.title}>
      <ol className="grid list-decimal gap-2 ps-5">
        <li>{exchange.network({ network })}</li>
        <li>{exchange.fee({ amount: `${readableAmount} ${symbol}` })}</li>
        <li>{exchange.wait}</li>
      </ol>
      <p className="field">
        <bdi dir="ltr" className="min-w-0 flex-1 basis-40 break-all select-all">
          {pageUrl}
        </bdi>
        <CopyPart
          id="copy-link"
          text={pageUrl}
          says={[exchange.copyLink, exchange.linkCopied]}
          texts={texts}
        />
      </p>
    </Fold>
  );
}

/** The button that copies a part of the instructions. `says`: its accessible name, and what is announced after copying. */
export function CopyPart({
  id,
  text,
  says: [label, spoken],
  texts,
}: {
  id: string;
  text: string;
  says: readonly [label: string, spoken: string];
  texts: Texts;
}) {
  const words = { copy: texts.copy, copied: texts.copied, failed: texts.copyFailed };
  return <CopyButton id={id} text={text} label={label} spoken={spoken} words={words} />;
}
