import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Deliveries } from "#app/console/m/[merchant]/[env]/developers/deliveries.tsx";
import { WithdrawalItem } from "#app/console/m/[merchant]/[env]/money/withdrawals/withdrawal-item.tsx";
import { frameOf } from "#app/console/m/frame.ts";
import { NotesPanel } from "#app/console/m/notes-panel.tsx";
import { requireDesk } from "#app/console/session.ts";
import { findExplorer } from "#app/find-explorer.ts";
import { priceText, tokenText } from "#components/checkout/money-text.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { type Fact, Facts } from "#components/console/facts.tsx";
import { LinkStateBadge } from "#components/console/link-state.tsx";
import { LiveLink } from "#components/console/live-link.tsx";
import { LocalTime } from "#components/console/local-time.tsx";
import { readNotice } from "#components/console/notices.ts";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { CopyButton } from "#components/ui/buttons.tsx";
import { QrCode } from "#components/ui/qr-code.tsx";
import { NETWORKS } from "#lib/chains/networks.ts";
import { may } from "#lib/domain/authority/role-rules.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { isPaid, isUnpaid } from "#lib/domain/payment-links/rules.ts";
import type { PaymentStatus, PaymentView, TokenAmount } from "#lib/domain/payment-links/types.ts";
import { composeRecord, type PaymentLinkRecord } from "#lib/domain/payment-links/view/compose-view.ts";
import { readSnapshot } from "#lib/domain/payment-links/view/read-payment-links.ts";
import { sumArrived } from "#lib/domain/payment-links/view/remaining-rules.ts";
import { listDeliveries } from "#lib/domain/webhooks/queries.ts";
import { listOpenClaims } from "#lib/domain/withdrawals/claims/queries.ts";
import { leftToRefund } from "#lib/domain/withdrawals/create/refund-rules.ts";
import { listRefundables, listRefunds } from "#lib/domain/withdrawals/queries.ts";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { getServices } from "#lib/web/services.ts";
import { dropPaymentNote, endLink, notePayment } from "./actions.ts";
import { Claims } from "./claims.tsx";
import { Timeline } from "./timeline.tsx";

export const metadata: Metadata = { title: "Payment" };

const COPY_WORDS = { copy: "Copy", copied: "Copied", failed: "Not copied" };
const REFUNDS = 20;
const NOTES = { action: "payments.note", add: notePayment, remove: dropPaymentNote } as const;
/** A link has few events; each endpoint has a delivery of each. */
const DELIVERIES = 50;

interface PageProps {
  params: Promise<{ merchant: string; env: string; refid: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const [{ merchant, env, refid }, { notice }] = await Promise.all([params, searchParams]);
  const desk = await requireDesk({ merchant, env }, "payments.view");
  const { database, paymentLinks } = getServices();
  const owner = { merchantId: desk.workplace.merchantId, env: desk.env };
  const snapshot = isRefid(refid) ? await readSnapshot(database.db, refid, owner) : null;
  if (snapshot === null) notFound();
  const link = composeRecord(snapshot, paymentLinks, new Date());
  const { role } = desk.workplace;
  const deliveries = may(role, "developers.view")
    ? await listDeliveries(database.db, owner, { status: null, before: null, refid, limit: DELIVERIES })
    : null;
  const linkId = snapshot.link.id;
  const refunds = may(role, "money.view") ? await listRefunds(database.db, linkId, REFUNDS) : [];
  const mayRefund =
    may(role, "withdrawals.create") &&
    (await listRefundables(database.db, linkId, new Date())).some((one) => leftToRefund(one) > 0n);
  const claims = may(role, "money.view") ? await listOpenClaims(database.db, linkId, new Date()) : [];
  const place = { merchant, env, refid };
  const mayEnd = (link.state === "open" || link.state === "awaiting") && may(role, "links.cancel");
  return (
    <ConsoleFrame
      frame={frameOf(desk)}
      section="payments"
      title={priceText(link.amount, link.currency, "en")}
      notice={readNotice(notice)}
      badge={<LinkStateBadge state={link.state} isCanceled={link.reason === "canceled"} />}
      actions={
        mayRefund && (
          <a href={`${desk.base}/payments/${refid}/refund`} className="button-quiet">
            Refund
          </a>
        )
      }
    >
      <LiveLink refid={link.refid} version={link.version} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_18rem] lg:grid-rows-[auto_1fr]">
        <div className="grid min-w-0 gap-4 lg:row-span-2">
          <Sums link={link} />
          <Payments link={link} />
          {refunds.length > 0 && <Refunds refunds={refunds} base={desk.base} />}
          {claims.length > 0 && (
            <Claims claims={claims} place={may(role, "withdrawals.create") ? place : null} />
          )}
          <Timeline link={link} refunds={refunds} />
          <NotesPanel {...{ desk, place, notice, ...NOTES }} about={{ paymentLinkId: linkId }} />
          {deliveries !== null && (
            <Deliveries {...place} deliveries={deliveries} mayChange={may(role, "webhooks.change")} />
          )}
        </div>
        {isUnpaid(link.state) && (
          <div className="grid min-w-0 gap-4 max-lg:order-first lg:col-start-2">
            <Share link={link} />
            {mayEnd && <EndForm place={place} />}
          </div>
        )}
        <div className="narrow min-w-0 lg:col-start-2">
          <Details
            link={link}
            customerUrl={
              may(role, "customers.view") && snapshot.link.customerId !== null
                ? `${desk.base}/customers/${snapshot.link.customerId}`
                : null
            }
          />
        </div>
      </div>
    </ConsoleFrame>
  );
}

function EndForm({ place }: { place: Readonly<Record<"merchant" | "env" | "refid", string>> }) {
  return (
    <form action={endLink} className="panel gap-2">
      <PlaceFields of={place} />
      <button type="submit" className="button-quiet">
        End this link
      </button>
      <p className="text-sm text-muted">Its page then says that it has ended. Nobody has paid it yet.</p>
    </form>
  );
}

/** The link to send to the customer. */
function Share({ link }: { link: PaymentLinkRecord }) {
  const url = link.paymentLink;
  const subject = `Payment of ${priceText(link.amount, link.currency, "en")}, ${link.paymentReference}`;
  const mail = `mailto:${encodeURIComponent(link.customer.email)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(url)}`;
  return (
    <section className="panel justify-items-center" aria-labelledby="share">
      <h2 id="share" className="justify-self-start font-semibold">
        Send to the customer
      </h2>
      <QrCode text={url} label="QR code of the payment page" className="qr size-48" />
      <a href={url} className="link text-sm break-all" rel="noopener">
        {url}
      </a>
      <CopyButton id="copy-link" text={url} label="Copy the link" spoken="Link copied" words={COPY_WORDS} />
      <a href={mail} className="link text-sm">
        Write an e-mail
      </a>
    </section>
  );
}

function Refunds({ refunds, base }: { refunds: readonly WithdrawalRow[]; base: string }) {
  return (
    <section className="panel" aria-labelledby="refunds">
      <h2 id="refunds" className="font-semibold">
        Refunds
      </h2>
      <ul className="divide-y divide-line">
        {refunds.map((row) => (
          <WithdrawalItem key={row.id} row={row} base={base} className="py-3 first:pt-0 last:pb-0" />
        ))}
      </ul>
    </section>
  );
}

const STATUS_TEXTS: Readonly<Record<PaymentStatus, string>> = {
  seen: "Seen",
  credited: "Credited",
  dropped: "Dropped",
};

function Payments({ link }: { link: PaymentLinkRecord }) {
  const { payments, paymentCount } = link;
  return (
    <section className="panel" aria-labelledby="transactions">
      <h2 id="transactions" className="font-semibold">
        Transactions{paymentCount > payments.length && ` (the newest ${payments.length} of ${paymentCount})`}
      </h2>
      {payments.length === 0 ? (
        <p className="text-sm text-muted">Nothing has arrived yet. This page shows it at once.</p>
      ) : (
        <ul className="divide-y divide-line">
          {payments.map((payment) => (
            <Transaction key={`${payment.txHash}:${payment.position}`} payment={payment} env={link.env} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Transaction({ payment, env }: { payment: PaymentView; env: PaymentLinkRecord["env"] }) {
  const { network, token, txHash, status, confirmations, requiredConfirmations } = payment;
  const url = findExplorer(getServices().networks, env, network)?.tx.replace("{tx}", txHash) ?? null;
  return (
    <li className="grid gap-1 py-3 text-sm first:pt-0 last:pb-0">
      <div className="flex flex-wrap justify-between gap-x-4 font-medium">
        <span className="tabular-nums">{tokenText(payment.amount, token, "en")}</span>
        <span>
          {STATUS_TEXTS[status]}
          {status === "seen" &&
            ` (${Math.min(confirmations, requiredConfirmations)} of ${requiredConfirmations})`}
          {payment.late && ", late"}
        </span>
      </div>
      <div className="flex flex-wrap justify-between gap-x-4 text-muted">
        <span>{NETWORKS[network].name}</span>
        <LocalTime at={payment.firstSeenAt} seconds />
      </div>
      {url === null ? (
        <code className="text-xs break-all text-muted">{txHash}</code>
      ) : (
        <a href={url} rel="noopener noreferrer" className="link font-mono text-xs break-all">
          {txHash}
        </a>
      )}
    </li>
  );
}

/** The amount that was asked for against those that arrived, are missing, are too much and were given back. */
function Sums({ link }: { link: PaymentLinkRecord }) {
  const texts = (amounts: readonly TokenAmount[]) =>
    amounts.map(
      ({ network, token, amount }) => `${tokenText(amount, token, "en")} on ${NETWORKS[network].name}`,
    );
  const arrived = sumArrived(link);
  const askedOf = ({ network, token }: TokenAmount) =>
    link.quotes.find((quote) => quote.network === network && quote.token === token) ?? [];
  const rows: readonly (readonly [name: string, values: readonly string[]])[] = [
    ["At the newest price", texts(arrived.flatMap(askedOf))],
    ["Received", arrived.length === 0 ? ["nothing yet"] : texts(arrived)],
    ["Still missing", arrived.length === 0 ? [] : texts(link.remaining)],
    ["Too much", texts(link.excess)],
    ["Refunded or promised", texts(link.refunded)],
  ];
  const facts: readonly Fact[] = [
    ["Asked for", priceText(link.amount, link.currency, "en")],
    ...rows.flatMap(([name, values]) => values.map((value): Fact => [name, value])),
  ];
  return (
    <section className="panel" aria-label="Asked for and received">
      <Facts facts={facts} />
    </section>
  );
}

/** The payer's page, also after it was paid: a customer who asks for it again needs the same one. */
function PayerLink({ url, isPaid }: { url: string; isPaid: boolean }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <a href={url} className="link break-all" rel="noopener">
        {url}
      </a>
      <CopyButton id="copy-page" text={url} label="Copy the link" spoken="Link copied" words={COPY_WORDS} />
      {isPaid && (
        <a href={`${url}/receipt`} className="link">
          Receipt
        </a>
      )}
    </span>
  );
}

function customerFacts(customer: PaymentLinkRecord["customer"], url: string | null): readonly Fact[] {
  const name = `${customer.firstName} ${customer.lastName}`.trim() || customer.email;
  return [
    [
      "Customer",
      url === null ? (
        name
      ) : (
        <a key="customer" href={url} className="link">
          {name}
        </a>
      ),
    ],
    ["E-mail address", customer.email],
  ];
}

/** `customerUrl` is null for people who may not see customers. */
function Details({ link, customerUrl }: { link: PaymentLinkRecord; customerUrl: string | null }) {
  const { customer } = link;
  const facts: readonly Fact[] = [
    ["Reference", link.paymentReference],
    ...(link.description === null ? [] : [["Description", link.description] as const]),
    ...link.items.map(
      ({ name, quantity, amount }) =>
        ["Item", `${quantity} × ${name}: ${priceText(amount, link.currency, "en")}`] as const,
    ),
    ...(customer.email === "" ? [] : customerFacts(customer, customerUrl)),
    ...(customer.phone === null ? [] : [["Telephone", customer.phone] as const]),
    ["Created", <LocalTime key="created" at={link.createdAt} seconds />],
    ["Time to pay until", <LocalTime key="expires" at={link.expiresAt} />],
    ...(link.completedAt === null
      ? []
      : [["Paid", <LocalTime key="paid" at={link.completedAt} seconds />] as const]),
    ...link.quotes.map(
      (quote) =>
        [
          `Price on ${NETWORKS[quote.network].name}`,
          `${tokenText(quote.amount, quote.token, "en")} (1 ${quote.token.toUpperCase()} = ${quote.rate} ${link.currency.toUpperCase()}, ${quote.rateSource})`,
        ] as const,
    ),
    ...(link.metadata === null ? [] : [["Metadata", link.metadata] as const]),
    ["Identifier", link.refid],
    ...(isUnpaid(link.state)
      ? []
      : [
          [
            "Payer's page",
            <PayerLink key="page" url={link.paymentLink} isPaid={isPaid(link.state)} />,
          ] as const,
        ]),
  ];
  return (
    <section className="panel" aria-labelledby="details">
      <h2 id="details" className="font-semibold">
        Details
      </h2>
      <Facts facts={facts} />
    </section>
  );
}
