"use client";

import { useCallback, useEffect, useRef } from "react";
import { Icon } from "#components/ui/icon.tsx";
import type { WalletTransfer } from "#lib/chains/wallet-transfer.ts";
import type { Wallet } from "./find-wallets.ts";
import { hintPayment } from "./hint-payment.ts";
import { payByEvmWallet } from "./pay-evm.ts";
import { payByTronWallet } from "./pay-tron.ts";
import { PhaseNotice, type PhaseTexts } from "./phase-notice.tsx";
import { useWalletPhase, type WalletPhase } from "./wallet-phase.ts";

export interface WalletPanelProps {
  readonly wallets: readonly Wallet[];
  readonly transfer: WalletTransfer;
  readonly refid: string;
  /** Value of the form's button, such as "bep20:usdt". */
  readonly pair: string;
  /** How many payments the page shows: the next one may be sent by a wallet again. */
  readonly paymentsSeen: number;
  readonly texts: PhaseTexts & {
    readonly pick: string;
    readonly unnamed: string;
    readonly again: string;
  };
}

/** Picks a wallet where there are several, asks it for the payment, and says how that ended. */
export function WalletPanel(props: WalletPanelProps) {
  const { wallets, transfer, refid, pair, paymentsSeen, texts } = props;
  const [phase, setPhase] = useWalletPhase(`${refid}:${pair}:${paymentsSeen}`);
  const pay = useCallback(
    async ({ provider }: Wallet) => {
      setPhase("waiting");
      const refusal = await (transfer.kind === "eip1193"
        ? payByEvmWallet(provider, transfer)
        : payByTronWallet(provider, transfer));
      setPhase(refusal ?? "sent");
      if (refusal === null) hintPayment(pair);
    },
    [transfer, pair, setPhase],
  );
  usePayByOnly(wallets, phase, pay);
  if (phase === "waiting" || phase === "sent") return <PhaseNotice phase={phase} texts={texts} />;
  return (
    <div className="grid gap-2">
      <PhaseNotice phase={phase} texts={texts} />
      {wallets.length > 1 && <p className="label">{texts.pick}</p>}
      {wallets.map((wallet) => (
        <button key={wallet.id} type="button" className="button" onClick={() => void pay(wallet)}>
          {wallet.icon === null ? (
            <Icon name="wallet" />
          ) : (
            <img src={wallet.icon} alt="" className="size-5" />
          )}
          {wallets.length === 1 ? texts.again : wallet.name || texts.unnamed}
        </button>
      ))}
    </div>
  );
}

/** Where there is one wallet, it is not asked which. */
function usePayByOnly(
  wallets: readonly Wallet[],
  phase: WalletPhase,
  pay: (wallet: Wallet) => Promise<void>,
): void {
  const started = useRef(false);
  const [only] = wallets;
  useEffect(() => {
    if (started.current || phase !== "pick" || wallets.length !== 1 || !only) return;
    started.current = true;
    void pay(only);
  });
}
