import { CopyButton } from "#components/ui/buttons.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { NoticeBox } from "#components/ui/notice-box.tsx";
import { isPaymentNetwork, NETWORKS } from "#lib/chains/networks.ts";
import { AddressText } from "./address-text.tsx";
import { WalletButton } from "./browser-wallet/wallet-button.tsx";
import type { WalletPanelProps } from "./browser-wallet/wallet-panel.tsx";
import type { CheckoutModel } from "./checkout-model.ts";
import { ExchangeHelp } from "./exchange-help.tsx";
import { PaymentCode } from "./payment-code.tsx";
import { type PaymentInstructions, priceChange } from "./payment-instructions.ts";
import { PriceDetails } from "./price-details.tsx";
import { priceRenewalText } from "./status-text.ts";
import type { Texts } from "./texts.ts";
import { ConnectButton } from "./wallet-connect/connect-button.tsx";

interface PayPanelProps {
  instructions: PaymentInstructions;
  model: CheckoutModel;
  texts: Texts;
}

/**
 * The instructions for a payment: common mistakes, the exact amount, the address and the QR code. The parts that a phone's owner
 * needs come first and fit on its screen. The code is for another device.
 */
export function PayPanel({
  instructions,
  model,
  texts,
  hint,
}: PayPanelProps & Pick<WalletPanelProps, "hint">) {
  return (
    <div className="@container grid gap-4 sm:gap-5">
      {model.stage === "topUp" && (
        <p className="flex flex-wrap items-baseline justify-between gap-x-4 rounded-xl border border-transparent bg-good-soft px-4 py-3 text-good">
          <span className="text-sm">{texts.receivedSoFar}</span>
          <bdi className="font-semibold tabular-nums">{model.received.join(" + ")}</bdi>
        </p>
      )}
      <MistakeWarning instructions={instructions} texts={texts} />
      {/* Replaced when a line is inserted, so that nothing moves under a finger. */}
      <div
        key={priceChange(instructions)}
        className="grid gap-5 @xl:grid-cols-[auto_minmax(0,1fr)] @xl:grid-rows-[auto_1fr] @xl:gap-x-8"
      >
        <div className="grid content-start gap-3 sm:gap-4 @xl:col-start-2">
          <AmountField instructions={instructions} model={model} texts={texts} />
          <AddressField instructions={instructions} texts={texts} />
          <TagFields instructions={instructions} texts={texts} />
          {instructions.walletTransfer !== null && (
            <WalletButton
              key={instructions.value}
              transfer={instructions.walletTransfer}
              refid={model.refid}
              pair={instructions.value}
              paymentsSeen={model.payments.length}
              texts={walletTexts(instructions, texts)}
              open={texts.browserWallet.open}
              hint={hint}
            />
          )}
          {instructions.walletTransfer?.kind === "eip1193" && model.walletConnect !== null && (
            <ConnectButton
              key={`${instructions.value} relay`}
              transfer={instructions.walletTransfer}
              relay={model.walletConnect}
              merchant={model.merchantName}
              refid={model.refid}
              pair={instructions.value}
              paymentsSeen={model.payments.length}
              texts={{ ...walletTexts(instructions, texts), ...texts.walletConnect }}
              open={texts.walletConnect.open}
              hint={hint}
            />
          )}
          {instructions.opensWallet && instructions.isUriSafe && (
            <a className="button" href={instructions.walletUri}>
              <Icon name="wallet" />
              {texts.openWallet}
            </a>
          )}
          <PhoneWallets instructions={instructions} texts={texts} />
        </div>
        <div className="@xl:col-start-1 @xl:row-span-2 @xl:row-start-1">
          <PaymentCode instructions={instructions} texts={texts} />
        </div>
        <div className="grid content-start gap-5 @xl:col-start-2">
          <PaymentHints instructions={instructions} texts={texts} />
          <PriceDetails instructions={instructions} model={model} texts={texts} />
          <ExchangeHelp instructions={instructions} texts={texts} />
        </div>
      </div>
    </div>
  );
}

/** Links that open an app of this phone. Hidden where a mouse points: a computer has no such apps. */
function PhoneWallets({ instructions, texts }: Pick<PayPanelProps, "instructions" | "texts">) {
  if (instructions.phoneWallets.length === 0) return null;
  return (
    <div className="hidden pointer-coarse:block">
      <h2 className="label">{texts.phoneWallets}</h2>
      <ul className="flex flex-wrap gap-2">
        {instructions.phoneWallets.map(({ name, url }) => (
          <li key={name}>
            <a className="button-quiet" href={url} rel="noreferrer">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The texts of the panel of wallets for this payment. */
function walletTexts({ symbol, networkName, network, readableAmount }: PaymentInstructions, texts: Texts) {
  const { pick, unnamed, waiting, sent, again, refusals } = texts.browserWallet;
  const coin = NETWORKS[network].coin.toUpperCase();
  return {
    pick,
    unnamed,
    waiting,
    sent,
    again,
    refusals: {
      refused: refusals.refused,
      locked: refusals.locked,
      failed: refusals.failed,
      wrongChain: refusals.wrongChain({ network: networkName }),
      tooLittle: refusals.tooLittle({ amount: `${readableAmount} ${symbol}` }),
      noFee: refusals.noFee({ coin }),
    },
  };
}

/** The mistakes that lose money, shown before anything can be copied. */
function MistakeWarning({ instructions, texts }: Pick<PayPanelProps, "instructions" | "texts">) {
  return (
    <NoticeBox tone="warn" icon="alert">
      <p>
        <strong className="font-semibold">
          {texts.sendOnly({ symbol: instructions.symbol, network: instructions.networkName })}
        </strong>{" "}
        {texts.sendOnlyReason}
      </p>
      {isPaymentNetwork(instructions.network) && (
        <p className="mt-1">{texts.networkMistakes[instructions.network]}</p>
      )}
    </NoticeBox>
  );
}

function PaymentHints({ instructions, texts }: Pick<PayPanelProps, "instructions" | "texts">) {
  const { readableAmount, symbol, walletNames } = instructions;
  const names = new Intl.ListFormat(texts.locale, { type: "disjunction" }).format(walletNames);
  return (
    <ul className="grid list-disc gap-2 ps-4 text-sm/5 text-muted">
      <li>{texts.amountMustArrive({ amount: `${readableAmount} ${symbol}` })}</li>
      <li>{texts.compareAddress}</li>
      {!instructions.seesUnconfirmed && <li>{texts.seenAfterConfirmation}</li>}
      {instructions.missesContracts && <li>{texts.contractsNotSeen({ symbol })}</li>}
      {walletNames.length > 1 && <li>{texts.walletNames({ names })}</li>}
    </ul>
  );
}

function copyWords(texts: Texts) {
  return { copy: texts.copy, copied: texts.copied, failed: texts.copyFailed };
}

function AmountField({ instructions, model, texts }: PayPanelProps) {
  return (
    <div>
      <h2 className="label">
        {model.stage === "topUp" && !instructions.isSmallest ? texts.amountMissing : texts.amountToSend}
      </h2>
      <p className="field">
        <bdi dir="ltr" className="min-w-0 text-lg/7 font-semibold break-words tabular-nums sm:text-xl/7">
          <data data-testid="amount" value={instructions.amount}>
            {instructions.readableAmount}
          </data>{" "}
          {instructions.symbol}
        </bdi>
        <CopyButton
          id="copy-amount"
          text={instructions.amount}
          label={texts.copyAmount}
          spoken={texts.amountCopied}
          words={copyWords(texts)}
        />
      </p>
      <PriceRenewal instructions={instructions} texts={texts} />
    </div>
  );
}

function PriceRenewal({ instructions, texts }: Pick<PayPanelProps, "instructions" | "texts">) {
  switch (priceChange(instructions)) {
    case "none":
      return null;
    case "same":
      return <p className="hint">{texts.priceRenewedSame}</p>;
    case "changed":
      return (
        <p className="mt-2 rounded-lg border border-transparent bg-warn-soft px-3 py-2 text-sm font-medium text-warn">
          {priceRenewalText(instructions, texts)}
        </p>
      );
  }
}

function AddressField({ instructions, texts }: Pick<PayPanelProps, "instructions" | "texts">) {
  return (
    <div>
      <h2 className="label">
        {texts.toAddress({ symbol: instructions.symbol, network: instructions.networkName })}
      </h2>
      <p className="field">
        <AddressText text={instructions.address} />
        <CopyButton
          id="copy-address"
          text={instructions.address}
          label={texts.copyAddress}
          spoken={texts.addressCopied}
          words={copyWords(texts)}
        />
      </p>
    </div>
  );
}

/** Account and tag by themselves: many exchanges accept no address that contains both. */
function TagFields({ instructions, texts }: Pick<PayPanelProps, "instructions" | "texts">) {
  const { taggedAddress } = instructions;
  if (taggedAddress === null) return null;
  const { account, tag } = taggedAddress;
  return (
    <div className="grid gap-2">
      <p className="text-sm text-muted">{texts.tagNeeded}</p>
      <p className="field">
        <AddressText text={account} testId="account" />
        <CopyButton
          id="copy-account"
          text={account}
          label={texts.copyAddress}
          spoken={texts.addressCopied}
          words={copyWords(texts)}
        />
      </p>
      <h2 className="label">{texts.destinationTag}</h2>
      <p className="field">
        <bdi dir="ltr" data-testid="tag" className="min-w-0 flex-1 font-mono select-all">
          {tag}
        </bdi>
        <CopyButton
          id="copy-tag"
          text={tag}
          label={texts.copyTag}
          spoken={texts.tagCopied}
          words={copyWords(texts)}
        />
      </p>
    </div>
  );
}
