import type { ReactNode } from "react";
import { PrintButton } from "#components/ui/buttons.tsx";
import { Fold } from "#components/ui/fold.tsx";
import { QrCode } from "#components/ui/qr-code.tsx";
import type { CheckoutModel, SignedReceipt } from "./checkout-model.ts";
import { LocalTime, ZoneNote } from "./local-time.tsx";
import { OrderDetails } from "./order-details.tsx";
import type { PaymentLine } from "./payment-line.ts";
import { PaymentProgress, TransactionLink } from "./payment-list.tsx";
import type { Texts } from "./texts.ts";

/** The customer's receipt for a paid link, on the screen and printed on one sheet. */
export function PaymentReceipt({ model, texts }: { model: CheckoutModel; texts: Texts }) {
  const { title, print, order, number, completed, zone, inUtc, inLocal } = texts.receipt;
  return (
    <section aria-labelledby="receipt" className="grid gap-4 border-t border-line pt-4">
      {/* The button is next to the title, not at the end, where it would move while its text arrives. */}
      <div className="flex flex-wrap items-center gap-3">
        <h2 id="receipt" className="font-semibold">
          {title}
        </h2>
        <PrintButton label={print} />
      </div>
      <dl className="facts">
        {model.order !== null && (
          <Fact name={order}>
            <div className="grid gap-1">
              <OrderDetails order={model.order} />
            </div>
          </Fact>
        )}
        <Fact name={number}>
          <bdi dir="ltr" className="font-mono">
            {model.refid}
          </bdi>
        </Fact>
        {model.completedAt !== null && (
          <Fact name={completed}>
            <LocalTime time={model.completedAt} locale={texts.locale} />
          </Fact>
        )}
      </dl>
      <ul className="grid gap-4">
        {model.payments.map((payment) => (
          <PaymentFacts key={payment.key} payment={payment} texts={texts} />
        ))}
      </ul>
      <ZoneNote texts={{ zone, inUtc, inLocal }} />
      {model.signedReceipt !== null && <SignedCopy receipt={model.signedReceipt} texts={texts} />}
    </section>
  );
}

/** The receipt that can be checked without trusting this page: as a file, and as a code. Folded on the screen, whole on paper. */
function SignedCopy({ receipt, texts }: { receipt: SignedReceipt; texts: Texts }) {
  const { proof, signed, download, scan } = texts.receiptCheck;
  return (
    <Fold title={proof} className="printed border-t border-line">
      <p className="print:hidden">{signed}</p>
      <p className="print:hidden">
        <a className="link" href={receipt.file} download>
          {download}
        </a>
      </p>
      {receipt.checkUrl !== null && (
        <a href={receipt.checkUrl} target="_blank" rel="noreferrer" className="justify-self-center">
          <QrCode
            text={receipt.checkUrl}
            label={scan}
            correction="L"
            className="size-72 max-w-full rounded-2xl border border-line print:size-40"
          />
        </a>
      )}
    </Fold>
  );
}

function PaymentFacts({ payment, texts }: { payment: PaymentLine; texts: Texts }) {
  const { network, address, seen } = texts.receipt;
  return (
    <li className="grid gap-3 border-t border-line pt-4 break-inside-avoid">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <bdi
          dir="ltr"
          className={`font-semibold tabular-nums ${payment.progress === "dropped" ? "line-through" : ""}`}
        >
          {payment.amount}
        </bdi>
        <PaymentProgress payment={payment} texts={texts} />
      </div>
      <Fold title={texts.transaction} className="printed">
        <dl className="facts text-ink">
          <Fact name={network}>{payment.networkName}</Fact>
          {payment.rate !== null && (
            <Fact name={texts.rate}>
              <bdi className="tabular-nums">{payment.rate}</bdi>
            </Fact>
          )}
          <Fact name={seen}>
            <LocalTime time={payment.seenAt} locale={texts.locale} />
            {payment.late && ` (${texts.arrivedLate})`}
          </Fact>
          <Fact name={address}>
            <bdi dir="ltr" className="font-mono break-all">
              {payment.address}
            </bdi>
          </Fact>
          <Fact name={texts.transaction}>
            <TransactionLink payment={payment} texts={texts}>
              {payment.txHash}
            </TransactionLink>
          </Fact>
        </dl>
      </Fold>
    </li>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
