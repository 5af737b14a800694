import type { Signer } from "#lib/platform/signed-text.ts";
import { isRefid } from "../refid.ts";
import type { PaymentLinkDeps } from "../types.ts";
import { viewPaymentLink } from "../view/view-payment-link.ts";
import { composeReceipt } from "./receipt-rules.ts";

export interface ReceiptFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** The signed receipt of a link as a file. Null if there is no such link, or it is not paid. */
export async function createReceiptFile(
  deps: PaymentLinkDeps,
  signer: Signer,
  refid: string,
  now: Date,
): Promise<ReceiptFile | null> {
  const view = isRefid(refid) ? await viewPaymentLink(deps, refid, now) : null;
  const receipt = view && composeReceipt(view);
  if (receipt === null) return null;
  const content = Buffer.from(`${signer.sign(receipt)}\n`);
  return { filename: `receipt-${refid}.txt`, contentType: "text/plain; charset=utf-8", content };
}
