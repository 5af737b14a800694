import type { InvoiceStatus } from "#lib/domain/payment-links/invoice-rules.ts";
import type { LinkFilter } from "#lib/domain/payment-links/types.ts";
import { listLinkRecords } from "#lib/domain/payment-links/view/list-records.ts";
import { oneLineOf } from "#lib/platform/plain-text.ts";
import { type Answer, answer, invalid } from "./answers.ts";
import { invoiceRecord } from "./invoice-record.ts";
import type { GreenfieldCall } from "./route.ts";

const DEFAULT_TAKE = 50;
const MAX_TAKE = 100;
const MAX_SKIP = 10_000;
/** Order ids that a list may ask for at once. */
const MAX_ORDERS = 20;
/** Later times have a year of five digits, which PostgreSQL does not read. */
const LAST_TIME = new Date("9999-12-31T23:59:59Z");

/** The states of links that have a status. */
const STATES: Readonly<Record<InvoiceStatus["status"], NonNullable<LinkFilter["anyOf"]>>> = {
  New: [{ state: "open" }, { state: "awaiting" }, { state: "partial" }],
  Processing: [{ state: "detected" }],
  Settled: [{ state: "completed" }, { state: "overpaid" }],
  Expired: [
    { state: "expired", reason: "expired" },
    { state: "failed", reason: "underpaid" },
  ],
  Invalid: [
    { state: "expired", reason: "canceled" },
    { state: "failed", reason: "unconfirmed" },
  ],
};

/** Lists invoices, newest first, without archived ones unless they are asked for. */
export async function listInvoices(call: GreenfieldCall): Promise<Answer> {
  const { api, caller, query, now } = call;
  const problems = ["startDate", "endDate", "take", "skip"].filter(
    (name) => !/^[0-9]{0,12}$/.test(query.get(name) ?? ""),
  );
  if (problems.length > 0)
    return invalid(...problems.map((path) => ({ path, message: "The value is not a whole number." })));
  const number = (name: string, otherwise: number, most: number) =>
    Math.min(query.get(name) ? Number(query.get(name)) : otherwise, most);
  const orderIds = getAll(query, "orderId").map(oneLineOf);
  if (orderIds.length > MAX_ORDERS)
    return invalid({ path: "orderId", message: `A list has at most ${MAX_ORDERS} order ids.` });
  const text = query.get("textSearch") ?? "";
  const filter = {
    merchantId: caller.merchant.id,
    env: caller.env,
    state: null,
    paymentReference: null,
    ...(orderIds.length > 0 && { paymentReferences: orderIds }),
    ...readStatuses(query),
    ...(text !== "" && { text: oneLineOf(text) }),
    withoutArchived: query.get("includeArchived")?.toLowerCase() !== "true",
    created: { from: readTime(query.get("startDate")), to: readTime(query.get("endDate")) },
  };
  const page = { skip: number("skip", 0, MAX_SKIP), take: number("take", DEFAULT_TAKE, MAX_TAKE) };
  const deps = { db: api.database.reads, networks: api.networks, settings: api.settings };
  const links = await listLinkRecords(deps, filter, page, now);
  const place = {
    merchant: caller.merchant,
    storeId: call.storeId,
    publicUrl: api.publicUrl,
    confirmGraceHours: api.settings.confirmGraceHours,
  };
  return answer(links.map((link) => invoiceRecord(link, place)));
}

/** The values of a name. Some programs write "[]" behind the name of a list, as BTCPay Server accepts. */
const getAll = (query: URLSearchParams, name: string) => [
  ...query.getAll(name),
  ...query.getAll(`${name}[]`),
];

function readStatuses(query: URLSearchParams): Pick<LinkFilter, "anyOf"> {
  const asked = getAll(query, "status").flatMap((text) => text.split(","));
  if (asked.length === 0) return {};
  const names = Object.keys(STATES) as (keyof typeof STATES)[];
  const known = names.filter((name) => asked.some((one) => one.trim().toLowerCase() === name.toLowerCase()));
  return { anyOf: known.flatMap((name) => STATES[name]) };
}

const readTime = (text: string | null) =>
  text ? new Date(Math.min(Number(text) * 1_000, LAST_TIME.getTime())) : null;
