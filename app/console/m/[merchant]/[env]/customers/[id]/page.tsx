import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { WithdrawalItem } from "#app/console/m/[merchant]/[env]/money/withdrawals/withdrawal-item.tsx";
import { frameOf } from "#app/console/m/frame.ts";
import { NotesPanel } from "#app/console/m/notes-panel.tsx";
import { readId } from "#app/console/read-id.ts";
import { type Desk, requireDesk } from "#app/console/session.ts";
import { priceText, tokenText } from "#components/checkout/money-text.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { type Fact, Facts } from "#components/console/facts.tsx";
import { LivePayments } from "#components/console/live-payments.tsx";
import { LocalTime } from "#components/console/local-time.tsx";
import { readNotice } from "#components/console/notices.ts";
import { PaymentTable } from "#components/console/payment-table.tsx";
import { NETWORKS } from "#lib/chains/networks.ts";
import { may } from "#lib/domain/authority/role-rules.ts";
import { findCustomer } from "#lib/domain/merchants/queries.ts";
import { type CustomerTotals, findLink, getCustomerTotals } from "#lib/domain/payment-links/queries.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { listPaymentLinks } from "#lib/domain/payment-links/view/read-payment-links.ts";
import { listCustomerAddresses } from "#lib/domain/wallets/queries.ts";
import { listRefundsOf } from "#lib/domain/withdrawals/queries.ts";
import { getServices } from "#lib/web/services.ts";
import { dropCustomerNote, noteCustomer } from "./actions.ts";

export const metadata: Metadata = { title: "Customer" };

const PAGE_SIZE = 50;
const MOST_ADDRESSES = 50;
/** More links than this are not summed up. */
const MOST_LINKS = 1_000;
const SHOWN_REFUNDS = 10;

interface PageProps {
  params: Promise<{ merchant: string; env: string; id: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const { id: given, ...place } = await params;
  const desk = await requireDesk(place, "customers.view");
  const { database, networks, paymentLinks } = getServices();
  const owner = { merchantId: desk.workplace.merchantId, env: desk.env };
  const id = readId(given);
  const customer = id === null ? null : await findCustomer(database.db, owner, id);
  if (customer === null) notFound();
  const addresses = await listCustomerAddresses(database.db, customer.id, MOST_ADDRESSES);
  const { before, notice } = await searchParams;
  const older = isRefid(before) ? await findLink(database.db, before, owner) : null;
  const deps = { db: database.reads, networks, settings: paymentLinks.settings };
  const email = customer.email.toLowerCase();
  const filter = { ...owner, state: null, paymentReference: null, customerEmail: email };
  const page = { before: older?.link ?? null, limit: PAGE_SIZE + 1 };
  const links = await listPaymentLinks(deps, filter, page);
  const totals = await getCustomerTotals(database.reads, owner, { email, limit: MOST_LINKS });
  const refunds = may(desk.workplace.role, "money.view")
    ? await listRefundsOf(database.db, totals.ids, SHOWN_REFUNDS)
    : null;
  const last = links.length > PAGE_SIZE ? links[PAGE_SIZE - 1] : undefined;
  return (
    <ConsoleFrame
      frame={frameOf(desk)}
      section="customers"
      title={`${customer.firstName} ${customer.lastName}`}
      notice={readNotice(notice)}
    >
      <LivePayments desk={`${desk.workplace.code}/${desk.env}`} />
      <section className="panel" aria-label="Customer">
        <Facts
          facts={[
            ["E-mail address", customer.email],
            ...(customer.phone === null ? [] : [["Telephone", customer.phone] as const]),
            ["Since", <LocalTime key="since" at={customer.createdAt} />],
            ...totalFacts(totals, refunds?.sums ?? []),
          ]}
        />
      </section>
      {addresses.length > 0 && <Addresses env={desk.env} addresses={addresses} />}
      {refunds !== null && refunds.newest.length > 0 && <Refunds newest={refunds.newest} base={desk.base} />}
      <Notes desk={desk} notice={notice} place={{ ...place, customer: customer.id }} />
      <h2 className="font-semibold">Payments</h2>
      {links.length === 0 ? (
        <p className="panel text-sm text-muted">No payment link names this e-mail address.</p>
      ) : (
        <PaymentTable links={links.slice(0, PAGE_SIZE)} base={desk.base} />
      )}
      {last !== undefined && (
        <a href={`?before=${last.refid}`} className="button-quiet justify-self-center">
          Older payments
        </a>
      )}
    </ConsoleFrame>
  );
}

function Refunds({
  newest,
  base,
}: {
  newest: Awaited<ReturnType<typeof listRefundsOf>>["newest"];
  base: string;
}) {
  return (
    <section className="panel" aria-labelledby="refunds">
      <h2 id="refunds" className="font-semibold">
        Newest refunds
      </h2>
      <ul className="divide-y divide-line">
        {newest.map((row) => (
          <WithdrawalItem key={row.id} row={row} base={base} className="py-3 first:pt-0 last:pb-0" />
        ))}
      </ul>
    </section>
  );
}

function Notes({
  desk,
  notice,
  place,
}: {
  desk: Desk;
  notice: string | string[] | undefined;
  place: { readonly merchant: string; readonly env: string; readonly customer: number };
}) {
  const about = { customerId: place.customer };
  const actions = { add: noteCustomer, remove: dropCustomerNote };
  return <NotesPanel {...{ desk, about, place, notice, ...actions }} action="customers.note" />;
}

/** How much a customer was asked for, has paid and got back. */
function totalFacts(
  { ids, paid, sums }: CustomerTotals,
  refunded: Awaited<ReturnType<typeof listRefundsOf>>["sums"],
): readonly Fact[] {
  const count = ids.length >= MOST_LINKS ? `${paid} of the newest ${MOST_LINKS}` : `${paid} of ${ids.length}`;
  return [
    ["Links paid", count],
    ...sums.map(({ currency, amount }): Fact => ["Paid in all", priceText(amount, currency, "en")]),
    ...refunded.map(({ token, amount }): Fact => ["Refunded or promised", tokenText(amount, token, "en")]),
  ];
}

/** Where the customer can pay at any time. */
function Addresses({
  env,
  addresses,
}: {
  env: Desk["env"];
  addresses: Awaited<ReturnType<typeof listCustomerAddresses>>;
}) {
  const { networks } = getServices();
  return (
    <section className="panel gap-2" aria-labelledby="addresses">
      <h2 id="addresses" className="font-semibold">
        Addresses
      </h2>
      <ul className="grid gap-2 text-sm">
        {addresses.map(({ network, address }) => (
          <li key={`${network}:${address}`} className="flex flex-wrap justify-between gap-x-4">
            <span className="text-muted">{NETWORKS[network].name}</span>
            <code className="font-mono break-all">
              {networks.find(env, network)?.addresses.display(address) ?? address}
            </code>
          </li>
        ))}
      </ul>
    </section>
  );
}
