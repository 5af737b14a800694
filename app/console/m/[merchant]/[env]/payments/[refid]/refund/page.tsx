import { randomBytes } from "node:crypto";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { askWithdrawal } from "#app/console/m/[merchant]/[env]/money/withdrawals/new/actions.ts";
import { frameOf } from "#app/console/m/frame.ts";
import { requireDesk, requireRecent } from "#app/console/session.ts";
import { priceText, tokenText } from "#components/checkout/money-text.ts";
import { ClaimForm } from "#components/console/claim-form.tsx";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { WithdrawalForm } from "#components/console/withdrawal-form.tsx";
import { NETWORKS, pairCode } from "#lib/chains/networks.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import type { TokenAmount } from "#lib/domain/payment-links/types.ts";
import { readSnapshot } from "#lib/domain/payment-links/view/read-payment-links.ts";
import { computeExcess } from "#lib/domain/payment-links/view/remaining-rules.ts";
import { MAX_NOTE } from "#lib/domain/withdrawals/claims/rules.ts";
import { leftOfExcess, leftToRefund } from "#lib/domain/withdrawals/create/refund-rules.ts";
import { listRefundables } from "#lib/domain/withdrawals/queries.ts";
import type { Refundable } from "#lib/domain/withdrawals/types.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { getServices } from "#lib/web/services.ts";
import { makeClaim } from "./actions.tsx";

export const metadata: Metadata = { title: "Refund" };

interface PageProps {
  params: Promise<{ merchant: string; env: string; refid: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The person who enters the address, by the query of the page. */
const WAYS = [
  ["", "To an address"],
  ["?by=customer", "Let the customer enter one"],
] as const;

export default async function Page({ params, searchParams }: PageProps) {
  const { merchant, env, refid } = await params;
  const byCustomer = (await searchParams).by === "customer";
  const desk = await requireDesk({ merchant, env }, "withdrawals.create");
  requireRecent(desk.signedIn, `${desk.base}/payments/${refid}/refund`);
  const { database, config } = getServices();
  const { db } = database;
  const owner = { merchantId: desk.workplace.merchantId, env: desk.env };
  const snapshot = isRefid(refid) ? await readSnapshot(db, refid, owner) : null;
  if (snapshot === null) notFound();
  const { link } = snapshot;
  const now = new Date();
  const pairs = listPairs(await listRefundables(db, link.id, now), computeExcess(snapshot, now));
  const form = {
    place: { merchant, env, link: refid },
    pairs,
    idempotencyKey: randomBytes(16).toString("hex"),
  };
  return (
    <ConsoleFrame frame={frameOf(desk)} section="payments" title={`Refund ${link.paymentReference}`}>
      <a href={`${desk.base}/payments/${refid}`} className="link justify-self-start text-sm">
        {priceText(link.amount, link.currency, "en")}
      </a>
      {pairs.length === 0 ? (
        <p className="panel text-sm text-muted">
          Nothing of this payment can be refunded: nothing is credited, or all of it was refunded or promised.
        </p>
      ) : (
        <>
          <nav aria-label="Who knows the address" className="flex flex-wrap gap-2">
            {WAYS.map(([query, text]) => {
              const isHere = (query !== "") === byCustomer;
              return (
                <a
                  key={text}
                  href={`${desk.base}/payments/${refid}/refund${query}`}
                  aria-current={isHere ? "page" : undefined}
                  className={`button-quiet ${isHere ? "border-accent text-accent" : ""}`}
                >
                  {text}
                </a>
              );
            })}
          </nav>
          {byCustomer ? (
            <ClaimForm
              action={makeClaim}
              {...form}
              mailTo={config.mail === null || link.customerEmail === "" ? null : link.customerEmail}
              maxNote={MAX_NOTE}
            />
          ) : (
            <WithdrawalForm action={askWithdrawal} {...form} />
          )}
        </>
      )}
    </ConsoleFrame>
  );
}

/** The amount that is left to refund. The form begins with the excess that is not refunded yet, or else with all. */
function listPairs(refundables: readonly Refundable[], excess: readonly TokenAmount[]) {
  return refundables
    .filter((one) => leftToRefund(one) > 0n)
    .map((one) => {
      const { network, token } = one;
      const left = leftToRefund(one);
      const over = leftOfExcess(one, excess);
      const amount = over > 0n ? over : left;
      const tooMuch = over > 0n ? `, ${tokenText(over, token, "en")} too much` : "";
      return {
        code: pairCode({ network, token }),
        name: `${token.toUpperCase()} on ${NETWORKS[network].name}`,
        limit: `Up to ${tokenText(left, token, "en")}${tooMuch}.`,
        amount: formatAmount(amount, TOKENS[token].ledgerDecimals),
        most: formatAmount(left, TOKENS[token].ledgerDecimals),
      };
    });
}
