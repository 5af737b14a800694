import type { Draft } from "#app/console/draft.ts";
import { filterQuery, type PaymentFilter, readPaymentFilter } from "#app/console/m/read-payment-filter.ts";
import { PlaceFields } from "#components/console/place-fields.tsx";
import type { SavedView } from "#lib/domain/members/view-queries.ts";
import { MAX_VIEW_NAME } from "#lib/domain/members/view-rules.ts";
import { dropView, keepView } from "./actions.ts";

type Place = Readonly<Record<"merchant" | "env", string>>;

/** The query of a view with the filters that the list knows today. */
function queryOf({ query }: SavedView): string {
  const stored = new URLSearchParams(query);
  return filterQuery(readPaymentFilter((name) => stored.get(name))).toString();
}

const isShown = (view: SavedView, filter: PaymentFilter) => queryOf(view) === filterQuery(filter).toString();

/** The views that a person has saved, as links. On a phone they are one line. */
export function Views({ views, filter }: { views: readonly SavedView[]; filter: PaymentFilter }) {
  if (views.length === 0) return null;
  return (
    <nav
      aria-label="Saved views"
      className="-mx-3 flex gap-1 overflow-x-auto px-3 sm:mx-0 sm:flex-wrap sm:px-0"
    >
      {views.map((view) => (
        <a
          key={view.id}
          href={`?${queryOf(view)}`}
          className="nav-item min-h-9 shrink-0 whitespace-nowrap"
          aria-current={isShown(view, filter) ? "true" : undefined}
        >
          <bdi>{view.name}</bdi>
        </a>
      ))}
    </nav>
  );
}

/** Saves the filter that is shown. Deletes it if it is a view already. Nothing without a filter. */
export function KeepView({
  views,
  filter,
  place,
  draft,
}: {
  views: readonly SavedView[];
  filter: PaymentFilter;
  place: Place;
  draft: Draft;
}) {
  const query = filterQuery(filter).toString();
  if (query === "") return null;
  const shown = views.find((view) => isShown(view, filter));
  if (shown !== undefined)
    return (
      <form action={dropView} className="text-sm">
        <PlaceFields of={{ ...place, view: shown.id }} />
        <button type="submit" className="link cursor-pointer">
          Delete the view “<bdi>{shown.name}</bdi>”
        </button>
      </form>
    );
  const name = draft.value("name");
  return (
    <details key={draft.key} open={name !== undefined} className="text-sm">
      <summary className="link w-fit cursor-pointer">Save this view</summary>
      <form action={keepView} className="mt-2 flex flex-wrap items-end gap-2">
        <PlaceFields of={{ ...place, query }} />
        <label className="grid min-w-0 gap-1 text-xs text-muted">
          Name of the view
          <input
            name="name"
            required
            maxLength={MAX_VIEW_NAME}
            autoComplete="off"
            defaultValue={name}
            className="input min-h-9 bg-card py-1 text-sm sm:w-60"
          />
        </label>
        <button type="submit" className="button-quiet">
          Save
        </button>
      </form>
    </details>
  );
}
