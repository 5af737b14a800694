import { csvLine } from "#lib/platform/csv.ts";

/** "2026-11" as its first and the next month's first instant in UTC. null for any other text. */
export function readMonth(text: unknown): { readonly from: Date; readonly to: Date } | null {
  const match = typeof text === "string" ? /^(20[0-9]{2})-(0[1-9]|1[0-2])$/.exec(text) : null;
  if (match === null) return null;
  const [year, month] = [Number(match[1]), Number(match[2])];
  return { from: new Date(Date.UTC(year, month - 1, 1)), to: new Date(Date.UTC(year, month, 1)) };
}

type Line = Parameters<typeof csvLine>[0];

/** A CSV file that is read as fast as the browser takes it, a part at a time. A part that fails cuts the connection. */
export function csvDownload(
  name: string,
  head: readonly string[],
  parts: AsyncGenerator<readonly Line[]>,
): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(csvLine(head)));
    },
    async pull(controller) {
      const { value, done } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value.map(csvLine).join("")));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}.csv"`,
      "cache-control": "no-store",
    },
  });
}
