import { NoticeBox } from "#components/ui/notice-box.tsx";
import type { WalletRefusal } from "./outcome.ts";
import type { WalletPhase } from "./wallet-phase.ts";

export interface PhaseTexts {
  readonly waiting: string;
  readonly sent: string;
  readonly refusals: Readonly<Record<WalletRefusal, string>>;
}

/** How far the payment by a wallet is. Nothing before it was asked. */
export function PhaseNotice({ phase, texts }: { phase: WalletPhase; texts: PhaseTexts }) {
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
