import type { ReactNode } from "react";

/** A bar of a chart. `share` is its part of the largest bar, 0 to 1. */
export interface Bar {
  readonly name: string;
  readonly text: string;
  readonly share: number;
}

/** A chart with its title. */
export function ChartPanel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="panel gap-3" aria-label={title}>
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  );
}

/** The figures of a chart that does not write them. The first column names the row. */
export function ChartTable({
  head,
  rows,
}: {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}) {
  return (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer text-muted underline underline-offset-4">As a table</summary>
      <div className="table-wide mt-2">
        <table className="console-table">
          <thead>
            <tr>
              {head.map((text, i) => (
                <th key={text} scope="col" className={i === 0 ? undefined : "number"}>
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...figures]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {figures.map((text, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns are never reordered
                  <td key={i} className="number">
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** One line for each bar, with its name and its figure. Drawn on the server: no script, no style. */
export function LineBars({ bars }: { bars: readonly Bar[] }) {
  return (
    <ul className="grid gap-3 text-sm">
      {bars.map(({ name, text, share }) => (
        <li key={name} className="grid gap-1">
          <span className="flex flex-wrap justify-between gap-x-4">
            <span>{name}</span>
            <span className="text-muted tabular-nums">{text}</span>
          </span>
          <svg viewBox="0 0 100 2" preserveAspectRatio="none" className="h-2 w-full" aria-hidden="true">
            <rect width="100" height="2" className="fill-page" />
            <rect width={share * 100} height="2" className="fill-accent" />
          </svg>
        </li>
      ))}
    </ul>
  );
}
