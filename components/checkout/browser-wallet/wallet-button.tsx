"use client";

import { type ComponentType, useEffect, useState } from "react";
import { Icon } from "#components/ui/icon.tsx";
import type { WalletTransfer } from "#lib/chains/wallet-transfer.ts";
import { findWallets, type Wallet } from "./find-wallets.ts";
import type { WalletPanelProps } from "./wallet-panel.tsx";

type WalletButtonProps = Omit<WalletPanelProps, "wallets"> & { readonly open: string };

/**
 * Shown once a wallet in this browser has announced itself. The code that talks to wallets is loaded when the button is pressed.
 */
export function WalletButton({ open, ...props }: WalletButtonProps) {
  const [wallets, setWallets] = useState<readonly Wallet[]>([]);
  const [Panel, setPanel] = useState<ComponentType<WalletPanelProps> | null>(null);
  const { kind }: WalletTransfer = props.transfer;
  useEffect(() => findWallets(kind, setWallets), [kind]);
  if (Panel !== null) {
    return (
      <div id="browser-wallet">
        <Panel wallets={wallets} {...props} />
      </div>
    );
  }
  if (wallets.length === 0) return null;
  const load = () => import("./wallet-panel.tsx").then(({ WalletPanel }) => setPanel(() => WalletPanel));
  return (
    <button id="browser-wallet" type="button" className="button" onClick={() => void load()}>
      <Icon name="wallet" />
      {open}
    </button>
  );
}
