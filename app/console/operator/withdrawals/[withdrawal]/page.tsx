import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireOperator } from "#app/console/session.ts";
import { tokenText } from "#components/checkout/money-text.ts";
import { type Fact, Facts } from "#components/console/facts.tsx";
import { holdText } from "#components/console/hold-texts.ts";
import { LocalTime } from "#components/console/local-time.tsx";
import { readNotice } from "#components/console/notices.ts";
import { OperatorFrame } from "#components/console/operator-frame.tsx";
import { PasskeyForm } from "#components/console/passkey-button.tsx";
import { PayoutFacts } from "#components/console/payout-facts.tsx";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { isOpen, WithdrawalState } from "#components/console/withdrawal-state.tsx";
import { StayCurrent } from "#components/stay-current.tsx";
import { NETWORKS } from "#lib/chains/networks.ts";
import { actorOf } from "#lib/domain/authority/actor.ts";
import {
  type Approvable,
  approvalRefusal,
  waitsForApproval,
} from "#lib/domain/withdrawals/approve/approval-rules.ts";
import { findApprovable } from "#lib/domain/withdrawals/approve/approve-withdrawal.ts";
import { findWithdrawalByRefid, listApprovals } from "#lib/domain/withdrawals/queries.ts";
import { findHold } from "#lib/domain/withdrawals/signer/signer-queries.ts";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { getServices } from "#lib/web/services.ts";
import { finishSignerApproval, startSignerApproval } from "../actions.ts";

export const metadata: Metadata = { title: "Approve a withdrawal" };

interface PageProps {
  params: Promise<{ withdrawal: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const { userId } = await requireOperator();
  const { withdrawal: refid } = await params;
  const { database, networks } = getServices();
  const row = await findWithdrawalByRefid(database.db, { env: null, refid, merchantId: null });
  if (row === null) notFound();
  const [hold, approvable, approvals] = await Promise.all([
    findHold(database.db, row),
    findApprovable(database.db, row),
    listApprovals(database.db, row.id),
  ]);
  const { env, network, token, amount, toAddress } = row;
  const facts: readonly Fact[] = [
    ["Status", <WithdrawalState key="state" row={row} />],
    ["Merchant", row.email],
    ["Environment", env],
    ["Asked for", <LocalTime key="created" at={row.createdAt} />],
    ...approvals.map(
      ({ userId: id, name, createdAt }): Fact => [
        "Approved by",
        <span key={id}>
          {name}, <LocalTime at={createdAt} />
        </span>,
      ],
    ),
    ["Identifier", refid],
  ];
  return (
    <OperatorFrame section="Waiting withdrawals" notice={readNotice((await searchParams).notice)}>
      {isOpen(row) && <StayCurrent everyMs={5_000} />}
      <section className="panel max-w-xl" aria-label="What is sent">
        <PayoutFacts
          network={NETWORKS[network].name}
          amount={tokenText(amount, token, "en")}
          address={networks.find(env, network)?.addresses.display(toAddress) ?? toAddress}
        />
        <Facts facts={facts} />
        {hold !== null && (
          <p className="text-sm">
            {holdText(hold.reason).operator} Since <LocalTime at={hold.since} />.
          </p>
        )}
        {waitsForApproval(row) && (
          <p className="text-sm">An owner or manager of the merchant must approve it, too.</p>
        )}
      </section>
      <Approval row={approvable} userId={userId} isDone={approvals.some((one) => one.userId === userId)} />
      <a href={`/console/operator/withdrawals?env=${env}`} className="link justify-self-start text-sm">
        All waiting withdrawals
      </a>
    </OperatorFrame>
  );
}

/** The button of an approval, or why the person cannot approve. */
function Approval({
  row,
  userId,
  isDone,
}: {
  row: WithdrawalRow & Approvable;
  userId: number;
  isDone: boolean;
}) {
  const refusal = approvalRefusal(row, actorOf(userId), { forSigner: true });
  if (refusal === "approval_not_needed")
    return <p className="panel max-w-xl text-sm text-muted">It does not wait any more.</p>;
  if (refusal === "merchant_disabled")
    return (
      <p className="panel max-w-xl text-sm text-muted">
        The merchant is disabled. It can be approved and sent after you enable it.
      </p>
    );
  if (refusal !== null)
    return (
      <p className="panel max-w-xl text-sm text-muted">You asked for it. Somebody else must approve it.</p>
    );
  return (
    <section className="panel max-w-xl" aria-labelledby="approve">
      <h2 id="approve" className="font-semibold">
        {isDone ? "You have approved it" : "Approve"}
      </h2>
      <p className="text-sm text-muted">
        Compare network, amount and address with what the merchant says by another way. The signer counts you
        if its policy has your passkey. What was sent cannot be brought back.
      </p>
      <PasskeyForm
        actions={{ start: startSignerApproval, finish: finishSignerApproval }}
        label={isDone ? "Approve it again with a passkey" : "Approve with a passkey"}
      >
        <PlaceFields of={{ withdrawal: row.refid, env: row.env }} />
      </PasskeyForm>
    </section>
  );
}
