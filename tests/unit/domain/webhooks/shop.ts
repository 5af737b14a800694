import { addEndpoint } from "#lib/domain/webhooks/change-endpoints.ts";
import { emitInvoiceEvents } from "#lib/domain/webhooks/emit-event.ts";
import type { InvoiceEventType } from "#lib/domain/webhooks/invoice-events.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { performAs } from "#tests/support/acts.ts";
import type { Owner, Received } from "./receiver.ts";

const sealer = { seal: (text: string) => Buffer.from(text) };

/** An endpoint of a shop, which receives the events of invoices. */
export async function aShopEndpoint(
  db: Db,
  { merchantId }: Pick<Owner, "merchantId">,
  given: {
    readonly url: string;
    readonly eventTypes?: readonly string[];
    readonly secret?: string;
    readonly automaticRedelivery?: boolean;
  },
): Promise<{ readonly id: number; readonly secret: string }> {
  const { secret, eventTypes = null, ...rest } = given;
  const own = secret === undefined ? {} : { secret: { text: secret } };
  const endpoint = { sealer, eventTypes, format: "btcpay", ...rest, ...own } as const;
  const added = await performAs(db, { merchantId }, addEndpoint, endpoint);
  if (!added.ok) throw new Error(added.reason);
  return { id: added.endpoint.id, secret: added.secret };
}

/** Emits events of an invoice, in one transaction. */
export function emitInvoice(
  db: Db,
  { merchantId, env }: Pick<Owner, "merchantId" | "env">,
  invoiceId: string,
  types: readonly InvoiceEventType[],
  now: Date,
  txHashes: readonly string[] = [],
): Promise<{ id: number }[]> {
  const events = types.map((type) => ({
    ...{ merchantId, env, type, invoiceId, storeId: "shop1" },
    ...{ data: {}, metadata: {}, txHashes },
  }));
  return db.transaction((tx) => emitInvoiceEvents(tx, events, now));
}

/** The invoice and the type of a request: "INV1 Settled". */
export function sayingOf({ body }: Received): string {
  const { invoiceId, type } = JSON.parse(body);
  return `${invoiceId} ${type.replace("Invoice", "")}`;
}
