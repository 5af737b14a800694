import type { Metadata } from "next";
import { frameOf } from "#app/console/m/frame.ts";
import {
  filterQuery,
  linksOf,
  type PaymentFilter,
  readPaymentFilter,
} from "#app/console/m/read-payment-filter.ts";
import { type Desk, requireDesk } from "#app/console/session.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { LINK_STATE_TEXTS } from "#components/console/link-state.tsx";
import { LivePayments } from "#components/console/live-payments.tsx";
import { PaymentTable } from "#components/console/payment-table.tsx";
import { LINK_PAIRS, NETWORKS, pairCode } from "#lib/chains/networks.ts";
import { may } from "#lib/domain/authority/role-rules.ts";
import { countPaymentLinks, findLink } from "#lib/domain/payment-links/queries.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { MAX_SEARCH } from "#lib/domain/payment-links/search/search-text.ts";
import { listPaymentLinks, searchPaymentLinks } from "#lib/domain/payment-links/view/read-payment-links.ts";
import { getServices } from "#lib/web/services.ts";

export const metadata: Metadata = { title: "Payments" };

const PAGE_SIZE = 50;

const ownerOf = ({ workplace, env }: Desk) => ({ merchantId: workplace.merchantId, env });

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const desk = await requireDesk(await params, "payments.view");
  const query = await searchParams;
  const filter = readPaymentFilter((name) => query[name]);
  const links = await listPage(desk, filter, query.before);
  const listed = links.slice(0, PAGE_SIZE);
  const last = links.length > PAGE_SIZE ? listed.at(-1) : undefined;
  const isFiltered = Object.values(filter).some((value) => value !== null);
  const mayCreate = may(desk.workplace.role, "links.create");
  return (
    <ConsoleFrame
      frame={frameOf(desk)}
      section="payments"
      title="Payments"
      actions={
        mayCreate && (
          <a href={`${desk.base}/new`} className="button-small">
            New link
          </a>
        )
      }
    >
      <LivePayments desk={`${desk.workplace.code}/${desk.env}`} />
      <FilterForm filter={filter} />
      {listed.length === 0 ? (
        <div className="panel justify-items-center py-12 text-center">
          <p className="font-medium">{isFiltered ? "No payment matches" : "No payments yet"}</p>
          {isFiltered ? (
            <a href={`${desk.base}/payments`} className="link">
              Show all
            </a>
          ) : (
            mayCreate && (
              <a href={`${desk.base}/new`} className="button-small">
                Make the first link
              </a>
            )
          )}
        </div>
      ) : (
        <PaymentTable links={listed} base={desk.base} />
      )}
      {last !== undefined && (
        <a
          href={`?${filterQuery(filter, { before: last.refid })}`}
          className="button-quiet justify-self-center"
        >
          Older payments
        </a>
      )}
      {listed.length > 0 && may(desk.workplace.role, "exports.read") && (
        <ExportLinks base={desk.base} filter={filter} isFiltered={isFiltered} />
      )}
      {filter.search === null && last !== undefined && (
        <p className="justify-self-center text-sm text-muted">
          {query.count === "yes" ? (
            `${(await countPaymentLinks(getServices().database.db, linksOf(ownerOf(desk), filter))).toLocaleString("en")} in all`
          ) : (
            <a href={`?${filterQuery(filter, { count: "yes" })}`} className="link">
              Count all
            </a>
          )}
        </p>
      )}
    </ConsoleFrame>
  );
}

/** One link more than a page, so that it shows whether there are older ones. */
async function listPage(desk: Desk, filter: PaymentFilter, before: unknown) {
  const { database, networks, paymentLinks } = getServices();
  const owner = ownerOf(desk);
  const place = isRefid(before) ? await findLink(database.db, before, owner) : null;
  const deps = { db: database.db, networks, settings: paymentLinks.settings };
  const page = { before: place?.link ?? null, limit: PAGE_SIZE + 1 };
  const links = linksOf(owner, filter);
  return filter.search === null
    ? listPaymentLinks(deps, links, page)
    : searchPaymentLinks(deps, links, { begins: filter.search }, page);
}

/** The files of what is listed, with all its pages. */
function ExportLinks({
  base,
  filter,
  isFiltered,
}: {
  base: string;
  filter: PaymentFilter;
  isFiltered: boolean;
}) {
  return (
    <p className="flex flex-wrap justify-center gap-x-3 text-sm text-muted">
      {isFiltered ? "Export what is shown here, all pages of it:" : "Export all of them:"}
      {(["xlsx", "csv"] as const).map((format) => (
        <a
          key={format}
          href={`${base}/exports/file?${filterQuery(filter, { what: "payments", format })}`}
          className="link"
        >
          {format.toUpperCase()}
        </a>
      ))}
    </p>
  );
}

function FilterForm({ filter }: { filter: PaymentFilter }) {
  return (
    <form className="flex flex-wrap items-end gap-2">
      <label className="grid gap-1 text-xs text-muted">
        Search
        <input
          name="search"
          type="search"
          defaultValue={filter.search ?? ""}
          maxLength={MAX_SEARCH}
          placeholder="Reference, name, amount …"
          className="input min-h-9 py-1 text-sm sm:w-60"
        />
      </label>
      <label className="grid gap-1 text-xs text-muted">
        State
        <select name="state" defaultValue={filter.state ?? ""} className="input min-h-9 py-1 text-sm">
          <option value="">Any</option>
          {LINK_STATE_TEXTS.map(([state, text]) => (
            <option key={state} value={state}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <label className="grid gap-1 text-xs text-muted">
        Paid with
        <select name="pair" defaultValue={filter.pair ?? ""} className="input min-h-9 py-1 text-sm">
          <option value="">Any</option>
          {LINK_PAIRS.map((pair) => (
            <option key={pairCode(pair)} value={pairCode(pair)}>
              {pair.token.toUpperCase()} on {NETWORKS[pair.network].name}
            </option>
          ))}
        </select>
      </label>
      {(["from", "to"] as const).map((name) => (
        <label key={name} className="grid gap-1 text-xs text-muted">
          {name === "from" ? "From (UTC)" : "To (UTC)"}
          <input
            name={name}
            type="date"
            defaultValue={filter[name] ?? ""}
            className="input min-h-9 py-1 text-sm"
          />
        </label>
      ))}
      <button type="submit" className="button-quiet">
        Show
      </button>
    </form>
  );
}
