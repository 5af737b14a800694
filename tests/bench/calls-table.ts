/** The page with the table of the calls of a day: the only place of these figures. */
export const CALLS_PAGE = "docs/operate/providers.md";

interface Load {
  readonly requests: number;
  readonly calls: number;
}

/** The calls of a worker to one node in a day. */
export interface CallsRow {
  /** The network, and after a comma the tokens where others are not received. */
  readonly name: string;
  readonly open: Load;
  readonly idle: Load;
  /** No address was ever allocated. */
  readonly unused: Load;
}

const HEADING = "| Network | Requests a day, open | Idle | Without an address | Calls a day, open | Idle |";
const FIGURES = ["openRequests", "idleRequests", "unusedRequests", "openCalls", "idleCalls"] as const;

/** Reads the rows of the table, without a network that was not counted. */
export function readCallsTable(page: string): readonly CallsRow[] {
  return tableLines(page)
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, name = "", ...cells]) => {
      const figures = FIGURES.map((_, i) => Number((cells[i] ?? "").replaceAll(",", "")));
      const [openRequests = 0, idleRequests = 0, unusedRequests = 0, openCalls = 0, idleCalls = 0] = figures;
      return {
        name,
        open: { requests: openRequests, calls: openCalls },
        idle: { requests: idleRequests, calls: idleCalls },
        unused: { requests: unusedRequests, calls: unusedRequests },
      };
    });
}

/** Returns the page with the row of this network replaced, or with a new one at the end of the table. */
export function replaceCallsRow(page: string, { name, open, idle, unused }: CallsRow): string {
  const figures = [open.requests, idle.requests, unused.requests, open.calls, idle.calls].map(roundFigure);
  const row = `| ${name} | ${figures.join(" | ")} |`;
  const lines = tableLines(page);
  const before = lines.find((line) => line.startsWith(`| ${name} |`));
  if (before !== undefined) return page.replace(before, row);
  const last = lines.at(-1) ?? `${HEADING}\n|---|---|---|---|---|---|`;
  return page.replace(last, `${last}\n${row}`);
}

/** Two runs differ in the third digit. */
function roundFigure(figure: number): string {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, figure))) - 1);
  return (Math.round(figure / unit) * unit).toLocaleString("en-US");
}

function tableLines(page: string): readonly string[] {
  const [, rest = ""] = page.split(`${HEADING}\n`);
  const lines = rest.split("\n").slice(1);
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(0, end === -1 ? undefined : end);
}
