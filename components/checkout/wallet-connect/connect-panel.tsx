"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { QrCode } from "#components/ui/qr-code.tsx";
import type { EvmWalletTransfer } from "#lib/chains/wallet-transfer.ts";
import { hintPayment } from "../browser-wallet/hint-payment.ts";
import { reasonOf } from "../browser-wallet/outcome.ts";
import { payByEvmWallet } from "../browser-wallet/pay-evm.ts";
import { PhaseNotice } from "../browser-wallet/phase-notice.tsx";
import type { WalletPanelProps } from "../browser-wallet/wallet-panel.tsx";
import { useWalletPhase } from "../browser-wallet/wallet-phase.ts";
import type { RelayOptions } from "./relay.ts";
import { openPairing, type Pairing } from "./session.ts";

export interface ConnectPanelProps extends Omit<WalletPanelProps, "wallets" | "transfer" | "texts"> {
  readonly transfer: EvmWalletTransfer;
  readonly relay: RelayOptions;
  /** Name of the merchant, which the wallet shows. */
  readonly merchant: string;
  readonly texts: WalletPanelProps["texts"] & { readonly scan: string; readonly link: string };
}

/** Shows the code that a wallet scans, asks that wallet for the payment, and says how that ended. */
export function ConnectPanel(props: ConnectPanelProps) {
  const { transfer, refid, pair, paymentsSeen, texts } = props;
  const [phase, setPhase] = useWalletPhase(`${refid}:${pair}:${paymentsSeen}`);
  const [tries, setTries] = useState(1);

  const pay = async (opened: Pairing) => {
    const connected = await opened.provider.catch((error: unknown) => {
      setPhase(reasonOf(error));
      return null;
    });
    if (connected === null) return;
    setPhase("waiting");
    const refusal = await payByEvmWallet(connected, transfer);
    setPhase(refusal ?? "sent");
    if (refusal === null) hintPayment(pair);
  };
  const pairing = usePairing(props, { tries, isOver: phase === "sent" }, pay);

  if (phase === "waiting" || phase === "sent") return <PhaseNotice phase={phase} texts={texts} />;
  if (phase !== "pick") {
    return (
      <div className="grid gap-2">
        <PhaseNotice phase={phase} texts={texts} />
        <button
          type="button"
          className="button"
          onClick={() => {
            setPhase("pick");
            setTries(tries + 1);
          }}
        >
          {texts.again}
        </button>
      </div>
    );
  }
  if (pairing === null) return null;
  return (
    <div className="grid justify-items-center gap-3 rounded-xl border border-line p-4">
      <p className="text-center text-sm text-muted">{texts.scan}</p>
      <QrCode text={pairing.uri} label={texts.scan} correction="L" className="size-64" />
      <a className="link text-sm" href={pairing.uri}>
        {texts.link}
      </a>
    </div>
  );
}

/** The pairing of this try. A page that renders again keeps it. Null before it is made. */
function usePairing(
  { transfer: { chainId }, relay: { url, projectId }, merchant }: ConnectPanelProps,
  { tries, isOver }: { readonly tries: number; readonly isOver: boolean },
  opened: (pairing: Pairing) => Promise<void>,
): Pairing | null {
  const [pairing, setPairing] = useState<Pairing | null>(null);
  const onOpened = useEffectEvent(opened);
  useEffect(() => {
    if (isOver || tries === 0) return;
    const made = openPairing({
      url,
      projectId,
      chainId,
      page: { name: merchant, url: window.location.origin },
    });
    setPairing(made);
    void onOpened(made);
    return () => made.close();
  }, [tries, isOver, url, projectId, chainId, merchant]);
  return pairing;
}
