import { tokenText } from "#components/checkout/money-text.ts";
import { LocalTime } from "#components/console/local-time.tsx";
import { NETWORKS } from "#lib/chains/networks.ts";
import type { WithdrawalRow, WithdrawalStatus } from "#lib/domain/withdrawals/types.ts";
import { getServices } from "#lib/web/services.ts";
import { findExplorer } from "../../../../../../find-explorer.ts";

const STATES: Readonly<Record<WithdrawalStatus, readonly [text: string, colours: string]>> = {
  0: ["Pending", "border border-line text-muted"],
  1: ["Being sent", "bg-accent-soft text-accent"],
  2: ["Failed", "bg-bad-soft text-bad"],
  3: ["Sent", "bg-good-soft text-good"],
  5: ["To be refunded", "bg-warn-soft text-warn"],
};

/** A withdrawal in a list. `className`: its space. */
export function WithdrawalItem({ row, className }: { row: WithdrawalRow; className: string }) {
  const { env, network, token, amount, fee, status, txHash, toAddress, createdAt } = row;
  const { networks } = getServices();
  const [text, colours] = STATES[status];
  const url = txHash && findExplorer(networks, env, network)?.tx.replace("{tx}", txHash);
  return (
    <li className={`grid gap-1 text-sm ${className}`}>
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium tabular-nums">
          {tokenText(amount, token, "en")}
          {row.paymentLinkId !== null && <span className="font-normal text-muted">, refund</span>}
        </span>
        <span className={`badge ${colours}`}>{text}</span>
      </p>
      <p className="flex flex-wrap justify-between gap-x-4 text-muted">
        <span>
          {NETWORKS[network].name}, fee {tokenText(fee, token, "en")}
        </span>
        <LocalTime at={createdAt} />
      </p>
      <code className="break-all text-muted">
        {networks.find(env, network)?.displayAddress(toAddress) ?? toAddress}
      </code>
      {url ? (
        <a href={url} rel="noopener noreferrer" className="link font-mono break-all">
          {txHash}
        </a>
      ) : (
        txHash !== null && <code className="break-all text-muted">{txHash}</code>
      )}
    </li>
  );
}
