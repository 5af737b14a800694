import type { Metadata } from "next";
import { textsOf } from "#components/checkout/texts.ts";
import { type CheckedReceipt, ReceiptCheck } from "#components/receipt/receipt-check.tsx";
import type { Receipt } from "#lib/domain/payment-links/receipt/receipt-rules.ts";
import { verifySigned } from "#lib/platform/signed-text.ts";
import { getServices } from "#lib/web/services.ts";
import { readPageLanguage } from "../page-request.ts";

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: textsOf(await readPageLanguage()).receiptCheck.title };
}

/** Checks a signed receipt of this installation. Without scripts, and without the database. */
export default async function Page({ searchParams }: PageProps) {
  const [{ r, lang }, language] = await Promise.all([searchParams, readPageLanguage()]);
  // Mail and messages break long lines.
  const text = typeof r === "string" ? r.replace(/\s/g, "") : "";
  return (
    <ReceiptCheck
      texts={textsOf(language)}
      lang={typeof lang === "string" ? language : null}
      text={text}
      checked={text === "" ? null : check(text)}
    />
  );
}

function check(text: string): CheckedReceipt {
  const verified = verifySigned(text, getServices().receipts.publicKeys);
  // Only this program signs with the key, and it signs nothing else.
  return verified.ok
    ? { ok: true, receipt: verified.payload as Receipt }
    : { ok: false, isOurKey: verified.reason !== "unknown_key" };
}
