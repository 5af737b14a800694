import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { readId } from "#app/console/read-id.ts";
import { requireOperator } from "#app/console/session.ts";
import { Facts } from "#components/console/facts.tsx";
import { LocalTime } from "#components/console/local-time.tsx";
import { OperatorFrame } from "#components/console/operator-frame.tsx";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { findLastKeyUse, findMerchant } from "#lib/domain/merchants/queries.ts";
import { listLinkRows } from "#lib/domain/payment-links/queries.ts";
import { getServices } from "#lib/web/services.ts";
import { switchMerchant } from "../actions.ts";

export const metadata: Metadata = { title: "Disable a merchant" };

interface PageProps {
  params: Promise<{ merchant: string }>;
}

/** When a merchant was last active, before the operator disables it. */
export default async function Page({ params }: PageProps) {
  await requireOperator();
  const { db } = getServices().database;
  const id = readId((await params).merchant);
  const merchant = id === null ? null : await findMerchant(db, id);
  if (merchant === null || merchant.status !== "active") notFound();
  const filter = { merchantId: merchant.id, env: "live", state: null, paymentReference: null } as const;
  const [[link], used] = await Promise.all([
    listLinkRows(db, filter, { before: null, limit: 1 }),
    findLastKeyUse(db, merchant.id),
  ]);
  return (
    <OperatorFrame section="Merchants">
      <form action={switchMerchant} className="panel max-w-xl">
        <h2 className="font-semibold">
          Disable <bdi>{merchant.name}</bdi>?
        </h2>
        <Facts
          facts={[
            ["E-mail address", merchant.email],
            [
              "Newest live link",
              link === undefined ? "none" : <LocalTime key="link" at={link.link.createdAt} />,
            ],
            ["A key was last used", used === null ? "never" : <LocalTime key="used" at={used} />],
          ]}
        />
        <p className="text-sm text-muted">
          Its keys are refused and its forms are closed, live and test. Nobody approves its withdrawals, and
          the signer does not pay them. Links that exist can still be paid. You can enable it again: what
          waits then continues.
        </p>
        <PlaceFields of={{ id: merchant.id, status: "disabled" }} />
        <div className="flex flex-wrap gap-2">
          <a href="/console/operator/merchants" className="button-quiet">
            Keep it
          </a>
          <button type="submit" className="button-danger">
            Disable the merchant
          </button>
        </div>
      </form>
    </OperatorFrame>
  );
}
