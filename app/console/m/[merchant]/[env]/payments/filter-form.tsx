import type { PaymentFilter } from "#app/console/m/read-payment-filter.ts";
import { LINK_STATE_TEXTS } from "#components/console/link-state.tsx";
import { zoneText } from "#components/console/zone-text.ts";
import { LINK_PAIRS, NETWORKS, pairCode } from "#lib/chains/networks.ts";
import { MAX_SEARCH } from "#lib/domain/payment-links/search/search-text.ts";
import type { Seller } from "#lib/domain/pos/queries.ts";
import { CURRENCIES, type CurrencyCode } from "#lib/platform/money/currencies.ts";

const FIELD = "input min-h-9 bg-card py-1 text-sm";

/** The filter of the list. `currency`: that of the amounts to begin with. */
export function FilterForm({
  filter,
  currency,
  sellers,
  timeZone,
}: {
  filter: PaymentFilter;
  currency: CurrencyCode;
  sellers: readonly Seller[];
  timeZone: string;
}) {
  return (
    <form
      className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2 sm:flex sm:flex-wrap"
      aria-label="Filter"
    >
      <Named name="Search" className="max-sm:col-span-2">
        <input
          name="search"
          type="search"
          defaultValue={filter.search ?? ""}
          maxLength={MAX_SEARCH}
          placeholder="Reference, name, amount …"
          className={`${FIELD} sm:w-64`}
        />
      </Named>
      <details className="more-fields max-sm:open:col-span-2" open={isNarrowed(filter)}>
        <summary className="link w-fit cursor-pointer text-sm">More filters</summary>
        <div className="mt-2 grid grid-cols-2 items-end gap-2 sm:contents">
          <Named name="State">
            <Choice name="state" value={filter.state} choices={LINK_STATE_TEXTS} />
          </Named>
          <Named name="Paid with">
            <Choice name="pair" value={filter.pair} choices={PAIRS} />
          </Named>
          {sellers.length > 0 && (
            <Named name="Made by">
              <Choice name="by" value={filter.by} choices={sellers.map(sellerChoice)} />
            </Named>
          )}
          <AmountFields filter={filter} currency={currency} />
          {(["from", "to"] as const).map((name) => (
            <Named key={name} name={`${name === "from" ? "From" : "To"} (${zoneText(timeZone)})`}>
              <input name={name} type="date" defaultValue={filter[name] ?? ""} className={FIELD} />
            </Named>
          ))}
        </div>
      </details>
      <button type="submit" className="button-quiet max-sm:col-start-2">
        Show
      </button>
    </form>
  );
}

/** True if a filter is in use that a phone shows only when asked. */
const isNarrowed = ({ search: _, ...others }: PaymentFilter) =>
  Object.values(others).some((value) => value !== null);

const PAIRS = LINK_PAIRS.map(
  (pair) => [pairCode(pair), `${pair.token.toUpperCase()} on ${NETWORKS[pair.network].name}`] as const,
);

/** The devices of a form are below it. */
const sellerChoice = ({ formId, title, device }: Seller): readonly [string, string] =>
  device === null ? [`form-${formId}`, title] : [`device-${device.id}`, `\u2003${device.name}`];

function AmountFields({ filter, currency }: { filter: PaymentFilter; currency: CurrencyCode }) {
  return (
    <fieldset className="flex items-end gap-2 max-sm:col-span-2">
      <legend className="mb-1 text-xs text-muted">Amount</legend>
      {(["least", "most"] as const).map((name) => (
        <input
          key={name}
          name={name}
          aria-label={name === "least" ? "At least" : "At most"}
          placeholder={name === "least" ? "from" : "to"}
          defaultValue={filter[name] ?? ""}
          inputMode="decimal"
          maxLength={40}
          autoComplete="off"
          className={`${FIELD} sm:w-24`}
        />
      ))}
      <select name="currency" aria-label="Currency" defaultValue={currency} className={`${FIELD} w-auto`}>
        {Object.keys(CURRENCIES).map((code) => (
          <option key={code} value={code}>
            {code.toUpperCase()}
          </option>
        ))}
      </select>
    </fieldset>
  );
}

function Named({
  name,
  className = "",
  children,
}: {
  name: string;
  className?: string;
  children: React.ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the field is the child
    <label className={`grid min-w-0 gap-1 text-xs text-muted ${className}`}>
      {name}
      {children}
    </label>
  );
}

function Choice({
  name,
  value,
  choices,
}: {
  name: string;
  value: string | null;
  choices: readonly (readonly [code: string, text: string])[];
}) {
  return (
    <select name={name} defaultValue={value ?? ""} className={`${FIELD} sm:max-w-60`}>
      <option value="">Any</option>
      {choices.map(([code, text]) => (
        <option key={code} value={code}>
          {text}
        </option>
      ))}
    </select>
  );
}
