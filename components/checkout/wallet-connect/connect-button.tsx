"use client";

import { type ComponentType, useState } from "react";
import { Icon } from "#components/ui/icon.tsx";
import type { ConnectPanelProps } from "./connect-panel.tsx";

/** Loads what talks to the relay when it is pressed. */
export function ConnectButton({ open, ...props }: ConnectPanelProps & { readonly open: string }) {
  const [Panel, setPanel] = useState<ComponentType<ConnectPanelProps> | null>(null);
  if (Panel !== null) return <Panel {...props} />;
  const load = () => import("./connect-panel.tsx").then(({ ConnectPanel }) => setPanel(() => ConnectPanel));
  return (
    <button id="wallet-connect" type="button" className="button-quiet min-h-11" onClick={() => void load()}>
      <Icon name="wallet" className="size-4" />
      {open}
    </button>
  );
}
