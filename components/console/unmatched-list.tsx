import type { ReactNode } from "react";
import { tokenText } from "#components/checkout/money-text.ts";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { Env, Explorer } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import type { UnmatchedDeposit } from "#lib/domain/deposits/types.ts";
import { LocalTime } from "./local-time.tsx";

/** Why a deposit is unmatched, as people read it. */
const REASONS: Readonly<Record<string, string>> = {
  unknown_token: "A token that is not kept here",
  other_token: "Another token than was asked for",
  other_network: "Another network than the address is for",
  no_purpose: "An address that belongs to no payment",
  before_allocation: "Older than its address. Find out who sent it",
  skipped_address: "An address that was skipped",
  no_tag: "No destination tag. Ask the sender",
  unknown_tag: "An unknown destination tag. Ask the sender",
};

/** Deposits that nobody was credited with. `act` is what can be done with one. */
export function UnmatchedList({
  env,
  rows,
  networks,
  explorerOf,
  showsMerchant = false,
  base,
  act,
}: {
  env: Env;
  rows: readonly UnmatchedDeposit[];
  networks: NetworkRegistry;
  explorerOf: (row: UnmatchedDeposit) => Explorer | null;
  showsMerchant?: boolean;
  /** Path of the merchant's console, whose payments the list links. */
  base?: string;
  act?: (row: UnmatchedDeposit) => ReactNode;
}) {
  return (
    <ul className="divide-y divide-line rounded-2xl border border-line bg-card">
      {rows.map((row) => {
        const { id, network, token, contract, amount, reason, status, address, txHash, createdAt } = row;
        const adapter = networks.find(env, network);
        const shown = (canonical: string) => adapter?.addresses.display(canonical) ?? canonical;
        const url = explorerOf(row)?.tx.replace("{tx}", txHash);
        return (
          <li key={id} className="grid gap-1 p-4 text-sm">
            <p className="flex flex-wrap items-center justify-between gap-2">
              <span className="font-medium break-all tabular-nums">
                {token === null
                  ? `An unknown token: ${amount.toLocaleString("en")} of its smallest units`
                  : tokenText(amount, token, "en")}
              </span>
              <span className="badge bg-warn-soft text-warn">
                {status === "seen" ? "Being confirmed" : (REASONS[reason] ?? reason)}
              </span>
            </p>
            <p className="flex flex-wrap justify-between gap-x-4 text-muted">
              <span>{NETWORKS[network].name}</span>
              <LocalTime at={createdAt} />
            </p>
            {showsMerchant && row.merchantEmail !== null && (
              <p className="break-all text-muted">At an address of {row.merchantEmail}</p>
            )}
            {contract !== null && (
              <p className="break-all text-muted">
                Token contract: <code>{shown(contract)}</code>
              </p>
            )}
            <Origin row={row} base={base} />
            <p className="break-all text-muted">
              Address: <code>{shown(address)}</code>
            </p>
            <p className="break-all text-muted">
              Transaction:{" "}
              {url === undefined ? (
                <code>{txHash}</code>
              ) : (
                <a href={url} rel="noopener noreferrer" className="link font-mono">
                  {txHash}
                </a>
              )}
            </p>
            {act?.(row)}
          </li>
        );
      })}
    </ul>
  );
}

/** The payment and the customer that the address is for. */
function Origin({ row, base }: { row: UnmatchedDeposit; base: string | undefined }) {
  const { refid, reference } = row;
  const customer = row.customerEmail ?? row.payerEmail;
  if (refid === null && customer === null) return null;
  return (
    <p className="flex flex-wrap gap-x-4 break-all text-muted">
      {refid !== null && (
        <span>
          Payment:{" "}
          {base === undefined ? (
            <code>{refid}</code>
          ) : (
            <a href={`${base}/payments/${refid}`} className="link">
              {reference}
            </a>
          )}
        </span>
      )}
      {customer !== null && (
        <span>
          Customer: <bdi>{customer}</bdi>
        </span>
      )}
    </p>
  );
}
