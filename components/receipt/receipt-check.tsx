import type { ReactNode } from "react";
import type { Texts } from "#components/checkout/texts.ts";
import { timestampText } from "#components/checkout/time-text.ts";
import { NoticeBox } from "#components/ui/notice-box.tsx";
import { isNetworkCode, NETWORKS } from "#lib/chains/networks.ts";
import type { Receipt } from "#lib/domain/payment-links/receipt/receipt-rules.ts";
import type { LanguageCode } from "#lib/platform/languages/languages.ts";

export type CheckedReceipt =
  | { readonly ok: true; readonly receipt: Receipt }
  | { readonly ok: false; readonly isOurKey: boolean };

interface ReceiptCheckProps {
  texts: Texts;
  /** The language that the address names, kept by the form. */
  lang: LanguageCode | null;
  /** The text that was entered. */
  text: string;
  /** The value is null before something was entered. */
  checked: CheckedReceipt | null;
}

/** The page that checks a signed receipt. */
export function ReceiptCheck({ texts, lang, text, checked }: ReceiptCheckProps) {
  const { receiptCheck } = texts;
  return (
    <main className="mx-auto my-6 w-full max-w-lg px-4">
      <div className="card">
        <h1 className="text-2xl font-semibold tracking-tight">{receiptCheck.title}</h1>
        {checked?.ok === false && (
          <NoticeBox tone="bad" icon="alert">
            {checked.isOurKey ? receiptCheck.invalid : receiptCheck.unknownKey}
          </NoticeBox>
        )}
        {checked?.ok === true && <GenuineReceipt receipt={checked.receipt} texts={texts} />}
        <form className="grid gap-4">
          {lang !== null && <input type="hidden" name="lang" value={lang} />}
          <label className="block">
            <span className="label block">{receiptCheck.field}</span>
            <textarea name="r" rows={6} required defaultValue={text} className="input font-mono text-xs" />
          </label>
          <button type="submit" className="button cursor-pointer">
            {receiptCheck.check}
          </button>
        </form>
      </div>
    </main>
  );
}

function GenuineReceipt({ receipt, texts }: { receipt: Receipt; texts: Texts }) {
  const { number, completed, network, zone } = texts.receipt;
  const { amount, currency, merchant, merchant_id, refid, completed_at: at } = receipt;
  const { transactions, payment_count } = receipt;
  // Receipts of former versions do not say it.
  const refunded = (receipt.refunded ?? []).map((one) => `${one.amount} ${one.token.toUpperCase()}`);
  return (
    <>
      <NoticeBox tone="good" icon="check">
        {texts.receiptCheck.valid}
      </NoticeBox>
      {receipt.environment === "test" && (
        <NoticeBox tone="warn" icon="alert">
          {texts.testBanner}
        </NoticeBox>
      )}
      <p className="text-3xl font-semibold tracking-tight break-words tabular-nums">
        <bdi dir="ltr">
          {amount} {currency.toUpperCase()}
        </bdi>
      </p>
      <dl className="facts">
        <Fact name={texts.payTo}>
          <bdi>{merchant}</bdi>
          {merchant_id !== undefined && <bdi className="text-muted"> (#{merchant_id})</bdi>}
        </Fact>
        <Fact name={number}>
          <bdi dir="ltr" className="font-mono break-all">
            {refid}
          </bdi>
        </Fact>
        <Fact name={completed}>{timestampText(new Date(at), texts.locale)}</Fact>
        {refunded.length > 0 && (
          <Fact name={texts.receiptCheck.refunded}>
            <bdi dir="ltr">{refunded.join(" + ")}</bdi>
          </Fact>
        )}
      </dl>
      {payment_count > transactions.length && (
        <p className="font-semibold">
          {texts.yourPayments} ({payment_count})
        </p>
      )}
      <ul className="grid gap-4">
        {transactions.map((one) => (
          <li
            key={`${one.network} ${one.tx_hash} ${one.amount}`}
            className="grid gap-3 border-t border-line pt-4"
          >
            <bdi dir="ltr" className="font-semibold tabular-nums">
              {one.amount} {one.token.toUpperCase()}
            </bdi>
            <dl className="facts">
              <Fact name={network}>
                {isNetworkCode(one.network) ? NETWORKS[one.network].name : one.network}
              </Fact>
              <Fact name={texts.transaction}>
                <bdi dir="ltr" className="font-mono break-all">
                  {one.tx_hash}
                </bdi>
              </Fact>
            </dl>
          </li>
        ))}
      </ul>
      <p className="text-xs text-muted">{zone}</p>
    </>
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
