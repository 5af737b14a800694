import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { frameOf } from "#app/console/m/frame.ts";
import { readId } from "#app/console/read-id.ts";
import { requireDesk, requireRecent } from "#app/console/session.ts";
import { findExplorer } from "#app/find-explorer.ts";
import { tokenText } from "#components/checkout/money-text.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { UnmatchedList } from "#components/console/unmatched-list.tsx";
import { WithdrawalForm } from "#components/console/withdrawal-form.tsx";
import { NETWORKS, pairCode } from "#lib/chains/networks.ts";
import { isForOwner } from "#lib/domain/deposits/rules.ts";
import { listUnmatchedDeposits } from "#lib/domain/deposits/unmatched/queries.ts";
import { findLargestRefund } from "#lib/domain/deposits/unmatched/refund-deposit.ts";
import { findMerchant } from "#lib/domain/merchants/queries.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { getServices } from "#lib/web/services.ts";
import { refundUnmatched } from "../actions.ts";

export const metadata: Metadata = { title: "Refund an unmatched deposit" };

interface PageProps {
  params: Promise<{ merchant: string; env: string; deposit: string }>;
}

export default async function Page({ params }: PageProps) {
  const { merchant, env, deposit } = await params;
  const desk = await requireDesk({ merchant, env }, "withdrawals.create");
  requireRecent(desk.signedIn, `${desk.base}/money/unmatched/${deposit}`);
  const id = readId(deposit);
  const { database, networks } = getServices();
  const page = { before: (id ?? 0) + 1, limit: 1 };
  const [row] = await listUnmatchedDeposits(database.db, desk.env, desk.workplace.merchantId, page);
  if (row?.id !== id || row.token === null) notFound();
  const { network, token, amount } = row;
  const shop = await findMerchant(database.db, desk.workplace.merchantId);
  const most =
    shop && (await findLargestRefund(database.db, networks, { ...row, env: desk.env, token }, shop));
  return (
    <ConsoleFrame frame={frameOf(desk)} section="money" title="Refund an unmatched deposit">
      <UnmatchedList
        env={desk.env}
        rows={[row]}
        networks={networks}
        explorerOf={() => findExplorer(networks, desk.env, network)}
      />
      {row.status !== "held" || !isForOwner(row.reason) || most === null ? (
        <p className="panel text-sm text-muted">
          {row.status === "seen"
            ? "It can be refunded when it is confirmed."
            : "Only the operator decides about this deposit."}
        </p>
      ) : (
        <WithdrawalForm
          action={refundUnmatched}
          place={{ merchant, env, deposit }}
          pairs={[
            {
              code: pairCode({ network, token }),
              name: `${token.toUpperCase()} on ${NETWORKS[network].name}`,
              limit: `Up to ${tokenText(amount, token, "en")}.`,
              amount: formatAmount(most, TOKENS[token].ledgerDecimals),
            },
          ]}
          idempotencyKey=""
        />
      )}
    </ConsoleFrame>
  );
}
