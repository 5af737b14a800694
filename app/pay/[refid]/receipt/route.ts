import { createReceiptFile } from "#lib/domain/payment-links/receipt/sign-receipt.ts";
import { getServices } from "#lib/web/services.ts";

/** The signed receipt of a paid link as a file. */
export async function GET(_request: Request, { params }: { params: Promise<{ refid: string }> }) {
  const { paymentLinks, receipts } = getServices();
  const file = await createReceiptFile(paymentLinks, receipts, (await params).refid, new Date());
  if (file === null) {
    const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
    return new Response("this payment is not complete\n", { status: 404, headers });
  }
  return new Response(new Uint8Array(file.content), {
    headers: {
      "content-type": file.contentType,
      "content-disposition": `attachment; filename="${file.filename}"`,
      "cache-control": "no-store",
    },
  });
}
