import type { EntryDescription } from "#app/console/m/describe-entries.ts";
import { tokenText } from "#components/checkout/money-text.ts";
import { entryText } from "#components/console/entry-texts.ts";
import { LocalTime } from "#components/console/local-time.tsx";
import type { HistoryEntry } from "#lib/domain/ledger/types.ts";

/** The changes of the balances, each with what caused it. Each line has the balance of its token after it. */
export function Entries({
  entries,
  base,
}: {
  entries: readonly (HistoryEntry & { readonly described: EntryDescription })[];
  base: string;
}) {
  if (entries.length === 0) return null;
  return (
    <section className="overflow-x-auto rounded-2xl border border-line bg-card" aria-label="Entries">
      <table className="console-table">
        <thead>
          <tr>
            <th scope="col" className="max-lg:hidden">
              Time
            </th>
            <th scope="col">Entry</th>
            <th scope="col" className="max-lg:hidden">
              Reference
            </th>
            <th scope="col" className="number">
              Amount
            </th>
            <th scope="col" className="number max-lg:hidden">
              Balance after it
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} described={entry.described} base={base} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function EntryRow({
  entry: { token, direction, amount, balanceAfter, createdAt },
  described,
  base,
}: {
  entry: HistoryEntry;
  described: EntryDescription;
  base: string;
}) {
  const { reference, fee, page } = described;
  const kind = entryText(described);
  const href = page === null ? null : `${base}/${page}`;
  return (
    <tr>
      <td className="text-muted whitespace-nowrap max-lg:hidden">
        <LocalTime at={createdAt} />
      </td>
      <td>
        {href === null ? (
          kind
        ) : (
          <a href={href} className="row-link underline decoration-line underline-offset-4">
            {kind}
          </a>
        )}
        {fee !== null && (
          <span className="block text-xs text-muted">with a fee of {tokenText(fee, token, "en")}</span>
        )}
        <span className="block text-xs break-all text-muted lg:hidden">
          {reference !== null && <bdi className="block">{reference}</bdi>}
          <LocalTime at={createdAt} />
        </span>
      </td>
      <td className="break-all text-muted max-lg:hidden">
        <bdi>{reference}</bdi>
      </td>
      <td className={`number break-all lg:whitespace-nowrap ${direction === "credit" ? "text-good" : ""}`}>
        {direction === "credit" ? "+" : "−"}
        {tokenText(amount, token, "en")}
        <span className="block text-xs text-muted lg:hidden">
          {tokenText(balanceAfter, token, "en")} after it
        </span>
      </td>
      <td className="number break-all lg:whitespace-nowrap max-lg:hidden">
        {tokenText(balanceAfter, token, "en")}
      </td>
    </tr>
  );
}
