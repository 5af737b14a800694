import { parseJsonWithSource } from "#lib/platform/exact-json.ts";
import type { PriceSource, SourcePrice } from "./types.ts";

/** Ten times the largest answer of any source. */
const MAX_BODY_BYTES = 512 * 1024;

/** JSON whose numbers stay the text they were written as: no price passes through a float. */
function parseJsonNumbersAsText(text: string): unknown {
  return parseJsonWithSource(text, (_name, value, { source }) =>
    typeof value === "number" ? source : value,
  );
}

async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the rest of the stream.
    if (size > MAX_BODY_BYTES) throw new Error("answer too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function loadUrl(source: PriceSource, url: string, how: FetchSourceOptions): Promise<SourcePrice[]> {
  const askedAt = how.now();
  const signal = AbortSignal.any([how.signal, AbortSignal.timeout(how.timeoutMs)]);
  const response = await how.fetch(url, { signal, headers: { accept: "application/json" } });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`answered ${response.status}`);
  }
  const figures = source.read(parseJsonNumbersAsText(await readBody(response)), askedAt);
  if (figures.length === 0) throw new Error("no usable figure in the answer");
  return figures;
}

export interface FetchSourceOptions {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly now: () => Date;
}

/** Asks a source, mirror by mirror. Throws the last mirror's error when none answers well. */
export async function fetchSource(source: PriceSource, how: FetchSourceOptions): Promise<SourcePrice[]> {
  let lastError: unknown = new Error("no address");
  for (const url of source.urls) {
    try {
      return await loadUrl(source, url, how);
    } catch (error) {
      if (how.signal.aborted) throw error;
      lastError = error;
    }
  }
  throw lastError;
}
