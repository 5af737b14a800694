import { findExplorer } from "#app/find-explorer.ts";
import { tokenText } from "#components/checkout/money-text.ts";
import { LocalTime } from "#components/console/local-time.tsx";
import { WithdrawalState } from "#components/console/withdrawal-state.tsx";
import { NETWORKS } from "#lib/chains/networks.ts";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { getServices } from "#lib/web/services.ts";

/** A withdrawal in a list. `base`: path of the merchant's console; `className`: its space. */
export function WithdrawalItem({
  row,
  base,
  className,
}: {
  row: WithdrawalRow;
  base: string;
  className: string;
}) {
  const { env, network, token, amount, fee, txHash, toAddress, createdAt } = row;
  const { networks } = getServices();
  const url = txHash && findExplorer(networks, env, network)?.tx.replace("{tx}", txHash);
  return (
    <li className={`grid gap-1 text-sm ${className}`}>
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium tabular-nums">
          <a
            href={`${base}/money/withdrawals/${row.refid}`}
            className="underline decoration-line underline-offset-4"
          >
            {tokenText(amount, token, "en")}
          </a>
          {row.paymentLinkId !== null && <span className="font-normal text-muted">, refund</span>}
        </span>
        <WithdrawalState row={row} />
      </p>
      <p className="flex flex-wrap justify-between gap-x-4 text-muted">
        <span>
          {NETWORKS[network].name}, fee {tokenText(fee, token, "en")}
        </span>
        <LocalTime at={createdAt} />
      </p>
      {row.reason !== null && <p className="break-words text-muted">Reason: {row.reason}</p>}
      <code className="break-all text-muted">
        {networks.find(env, network)?.addresses.display(toAddress) ?? toAddress}
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
