import { NETWORKS } from "#lib/chains/networks.ts";
import { WalletButton } from "./browser-wallet/wallet-button.tsx";
import type { CheckoutModel } from "./checkout-model.ts";
import type { PaymentInstructions } from "./payment-instructions.ts";
import type { Texts } from "./texts.ts";
import { ConnectButton } from "./wallet-connect/connect-button.tsx";

/** The payment that the ways to pay are shown for. */
export interface PayProps {
  instructions: PaymentInstructions;
  model: CheckoutModel;
  texts: Texts;
}

/** The button of a wallet in this browser, once one has announced itself. */
export function ThisBrowser({ instructions, model, texts }: PayProps) {
  const { walletTransfer: transfer, value: pair } = instructions;
  if (transfer === null) return null;
  return (
    <WalletButton
      key={pair}
      transfer={transfer}
      refid={model.refid}
      pair={pair}
      paymentsSeen={model.payments.length}
      texts={walletTexts(instructions, texts)}
      open={texts.browserWallet.open}
    />
  );
}

/** True if a wallet on another device can pay this, and the operator has set up a relay. */
export function canConnect(
  { walletTransfer }: Pick<PaymentInstructions, "walletTransfer">,
  { walletConnect }: Pick<CheckoutModel, "walletConnect">,
): boolean {
  return walletTransfer?.kind === "eip1193" && walletConnect !== null;
}

/** The button of a wallet on another device. */
export function OtherDevice({ instructions, model, texts }: PayProps) {
  const { walletTransfer: transfer, value: pair } = instructions;
  if (transfer?.kind !== "eip1193" || model.walletConnect === null) return null;
  return (
    <ConnectButton
      key={`${pair} relay`}
      transfer={transfer}
      relay={model.walletConnect}
      merchant={model.merchantName}
      refid={model.refid}
      pair={pair}
      paymentsSeen={model.payments.length}
      texts={{ ...walletTexts(instructions, texts), ...texts.walletConnect }}
      open={texts.walletConnect.open}
    />
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
