import { NoticeBox } from "#components/ui/notice-box.tsx";
import type { WalletPanelProps } from "./wallet-panel.tsx";
import type { WalletPhase } from "./wallet-phase.ts";

/** How far the payment by a wallet is. Nothing before it was asked. */
export function PhaseNotice({ phase, texts }: { phase: WalletPhase; texts: WalletPanelProps["texts"] }) {
  if (phase === "pick") return null;
  if (phase === "waiting" || phase === "sent") {
    return (
      <div role="status">
        <NoticeBox tone="good" icon={phase === "sent" ? "check" : "wallet"}>
          {texts[phase]}
        </NoticeBox>
      </div>
    );
  }
  return (
    <div role="alert">
      <NoticeBox tone="warn" icon="alert">
        {texts.refusals[phase]}
      </NoticeBox>
    </div>
  );
}
