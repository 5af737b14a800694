import type { Metadata } from "next";
import { type Draft, readDraft } from "#app/console/draft.ts";
import { frameOf } from "#app/console/m/frame.ts";
import {
  filterQuery,
  isAmountUnread,
  linksOf,
  type PaymentFilter,
  readPaymentFilter,
} from "#app/console/m/read-payment-filter.ts";
import { type Desk, requireDesk } from "#app/console/session.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { LivePayments } from "#components/console/live-payments.tsx";
import { readNotice } from "#components/console/notices.ts";
import { PaymentTable } from "#components/console/payment-table.tsx";
import { may } from "#lib/domain/authority/role-rules.ts";
import { listViews } from "#lib/domain/members/view-queries.ts";
import { countFewLinks, findLink, listLinkRows } from "#lib/domain/payment-links/queries.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import type { LinkFilter } from "#lib/domain/payment-links/types.ts";
import { listPaymentLinks, searchPaymentLinks } from "#lib/domain/payment-links/view/read-payment-links.ts";
import { listSellers } from "#lib/domain/pos/queries.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import { getServices } from "#lib/web/services.ts";
import { FilterForm } from "./filter-form.tsx";
import { KeepView, Views } from "./views.tsx";

export const metadata: Metadata = { title: "Payments" };

const PAGE_SIZE = 50;
/** Forms and devices that can be chosen. */
const MOST_SELLERS = 300;

const ownerOf = ({ workplace, env }: Desk) => ({ merchantId: workplace.merchantId, env });
const zonedOwner = (desk: Desk) => ({ ...ownerOf(desk), timeZone: desk.workplace.timeZone });

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const desk = await requireDesk(await params, "payments.view");
  const query = await searchParams;
  const read = (name: string) => query[name];
  const filter = readPaymentFilter(read);
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
      notice={readNotice(query.notice)}
      actions={
        mayCreate && (
          <a href={`${desk.base}/new`} className="button-small">
            New link
          </a>
        )
      }
    >
      <LivePayments desk={`${desk.workplace.code}/${desk.env}`} />
      <Filter
        desk={desk}
        filter={filter}
        listed={listed[0]?.currency}
        isUnread={isAmountUnread(read, filter)}
        draft={await readDraft(`${desk.base}/payments`, query.notice)}
      />
      {listed.length === 0 ? (
        <NoPayments base={desk.base} {...{ isFiltered, mayCreate }} />
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
            await countText(linksOf(zonedOwner(desk), filter))
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

/** More than so many links are not counted one by one. */
const MOST_COUNTED = 100_000;

async function countText(filter: LinkFilter): Promise<string> {
  const count = await countFewLinks(getServices().database.reads, filter, MOST_COUNTED);
  if (count === null) return `More than ${MOST_COUNTED.toLocaleString("en")} in all`;
  return `${count.toLocaleString("en")} in all`;
}

/** The person's views of this environment. */
async function listOwnViews({ workplace, signedIn, env }: Desk) {
  const { merchantId } = workplace;
  const views = await listViews(getServices().database.db, { merchantId, userId: signedIn.userId });
  return views.filter((view) => view.env === env);
}

function NoPayments({
  base,
  isFiltered,
  mayCreate,
}: {
  base: string;
  isFiltered: boolean;
  mayCreate: boolean;
}) {
  return (
    <div className="panel justify-items-center py-12 text-center">
      <p className="font-medium">{isFiltered ? "No payment matches" : "No payments yet"}</p>
      {isFiltered ? (
        <a href={`${base}/payments`} className="link">
          Show all
        </a>
      ) : (
        mayCreate && (
          <a href={`${base}/new`} className="button-small">
            Make the first link
          </a>
        )
      )}
    </div>
  );
}

/** `listed`: a currency that is in the list. `isUnread`: an amount was typed that cannot be read. `draft`: the refused name of a view. */
async function Filter({
  desk,
  filter,
  listed,
  isUnread,
  draft,
}: {
  desk: Desk;
  filter: PaymentFilter;
  listed: CurrencyCode | undefined;
  isUnread: boolean;
  draft: Draft;
}) {
  const views = await listOwnViews(desk);
  const place = { merchant: desk.workplace.code, env: desk.env };
  const currency = filter.currency ?? listed ?? (await findNewestCurrency(desk)) ?? "usd";
  const sellers = may(desk.workplace.role, "forms.view")
    ? await listSellers(getServices().database.reads, ownerOf(desk), {
        limit: MOST_SELLERS,
        chosen: linksOf(zonedOwner(desk), filter).seller,
      })
    : [];
  return (
    <>
      <Views views={views} filter={filter} />
      <FilterForm filter={filter} currency={currency} sellers={sellers} timeZone={desk.workplace.timeZone} />
      {isUnread && (
        <p role="alert" className="rounded-lg bg-warn-soft p-2 text-sm text-warn">
          The amount was not understood: the list has every amount. Write it like 16000.50.
        </p>
      )}
      {desk.workplace.role !== "operator" && <KeepView {...{ views, filter, place, draft }} />}
    </>
  );
}

/** The currency of the merchant's newest link. null without links. */
async function findNewestCurrency(desk: Desk) {
  const everything = { ...ownerOf(desk), state: null, paymentReference: null };
  const [newest] = await listLinkRows(getServices().database.reads, everything, { before: null, limit: 1 });
  return newest?.link.currency ?? null;
}

/** One link more than a page, so that it shows whether there are older ones. */
async function listPage(desk: Desk, filter: PaymentFilter, before: unknown) {
  const { database, networks, paymentLinks } = getServices();
  const owner = ownerOf(desk);
  const place = isRefid(before) ? await findLink(database.reads, before, owner) : null;
  const deps = { db: database.reads, networks, settings: paymentLinks.settings };
  const page = { before: place?.link ?? null, limit: PAGE_SIZE + 1 };
  const links = linksOf(zonedOwner(desk), filter);
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
