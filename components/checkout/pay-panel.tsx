import { Age, Countdown } from "#components/ui/clock.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { QrCode } from "#components/ui/qr-code.tsx";
import { Address } from "./address.tsx";
import type { Ask, CheckoutModel } from "./checkout-model.ts";
import type { Texts } from "./texts.ts";

interface AskProps {
  ask: Ask;
  model: CheckoutModel;
  texts: Texts;
}

/** What to send and where: the code, the exact amount, the address, and what goes wrong otherwise. */
export function PayPanel({ ask, model, texts }: AskProps) {
  const pair = { symbol: ask.symbol, network: ask.networkName };
  const topUp = model.stage === "topUp";
  const copy = { copy: texts.copy, copied: texts.copied };
  return (
    <section className="grid gap-5">
      {topUp && (
        <p className="flex items-baseline justify-between gap-4 rounded-xl bg-good-soft px-4 py-3 text-good">
          <span className="text-sm">{texts.received}</span>
          <span className="font-semibold tabular-nums">{model.received.join(" + ")}</span>
        </p>
      )}
      <Notice tone="warn" icon="alert">
        <strong className="font-semibold">{texts.sendOnly(pair)}</strong> {texts.sendOnlyWhy}
      </Notice>
      <div className="grid gap-5 sm:grid-cols-[auto_minmax(0,1fr)] sm:grid-rows-[auto_1fr] sm:gap-x-6">
        <Code ask={ask} texts={texts} />
        <div>
          <p className="label">{topUp ? texts.missing : texts.amountToSend}</p>
          <p className="field">
            <span className="min-w-0 text-xl font-semibold break-words tabular-nums">
              <span data-testid="amount">{ask.amount}</span> {ask.symbol}
            </span>
            <CopyButton text={ask.amount} label={texts.copyAmount} {...copy} />
          </p>
        </div>
        <div className="sm:col-span-2 sm:row-start-3">
          <p className="label">{texts.toAddress(pair)}</p>
          <p className="field">
            <Address text={ask.address} />
            <CopyButton text={ask.address} label={texts.copyAddress} {...copy} />
          </p>
        </div>
        <Price ask={ask} model={model} texts={texts} />
      </div>
      <p className="text-sm text-muted">{texts.mustArrive}</p>
    </section>
  );
}

function Code({ ask, texts }: Pick<AskProps, "ask" | "texts">) {
  const label = texts.qrLabel({ amount: ask.amount, symbol: ask.symbol, network: ask.networkName });
  return (
    <div className="grid content-start gap-3 justify-self-center sm:row-span-2 sm:justify-self-start">
      <QrCode text={ask.walletUri} label={label} className="size-64 rounded-2xl border border-line" />
      {ask.opensWallet && (
        <a className="button" href={ask.walletUri}>
          <Icon name="wallet" className="size-5" />
          {texts.openWallet}
        </a>
      )}
    </div>
  );
}

/** The rate, whose it is, how old it is, and how long it is held. */
function Price({ ask, model, texts }: AskProps) {
  const { renderedAt } = model;
  return (
    <dl className="grid content-start gap-3 text-sm">
      <div className="flex justify-between gap-4">
        <dt className="text-muted">{texts.rate}</dt>
        <dd className="text-right font-medium tabular-nums">
          {ask.rate}
          <span className="block font-normal text-muted">
            {ask.rateSource === "fixed" ? (
              texts.rateFixed
            ) : (
              <>
                {ask.rateSource}
                <br />
                <Age seconds={ask.rateAgeSeconds} renderedAt={renderedAt} locale={texts.locale} />
              </>
            )}
          </span>
        </dd>
      </div>
      <div className="flex justify-between gap-4">
        <dt className="text-muted">{texts.priceHeld}</dt>
        <dd className="font-medium">
          <Countdown seconds={ask.quoteSeconds} renderedAt={renderedAt} />
        </dd>
      </div>
    </dl>
  );
}
