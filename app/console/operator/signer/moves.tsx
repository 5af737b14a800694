import { findExplorer } from "#app/find-explorer.ts";
import { tokenText } from "#components/checkout/money-text.ts";
import { LocalTime } from "#components/console/local-time.tsx";
import type { Env } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import type { NetworkCosts } from "#lib/domain/withdrawals/signer/outgoing-queries.ts";
import type { OutgoingRow } from "#lib/domain/withdrawals/types.ts";
import { getServices } from "#lib/web/services.ts";

const KINDS: Readonly<Record<OutgoingRow["kind"], string>> = {
  payout: "Payment",
  cancel: "Canceled a payment",
  sweep: "Sweep",
  cold: "To the cold account",
  consolidation: "Joined outputs",
  deploy: "Deployed the sweep contract",
};

const OUTCOMES = {
  final: ["Final", "bg-good-soft text-good"],
  replaced: ["Replaced", "border border-line text-muted"],
  expired: ["Expired", "border border-line text-muted"],
} as const;
const OPEN = ["Under way", "bg-accent-soft text-accent"] as const;

/** The payments of the signer with the operator's own money. */
export function Moves({ env, rows }: { env: Env; rows: readonly OutgoingRow[] }) {
  return (
    <section className="grid gap-2" aria-labelledby="moves">
      <h2 id="moves" className="font-semibold">
        Sweeps and transfers of your own money
      </h2>
      {rows.length === 0 ? (
        <p className="panel text-sm text-muted">There was none yet.</p>
      ) : (
        <ul className="divide-y divide-line rounded-2xl border border-line bg-card">
          {rows.map((row) => (
            <Move key={`${row.network}:${row.hash}`} env={env} row={row} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Move({ env, row }: { env: Env; row: OutgoingRow }) {
  const { network, hash, kind, moves, outcome, fee, createdAt } = row;
  const [state, colors] = outcome === null ? OPEN : OUTCOMES[outcome];
  const { networks } = getServices();
  const url = findExplorer(networks, env, network)?.tx.replace("{tx}", hash);
  return (
    <li className="grid gap-1 p-4 text-sm">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">
          {KINDS[kind]} on {NETWORKS[network].name}
        </span>
        <span className={`badge ${colors}`}>{state}</span>
      </p>
      <p className="flex flex-wrap justify-between gap-x-4 text-muted tabular-nums">
        <span>
          {[
            ...sumMoves(moves),
            ...(fee === null ? [] : [`fee ${tokenText(fee, NETWORKS[network].coin, "en")}`]),
          ].join(", ")}
        </span>
        <LocalTime at={createdAt} />
      </p>
      {url === undefined ? (
        <code className="break-all text-muted">{hash}</code>
      ) : (
        <a href={url} rel="noopener noreferrer" className="link font-mono break-all">
          {hash}
        </a>
      )}
    </li>
  );
}

/** The amounts of each token that a transaction moves, in words. */
function sumMoves(moves: OutgoingRow["moves"]): string[] {
  const sums = new Map<OutgoingRow["moves"][number]["token"], bigint>();
  for (const { token, amount } of moves) sums.set(token, (sums.get(token) ?? 0n) + BigInt(amount));
  return [...sums].map(([token, units]) => tokenText(units, token, "en"));
}

/** Network fees of a time, by network. */
export function Costs({ costs, days }: { costs: readonly NetworkCosts[]; days: number }) {
  return (
    <section className="panel" aria-labelledby="costs">
      <h2 id="costs" className="font-semibold">
        Network fees of {days} days
      </h2>
      {costs.length === 0 ? (
        <p className="text-sm text-muted">No transaction of the signer has become final in this time.</p>
      ) : (
        <div className="table-wide">
          <table className="console-table">
            <thead>
              <tr>
                <th scope="col">Network</th>
                <th scope="col" className="number">
                  Transactions
                </th>
                <th scope="col" className="number">
                  Fees
                </th>
              </tr>
            </thead>
            <tbody>
              {costs.map(({ network, transactions, fee }) => (
                <tr key={network}>
                  <td>{NETWORKS[network].name}</td>
                  <td className="number">{transactions}</td>
                  <td className="number break-all sm:whitespace-nowrap">
                    {tokenText(fee, NETWORKS[network].coin, "en")}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
