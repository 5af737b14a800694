import type { ReactNode } from "react";

/** A bar of a chart. `share` is its part of the largest bar, 0 to 1. */
export interface Bar {
  readonly name: string;
  readonly text: string;
  readonly share: number;
}

/** A chart with its title. The table below it says the same in figures. Drawn on the server: no script, no style. */
export function ChartPanel({
  title,
  summary,
  table,
  children,
}: {
  title: string;
  summary?: string;
  /** Columns and rows of the table. The first column names the row. */
  table: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
  children: ReactNode;
}) {
  return (
    <section className="panel gap-3" aria-label={title}>
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="font-semibold">{title}</h2>
        {summary !== undefined && <p className="text-sm text-muted tabular-nums">{summary}</p>}
      </div>
      {children}
      <details className="text-sm">
        <summary className="w-fit cursor-pointer text-muted underline underline-offset-4">As a table</summary>
        <div className="mt-2 overflow-x-auto">
          <table className="console-table">
            <thead>
              <tr>
                {table.head.map((text, i) => (
                  <th key={text} scope="col" className={i === 0 ? undefined : "number"}>
                    {text}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map(([name, ...figures]) => (
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
    </section>
  );
}

/** One line for each bar, with its name and its figure. */
export function LineBars({ bars }: { bars: readonly Bar[] }) {
  return (
    <ul className="grid gap-3 text-sm">
      {bars.map(({ name, text, share }) => (
        <li key={name} className="grid gap-1">
          <span className="flex justify-between gap-4">
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

const HEIGHT = 100;

/** One upright bar for each day. The figure of each appears when it is pointed at. */
export function DayBars({ bars }: { bars: readonly Bar[] }) {
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <div className="grid gap-1" aria-hidden="true">
      <svg
        viewBox={`0 0 ${bars.length * 10} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-40 w-full"
        aria-hidden="true"
      >
        {bars.map(({ name, text, share }, i) => {
          const height = Math.max(share * HEIGHT, 1);
          return (
            <g key={name}>
              <title>{`${name}: ${text}`}</title>
              <rect x={i * 10} width="10" height={HEIGHT} className="fill-transparent" />
              <rect
                x={i * 10 + 1.5}
                y={HEIGHT - height}
                width="7"
                height={height}
                className={share > 0 ? "fill-accent" : "fill-line"}
              />
            </g>
          );
        })}
      </svg>
      <p className="flex justify-between text-xs text-muted tabular-nums">
        <span>{first?.name}</span>
        <span>{last?.name}</span>
      </p>
    </div>
  );
}
