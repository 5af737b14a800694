import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { frameOf } from "#app/console/m/frame.ts";
import { type Desk, requireDesk } from "#app/console/session.ts";
import { tokenText } from "#components/checkout/money-text.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { type Fact, Facts } from "#components/console/facts.tsx";
import { holdText } from "#components/console/hold-texts.ts";
import { LocalTime } from "#components/console/local-time.tsx";
import { readNotice } from "#components/console/notices.ts";
import { PasskeyForm } from "#components/console/passkey-button.tsx";
import { PayoutFacts } from "#components/console/payout-facts.tsx";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { isOpen, WithdrawalState } from "#components/console/withdrawal-state.tsx";
import { StayCurrent } from "#components/stay-current.tsx";
import { NETWORKS } from "#lib/chains/networks.ts";
import { actorOf, keyOf, userOf } from "#lib/domain/authority/actor.ts";
import { may } from "#lib/domain/authority/role-rules.ts";
import { listPeople } from "#lib/domain/members/queries.ts";
import {
  type Approvable,
  approvalRefusal,
  waitsForApproval,
} from "#lib/domain/withdrawals/approve/approval-rules.ts";
import { findApprovable, isForSigner } from "#lib/domain/withdrawals/approve/approve-withdrawal.ts";
import { findRefundSource, type RefundSource } from "#lib/domain/withdrawals/claims/queries.ts";
import { findWithdrawalByRefid, listApprovals } from "#lib/domain/withdrawals/queries.ts";
import { findHold } from "#lib/domain/withdrawals/signer/signer-queries.ts";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { getServices } from "#lib/web/services.ts";
import { declineWithdrawal, finishApprove, startApprove } from "../actions.ts";

export const metadata: Metadata = { title: "Withdrawal" };

interface PageProps {
  params: Promise<{ merchant: string; env: string; withdrawal: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const { merchant, env, withdrawal: refid } = await params;
  const desk = await requireDesk({ merchant, env }, "money.view");
  const { database, networks } = getServices();
  const owner = { merchantId: desk.workplace.merchantId, env: desk.env };
  const row = await findWithdrawalByRefid(database.db, { ...owner, refid });
  if (row === null) notFound();
  const { network, token, amount, fee, toAddress, txHash, failureReason } = row;
  const [hold, approvable, source] = await Promise.all([
    findHold(database.db, row),
    findApprovable(database.db, row),
    findRefundSource(database.db, row),
  ]);
  // Also where no signer says it.
  const isStopped = row.status === "pending" && !approvable.isMerchantActive;
  const why = isStopped ? "merchant_disabled" : (hold?.reason ?? null);
  const facts: readonly Fact[] = [
    ...(source === null ? [] : refundFacts(source, desk.base)),
    ["Fee", tokenText(fee, token, "en")],
    ["Taken from the balance", tokenText(amount + fee, token, "en")],
    ["Asked for by", await nameAsker(approvable)],
    ["Created", <LocalTime key="created" at={row.createdAt} />],
    ...(await listApprovals(database.db, row.id)).map(
      ({ name, createdAt }) =>
        [
          "Approved by",
          <span key={name}>
            {name}, <LocalTime at={createdAt} />
          </span>,
        ] as const,
    ),
    ...(txHash === null ? [] : [["Transaction", txHash] as const]),
    ...(row.reason === null ? [] : [["Reason", row.reason] as const]),
    ...(failureReason === null ? [] : [["Note", failureReason] as const]),
    ["Identifier", refid],
  ];
  return (
    <ConsoleFrame
      frame={frameOf(desk)}
      section="money"
      title={row.paymentLinkId === null ? "Withdrawal" : "Refund"}
      notice={readNotice((await searchParams).notice)}
      badge={<WithdrawalState row={row} />}
    >
      {isOpen(row) && <StayCurrent everyMs={5_000} />}
      <section className="panel max-w-xl" aria-label="What is sent">
        <PayoutFacts
          network={NETWORKS[network].name}
          amount={tokenText(amount, token, "en")}
          address={networks.find(row.env, network)?.addresses.display(toAddress) ?? toAddress}
        />
        <Facts facts={facts} />
        {why !== null && <p className="text-sm">{holdText(why).merchant}</p>}
      </section>
      {row.status === "pending" && may(desk.workplace.role, "withdrawals.approve") && (
        <Decision
          row={approvable}
          isClaimed={source?.isClaimed ?? false}
          desk={desk}
          forSigner={await isForSigner(database.db, row, { byOperator: false })}
        />
      )}
    </ConsoleFrame>
  );
}

async function nameAsker({ requestedBy, asker }: WithdrawalRow & Approvable): Promise<string> {
  const isKey = keyOf(requestedBy ?? "") !== null;
  const userId = userOf(asker ?? "");
  if (userId === null) return isKey ? "A key that the operator made" : "The operator";
  const person = (await listPeople(getServices().database.db, [userId])).get(userId);
  const name = person === undefined ? "" : `${person.name} (${person.email})`;
  return isKey ? `A key of ${name}` : name;
}

/** The payment that is refunded, and the message to the customer. */
function refundFacts({ refid, reference, note }: RefundSource, base: string): Fact[] {
  const payment = (
    <a key="payment" href={`${base}/payments/${refid}`} className="link">
      {reference}
    </a>
  );
  return [
    ["Refund of the payment", payment],
    ...(note === null ? [] : [["Message to the customer", note] as const]),
  ];
}

/** Approve it or decline it, while nothing was sent. */
function Decision({
  row,
  isClaimed,
  desk,
  forSigner,
}: {
  row: WithdrawalRow & Approvable;
  isClaimed: boolean;
  desk: Desk;
  forSigner: boolean;
}) {
  const refusal = approvalRefusal(row, actorOf(desk.signedIn.userId), { forSigner });
  const place = { merchant: desk.workplace.code, env: desk.env, withdrawal: row.refid };
  const fields = <PlaceFields of={place} />;
  return (
    <section className="panel max-w-xl" aria-label="Decision">
      {waitsForApproval(row) && !row.isSecondDemanded && (
        <p className="text-sm text-muted">
          The person or key that made its refund link may no longer make one. So it waits for an approval.
        </p>
      )}
      {refusal === "approval_by_asker" && (
        <p className="text-sm text-muted">You asked for it. Another person must approve it.</p>
      )}
      {refusal === null && (
        <>
          <p className="text-sm text-muted">
            {isClaimed
              ? "Somebody with the link of the refund entered this address. Ask the customer if you did not send the link."
              : "Compare the address with the one that you know from elsewhere."}{" "}
            What was sent cannot be brought back.
            {forSigner &&
              " Your approval counts if the operator has made you an approver of large withdrawals."}
          </p>
          <PasskeyForm
            actions={{ start: startApprove, finish: finishApprove }}
            label="Approve with a passkey"
          >
            {fields}
          </PasskeyForm>
        </>
      )}
      <form action={declineWithdrawal}>
        {fields}
        <button type="submit" className="button-quiet">
          Decline
        </button>
      </form>
    </section>
  );
}
