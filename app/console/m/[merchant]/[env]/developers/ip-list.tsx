import type { ReactNode } from "react";
import type { Draft } from "#app/console/draft.ts";
import type { IpEntry } from "#lib/domain/merchants/types.ts";
import { allowIp, dropIp } from "./actions.ts";

/** The addresses from which live keys work. */
export function IpList({
  entries,
  place,
  draft,
  mayChange,
}: {
  entries: readonly IpEntry[];
  place: ReactNode;
  draft: Draft;
  mayChange: boolean;
}) {
  return (
    <section className="panel" aria-labelledby="ips">
      <h2 id="ips" className="font-semibold">
        IP list
      </h2>
      <p className="text-sm text-muted">
        {entries.length === 0
          ? "Live keys work from every address. With the first entry they work only from the entries."
          : "Live keys work only from these addresses."}
      </p>
      <ul className="grid gap-2 text-sm">
        {entries.map(({ id, name, address }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-2">
            <span>
              <bdi className="font-medium">{name}</bdi> <code className="font-mono">{address}</code>
            </span>
            {mayChange && (
              <form action={dropIp}>
                {place}
                <input type="hidden" name="id" value={id} />
                <button type="submit" className="button-quiet" aria-label={`Remove ${name}`}>
                  Remove
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
      {mayChange && <AllowForm place={place} draft={draft} />}
    </section>
  );
}

function AllowForm({ place, draft }: { place: ReactNode; draft: Draft }) {
  return (
    <form
      key={draft.key}
      action={allowIp}
      className="flex flex-wrap items-end gap-2 border-t border-line pt-4"
    >
      {place}
      <label className="grid gap-1 text-xs text-muted">
        Name
        <input
          name="name"
          defaultValue={draft.value("name")}
          required
          maxLength={100}
          className="input min-h-9 py-1 text-sm"
        />
      </label>
      <label className="grid gap-1 text-xs text-muted">
        Address or CIDR range
        <input
          name="address"
          defaultValue={draft.value("address")}
          required
          maxLength={50}
          className="input min-h-9 py-1 text-sm"
        />
      </label>
      <button type="submit" className="button-small">
        Allow
      </button>
    </form>
  );
}
