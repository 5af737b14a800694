import { Icon } from "#components/ui/icon.tsx";
import type { CheckoutModel, PaymentLine } from "./checkout-model.ts";
import type { Texts } from "./texts.ts";

/** Every payment seen, with how far the network is with it. */
export function PaymentList({ model, texts }: { model: CheckoutModel; texts: Texts }) {
  if (model.payments.length === 0) return null;
  return (
    <section aria-labelledby="payments" className="grid gap-2">
      <h2 id="payments" className="label mb-0">
        {texts.payments}
      </h2>
      <ul className="divide-y divide-line rounded-xl border border-line">
        {model.payments.map((payment) => (
          <Payment key={payment.key} payment={payment} texts={texts} />
        ))}
      </ul>
    </section>
  );
}

function Payment({ payment, texts }: { payment: PaymentLine; texts: Texts }) {
  const { progress } = payment;
  return (
    <li className="grid gap-1 px-4 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className={`font-semibold tabular-nums ${progress === "dropped" ? "line-through" : ""}`}>
          {payment.amount}
        </span>
        <span className={`flex items-center gap-1.5 text-sm font-medium ${colour(progress)}`}>
          <Icon
            name={progress === "confirmed" ? "check" : progress === "dropped" ? "cross" : "clock"}
            className="size-4"
          />
          {progressText(payment, texts)}
        </span>
      </div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm text-muted">
        <span>
          {payment.networkName}
          {payment.late && `, ${texts.arrivedLate}`}
        </span>
        <Hash payment={payment} texts={texts} />
      </div>
    </li>
  );
}

function Hash({ payment, texts }: { payment: PaymentLine; texts: Texts }) {
  const { txHash, explorer } = payment;
  const short = txHash.length > 20 ? `${txHash.slice(0, 10)}…${txHash.slice(-8)}` : txHash;
  const label = `${texts.transaction} ${txHash}`;
  if (explorer === null) {
    return (
      <span className="font-mono" title={label}>
        {short}
      </span>
    );
  }
  return (
    <a
      className="link inline-flex items-center gap-1 font-mono"
      href={explorer}
      target="_blank"
      rel="noreferrer"
      aria-label={label}
    >
      {short}
      <Icon name="external" className="size-3.5" />
    </a>
  );
}

function progressText(payment: PaymentLine, texts: Texts): string {
  return payment.progress === "confirming"
    ? texts.progress.confirming(payment.confirmations, payment.required)
    : texts.progress[payment.progress];
}

function colour(progress: PaymentLine["progress"]): string {
  if (progress === "confirmed") return "text-good";
  return progress === "dropped" ? "text-bad" : "text-accent";
}
