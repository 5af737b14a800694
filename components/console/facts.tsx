import type { ReactNode } from "react";

/** A name and what is known under it. Two facts may have one name. */
export type Fact = readonly [name: string, value: ReactNode];

/** A list of facts about one thing. Values may be texts of strangers. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value], i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is never reordered
        <div key={i}>
          <dt>{name}</dt>
          <dd className="break-words tabular-nums">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
