import { randomBytes } from "node:crypto";
import type { Metadata } from "next";
import { frameOf } from "#app/console/m/frame.ts";
import { requireDesk, requireRecent } from "#app/console/session.ts";
import { tokenText } from "#components/checkout/money-text.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { WithdrawalForm } from "#components/console/withdrawal-form.tsx";
import { findTransactionNetwork } from "#lib/chains/network.ts";
import { findNetworkToken } from "#lib/chains/network-data.ts";
import { LINK_PAIRS, NETWORKS, pairCode } from "#lib/chains/networks.ts";
import { largestBeforeFee } from "#lib/domain/ledger/fee-rules.ts";
import { getMerchantBalances } from "#lib/domain/ledger/queries.ts";
import { findMerchant } from "#lib/domain/merchants/queries.ts";
import { listTokenSettings } from "#lib/domain/settings/queries.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { getServices } from "#lib/web/services.ts";
import { askWithdrawal } from "./actions.ts";

export const metadata: Metadata = { title: "Withdraw" };

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
}

export default async function Page({ params }: PageProps) {
  const { merchant, env } = await params;
  const desk = await requireDesk({ merchant, env }, "withdrawals.create");
  requireRecent(desk.signedIn, `${desk.base}/money/withdrawals/new`);
  const pairs = await listPairs(desk.env, desk.workplace.merchantId);
  return (
    <ConsoleFrame frame={frameOf(desk)} section="money" title="Withdraw">
      {pairs.length === 0 ? (
        <p className="panel text-sm text-muted">
          There is no balance to withdraw. Payments are credited when they are final.
        </p>
      ) : (
        <WithdrawalForm
          action={askWithdrawal}
          place={{ merchant, env }}
          pairs={pairs}
          idempotencyKey={randomBytes(16).toString("hex")}
        />
      )}
    </ConsoleFrame>
  );
}

/** The pairs that can be sent: each token with a balance, on each network that has it here. */
async function listPairs(env: "live" | "test", merchantId: number) {
  const { database, networks } = getServices();
  const [{ units }, merchant, settings] = await Promise.all([
    getMerchantBalances(database.db, env, merchantId),
    findMerchant(database.db, merchantId),
    listTokenSettings(database.db, env),
  ]);
  const fees = new Map(settings.map(({ token, sendFee }) => [token, sendFee]));
  return LINK_PAIRS.flatMap((pair) => {
    const { network, token } = pair;
    const adapter = findTransactionNetwork(networks, { env, network });
    const balance = units.get(token) ?? 0n;
    const listed = adapter && findNetworkToken(adapter.data, env, token);
    if (balance <= 0n || listed === null) return [];
    const name = `${token.toUpperCase()} on ${NETWORKS[network].name}`;
    const { ledgerDecimals } = TOKENS[token];
    const step = 10n ** BigInt(ledgerDecimals - listed.decimals);
    const minimum = fees.get(token) ?? 0n;
    const most = largestBeforeFee(balance, { percentage: merchant?.feePercentage ?? "0", minimum, step });
    const limit = `The balance is ${tokenText(balance, token, "en")}.`;
    return [
      { code: pairCode(pair), name, limit, ...(most > 0n && { most: formatAmount(most, ledgerDecimals) }) },
    ];
  });
}
