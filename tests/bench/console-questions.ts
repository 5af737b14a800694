import { sql } from "drizzle-orm";
import type { Db } from "#lib/platform/db/connection.ts";
import { CUSTOMERS, FORM_CODE, refidOf } from "./console-data.ts";

/** Ids and texts of what is in the database, for the addresses of screens. */
export interface References {
  readonly merchantId: number;
  readonly code: string;
  readonly form: string;
  readonly formId: number;
  readonly deviceId: number;
  /** The customer with every fiftieth link, and one with four. */
  readonly regular: number;
  readonly firstCustomer: number;
  readonly firstDelivery: number;
  readonly newestEntry: number;
  readonly month: string;
}

export async function findReferences(db: Db): Promise<References> {
  const { rows } = await db.execute<
    Record<string, string>
  >(sql`select m.id as merchant, m.code, f.id as form, d.id as device,
      (select min(id) from customers where merchant_id = m.id and email like 'payer%') as customer,
      (select max(id) from webhook_deliveries) as delivery, (select max(id) from ledger_postings) as entry,
      to_char(now() - interval '40 days', 'YYYY-MM') as month
    from forms f join merchants m on m.id = f.merchant_id join pos_devices d on d.form_id = f.id where f.code = ${FORM_CODE}`);
  const [row] = rows;
  if (row === undefined) throw new Error("the database was not filled");
  return {
    merchantId: Number(row.merchant),
    code: row.code ?? "",
    form: FORM_CODE,
    formId: Number(row.form),
    deviceId: Number(row.device),
    regular: Number(row.customer),
    firstCustomer: Number(row.customer) + 1,
    firstDelivery: Number(row.delivery),
    newestEntry: Number(row.entry),
    month: row.month ?? "",
  };
}

const hash = (n: number) => BigInt(n).toString(16).padStart(64, "0");

/** The name of each screen, and its path below the merchant's environment. `n` is the number of one of the links. */
export function listScreens(of: References): [string, (n: number) => string][] {
  const payments = (query: string) => () => `payments?${query}`;
  const search = (text: (n: number) => string) => (n: number) =>
    `payments?search=${encodeURIComponent(text(n))}`;
  const first = (n: number) => `payments?${n}`;
  return [
    ["overview of 30 days", () => "overview"],
    ["overview of 90 days", () => "overview?days=90"],
    ["payments", first],
    ["payments, a page in the middle", (n) => `payments?before=${refidOf(n)}`],
    ["payments, state completed", payments("state=completed")],
    ["payments, state partial", payments("state=partial")],
    ["payments, network and token of half", payments("pair=USDT-bep20")],
    ["payments, network and token of 60", payments("pair=BTC-bitcoin")],
    ["payments, network, token and state", payments("pair=USDT-trc20&state=overpaid")],
    ["payments, state that none has", payments("state=failed")],
    ["payments, amounts of half", payments("currency=ngn&least=50000")],
    ["payments, amounts of a percent", payments("currency=ngn&least=50000&most=51000")],
    ["payments, one amount", payments("currency=ngn&least=50000&most=50000")],
    ["payments, amounts of 10, the oldest", payments("currency=usd&most=1.50")],
    ["payments, amounts of 2 %, the oldest", payments("currency=usd&most=1000")],
    ["payments, amounts and state", payments("currency=ngn&least=50000&most=51000&state=partial")],
    [
      "payments, the oldest amounts, state, network",
      payments("currency=usd&most=1000&state=overpaid&pair=USDT-trc20"),
    ],
    ["payments, amounts that none has", payments("currency=ngn&least=9000000")],
    ["payments, a currency that none has", payments("currency=eur&least=5")],
    ["payments, form", payments(`by=form-${of.formId}`)],
    ["payments, device", payments(`by=device-${of.deviceId}`)],
    [
      "payments, form, state and amounts",
      payments(`by=form-${of.formId}&state=expired&currency=ngn&most=5000`),
    ],
    ["payments, device and state that it has not", payments(`by=device-${of.deviceId}&state=partial`)],
    ["payments, days of a time zone", payments("from=2026-03-01&to=2026-03-31")],
    ["payments, one day and state", payments("from=2026-03-01&to=2026-03-01&state=partial")],
    [
      "payments, days, amounts, form",
      payments(`from=2026-03-01&to=2026-05-31&currency=ngn&most=5000&by=form-${of.formId}`),
    ],
    ["payments, days and the other amounts", payments("from=2026-09-01&currency=usd&most=1000")],
    ["search, a whole reference", search((n) => `R${n}`)],
    ["search, beginning of a reference", search((n) => `R${n}`.slice(0, 4))],
    ["search, one letter of all references", search(() => "R")],
    ["search, a refid", search(refidOf)],
    ["search, an e-mail address", search((n) => `payer${n % CUSTOMERS}@example.com`)],
    ["search, beginning of e-mail addresses", search((n) => `payer${n}`.slice(0, 7))],
    ["search, a first name of 2 %", search((n) => `Ada${n % 50}`)],
    ["search, a rare last name", search((n) => `Obi${n}`)],
    ["search, both names", search((n) => `Ada${n % 50} Obi${n}`)],
    [
      "search, beginning of a name and state",
      (n) => `payments?search=Obi${String(n).slice(0, 2)}&state=partial`,
    ],
    ["search, a name and the oldest amounts", () => "payments?search=Ada7&currency=usd&most=1000"],
    ["search, beginning of a hash", search((n) => `0x${hash(n).slice(-6)}`)],
    ["search, six digits of an address", search((n) => hash(n * 977).slice(-6))],
    ["search, an address that nobody has", search((n) => `0x${hash(n).slice(-40)}`)],
    ["search, an amount", search((n) => String(10 + (n % 90_000)))],
    ["search, nothing that is known", search((n) => `nothing like ${n}`)],
    [
      "search in days, state and amounts",
      () => "payments?search=payer&from=2026-03-01&to=2026-03-31&state=partial&currency=ngn&most=9000",
    ],
    ["payments, counted", payments("count=yes")],
    ["payments of a state, counted", payments("state=completed&count=yes")],
    ["one payment", (n) => `payments/${refidOf(n)}`],
    ["customers", () => "customers"],
    [
      "customers, a page in the middle",
      (n) => `customers?before=${of.firstCustomer + (n % (CUSTOMERS * 0.8))}`,
    ],
    ["customers, beginning of e-mail addresses", (n) => `customers?email=payer${String(n).slice(0, 3)}`],
    ["one customer", (n) => `customers/${of.firstCustomer + (n % (CUSTOMERS * 0.8))}`],
    ["the customer with 20,000 links", () => `customers/${of.regular}`],
    ["money", () => "money"],
    [
      "money, a page in the middle",
      (n) => `money?before=${Math.max(1, of.newestEntry - n)}-${Number.MAX_SAFE_INTEGER % 10 ** 14}`,
    ],
    ["statements", () => "money/statements"],
    ["statement of a month", () => `money/statements?month=${of.month}`],
    ["withdrawals", () => "money/withdrawals"],
    ["unmatched deposits", () => "money/unmatched"],
    ["developers", () => "developers"],
    ["deliveries that failed", () => "developers?deliveries=failed"],
    [
      "deliveries, a page in the middle",
      (n) => `developers?before=${Math.max(2, of.firstDelivery - (n % (2 * CUSTOMERS)))}`,
    ],
    ["forms", () => "forms"],
    ["form with 250,000 links", () => `forms/${of.form}`],
    ["new link", () => "new"],
    ["settings", () => "settings"],
    ["audit log", () => "settings/audit"],
    ["first byte, all payments, CSV", () => "exports/file?what=payments&format=csv"],
    ["first byte, all payments, XLSX", () => "exports/file?what=payments&format=xlsx"],
    [
      "first byte, payments of a filter",
      () => "exports/file?what=payments&format=csv&currency=usd&most=1000&state=partial",
    ],
    ["first byte, payments of a search", () => "exports/file?what=payments&format=csv&search=payer7"],
    ["first byte, deposits", () => "exports/file?what=deposits&format=csv"],
    ["first byte, entries", () => "exports/file?what=entries&format=csv"],
    ["first byte, withdrawals", () => "exports/file?what=withdrawals&format=csv"],
  ];
}
