import { Fold } from "#components/ui/fold.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { AddressText } from "./address-text.tsx";
import { CopyPart, PayFolds } from "./pay-folds.tsx";
import { PaymentCode } from "./payment-code.tsx";
import { type PaymentInstructions, priceChange } from "./payment-instructions.ts";
import { priceRenewalText } from "./status-text.ts";
import { type PayProps, ThisBrowser } from "./wallet-ways.tsx";

type PartProps = Pick<PayProps, "instructions" | "texts">;

/**
 * The instructions for a payment: the exact amount, the network, the address and the code. What a payer needs fits on the first screen of
 * a phone. Everything else is folded.
 */
export function PayPanel(props: PayProps) {
  const { instructions, model, texts } = props;
  return (
    <div className="grid gap-3">
      {model.stage === "topUp" && (
        <p className="flex flex-wrap items-baseline justify-between gap-x-4 rounded-lg border border-transparent bg-good-soft px-3 py-2 text-good">
          <span className="text-sm">{texts.receivedSoFar}</span>
          <bdi className="font-semibold tabular-nums">{model.received.join(" + ")}</bdi>
        </p>
      )}
      {/* Replaced when a line is inserted, so that nothing moves under a finger. */}
      <div key={priceChange(instructions)} className="grid gap-3">
        <AmountField instructions={instructions} model={model} texts={texts} />
        <OnlyThis instructions={instructions} texts={texts} />
        <AddressField instructions={instructions} texts={texts} />
        <TagFields instructions={instructions} texts={texts} />
        <ThisBrowser {...props} />
        {instructions.opensWallet && instructions.isUriSafe && (
          // One way above the code: a wallet in this browser takes the place of the app.
          <a className="button [#browser-wallet~&]:hidden" href={instructions.walletUri}>
            <Icon name="wallet" />
            {texts.openWallet}
          </a>
        )}
        <PhoneWallets instructions={instructions} texts={texts} />
        <PaymentCode instructions={instructions} texts={texts} />
        <p className="flex items-center justify-center gap-2 text-sm">
          <span className="size-2.5 rounded-full border border-transparent bg-accent motion-safe:animate-pulse" />
          {texts.preview.waiting}
        </p>
        <PayFolds {...props} />
      </div>
    </div>
  );
}

/** Links that open an app of this phone. Hidden where a mouse points: a computer has no such apps. */
function PhoneWallets({ instructions, texts }: PartProps) {
  if (instructions.phoneWallets.length === 0) return null;
  return (
    <Fold title={texts.phoneWallets} className="hidden border-y border-line pointer-coarse:block">
      <ul className="flex flex-wrap gap-2">
        {instructions.phoneWallets.map(({ name, url }) => (
          <li key={name}>
            <a className="button-quiet min-h-11" href={url} rel="noreferrer">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </Fold>
  );
}

/** The mistakes that lose money, shown before the address can be copied. */
function OnlyThis({ instructions, texts }: PartProps) {
  const { symbol, networkName: network } = instructions;
  return (
    <div className="grid gap-1 rounded-lg border border-transparent bg-warn-soft px-2.5 py-2 text-[0.8125rem]/5 text-warn">
      <p className="flex items-center gap-1.5 font-medium">
        <Icon name="alert" className="size-4" />
        {texts.sendOnly({ symbol, network })}
      </p>
      {instructions.missesContracts && <p>{texts.contractsNotSeen({ symbol })}</p>}
    </div>
  );
}

function AmountField({ instructions, model, texts }: PartProps & Pick<PayProps, "model">) {
  return (
    <div>
      <div className="flex items-center justify-between gap-3">
        <div className="min-w-0">
          {/* The heading of the page says it while everything is to be sent. */}
          <h2 className={model.stage === "topUp" ? "text-sm text-muted" : "sr-only"}>
            {model.stage === "topUp" && !instructions.isSmallest ? texts.amountMissing : texts.amountToSend}
          </h2>
          <p>
            <bdi dir="ltr" className={`font-semibold break-words tabular-nums ${amountSize(instructions)}`}>
              <data data-testid="amount" value={instructions.amount}>
                {instructions.readableAmount}
              </data>{" "}
              {instructions.symbol}
            </bdi>
          </p>
          <p className="text-xs/4 text-muted">{texts.arrivesInFull}</p>
        </div>
        <CopyPart
          id="copy-amount"
          text={instructions.amount}
          says={[texts.copyAmount, texts.amountCopied]}
          texts={texts}
        />
      </div>
      <PriceRenewal instructions={instructions} texts={texts} />
    </div>
  );
}

/** Keeps a long amount on one line of a phone. */
function amountSize({ readableAmount, symbol }: PaymentInstructions): string {
  return readableAmount.length + symbol.length > 11 ? "text-lg/7" : "text-2xl/7";
}

function PriceRenewal({ instructions, texts }: PartProps) {
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

function AddressField({ instructions, texts }: PartProps) {
  return (
    <div className="flex items-center justify-between gap-3">
      <div className="min-w-0">
        <h2 className="text-sm text-muted">{texts.address}</h2>
        <AddressText text={instructions.address} />
      </div>
      <CopyPart
        id="copy-address"
        text={instructions.address}
        says={[texts.copyAddress, texts.addressCopied]}
        texts={texts}
      />
    </div>
  );
}

/** Account and tag by themselves: many exchanges accept no address that contains both. */
function TagFields({ instructions, texts }: PartProps) {
  const { taggedAddress } = instructions;
  if (taggedAddress === null) return null;
  const { account, tag } = taggedAddress;
  return (
    <div className="grid gap-2">
      <p className="text-sm text-muted">{texts.tagNeeded}</p>
      <p className="field">
        <AddressText text={account} testId="account" />
        <CopyPart
          id="copy-account"
          text={account}
          says={[texts.copyAddress, texts.addressCopied]}
          texts={texts}
        />
      </p>
      <p className="field">
        <span className="text-sm text-muted">{texts.destinationTag}</span>
        <bdi dir="ltr" data-testid="tag" className="min-w-0 flex-1 font-mono select-all">
          {tag}
        </bdi>
        <CopyPart id="copy-tag" text={tag} says={[texts.copyTag, texts.tagCopied]} texts={texts} />
      </p>
    </div>
  );
}
