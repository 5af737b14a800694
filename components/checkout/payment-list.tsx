import type { ReactNode } from "react";
import { Icon, type IconName } from "#components/ui/icon.tsx";
import type { CheckoutModel } from "./checkout-model.ts";
import type { PaymentLine } from "./payment-line.ts";
import type { Texts } from "./texts.ts";

const PROGRESS_STYLES: Record<PaymentLine["progress"], { icon: IconName; color: string }> = {
  confirming: { icon: "clock", color: "text-accent" },
  finality: { icon: "clock", color: "text-accent" },
  unconfirmed: { icon: "alert", color: "text-bad" },
  confirmed: { icon: "check", color: "text-good" },
  dropped: { icon: "cross", color: "text-bad" },
};

/** The newest payments, with their progress on the network, and the number of all if some are not listed. */
export function PaymentList({ model, texts }: { model: CheckoutModel; texts: Texts }) {
  if (model.payments.length === 0) return null;
  return (
    <section aria-labelledby="payments" className="grid gap-2">
      <h2 id="payments" className="label mb-0">
        {texts.yourPayments}
        {model.paymentCount !== null && ` (${model.paymentCount})`}
      </h2>
      <ul className="divide-y divide-line border-y border-line">
        {model.payments.map((payment) => (
          <PaymentItem key={payment.key} payment={payment} texts={texts} />
        ))}
      </ul>
    </section>
  );
}

function PaymentItem({ payment, texts }: { payment: PaymentLine; texts: Texts }) {
  const { progress } = payment;
  return (
    <li className="grid gap-1 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <bdi
          dir="ltr"
          className={`font-semibold tabular-nums ${progress === "dropped" ? "line-through" : ""}`}
        >
          {payment.amount}
        </bdi>
        <PaymentProgress payment={payment} texts={texts} />
      </div>
      {progress === "confirming" && payment.required > 1 && <ConfirmationBars payment={payment} />}
      <div className="flex flex-wrap items-center justify-between gap-x-4 text-sm text-muted">
        <span>
          {payment.networkName}
          {payment.late && ` (${texts.arrivedLate})`}
        </span>
        <ShortHash payment={payment} texts={texts} />
      </div>
    </li>
  );
}

/** One bar per required confirmation, filled for each confirmation. The text above says the same. */
function ConfirmationBars({ payment: { confirmations, required } }: { payment: PaymentLine }) {
  return (
    <div aria-hidden="true" className="my-1 flex gap-1">
      {Array.from({ length: required }, (_, index) => index + 1).map((block) => (
        <span
          key={block}
          className={`h-1.5 flex-1 rounded-full border ${block <= confirmations ? "border-accent bg-accent forced-colors:bg-[Highlight]" : "border-line"}`}
        />
      ))}
    </div>
  );
}

interface TransactionLinkProps {
  payment: Pick<PaymentLine, "txHash" | "explorerUrl">;
  texts: Texts;
}

/** A shortened hash that links to the explorer. */
export function ShortHash({ payment, texts }: TransactionLinkProps) {
  const { txHash } = payment;
  return (
    <TransactionLink payment={payment} texts={texts}>
      {txHash.length > 20 ? `${txHash.slice(0, 10)}…${txHash.slice(-8)}` : txHash}
    </TransactionLink>
  );
}

/** A complete or shortened hash that links to the explorer, if the network has one. */
export function TransactionLink({
  payment: { txHash, explorerUrl },
  texts,
  children,
}: TransactionLinkProps & { children: ReactNode }) {
  const hash = (
    <bdi dir="ltr" className="font-mono break-all" title={txHash}>
      {children}
    </bdi>
  );
  if (explorerUrl === null) return hash;
  return (
    <a
      className="link inline-flex min-h-6 max-w-full items-center gap-1"
      href={explorerUrl}
      target="_blank"
      rel="noreferrer"
    >
      <span className="sr-only">{texts.viewTransaction} </span>
      {hash}
      <Icon name="external" className="size-3.5 print:hidden" />
      <span className="sr-only">{texts.newTab}</span>
    </a>
  );
}

/** The progress of a payment on its network. */
export function PaymentProgress({ payment, texts }: { payment: PaymentLine; texts: Texts }) {
  const { icon, color } = PROGRESS_STYLES[payment.progress];
  return (
    <span className={`flex items-center gap-1.5 text-sm font-medium ${color}`}>
      <Icon name={icon} className="size-4" />
      {progressText(payment, texts)}
    </span>
  );
}

function progressText(payment: PaymentLine, texts: Texts): string {
  switch (payment.progress) {
    case "confirming":
      return texts.progress.confirming(payment.confirmations, payment.required);
    case "unconfirmed":
      return texts.notConfirmedInTime;
    default:
      return texts.progress[payment.progress];
  }
}
