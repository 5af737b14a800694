import { parseJsonWithSource } from "#lib/platform/exact-json.ts";
import type { PriceSource, SourcePrice } from "./types.ts";

/** Ten times the size of the largest answer of any source. */
const MAX_BODY_BYTES = 512 * 1024;

/** Parses JSON and keeps numbers as their source text, so that no price is rounded to a float. */
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
    if (size > MAX_BODY_BYTES) throw new Error("the answer is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function fetchUrl(
  source: PriceSource,
  url: string,
  options: FetchSourceOptions,
): Promise<SourcePrice[]> {
  const requestedAt = options.now();
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
  const response = await options.fetch(url, { signal, headers: { accept: "application/json" } });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the source answered with status ${response.status}`);
  }
  const prices = source.read(parseJsonNumbersAsText(await readBody(response)), requestedAt);
  if (prices.length === 0) throw new Error("the answer has no usable price");
  return prices;
}

export interface FetchSourceOptions {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly now: () => Date;
}

/** Fetches a source, one mirror after the other. Throws the error of the last mirror if all fail. */
export async function fetchSource(source: PriceSource, options: FetchSourceOptions): Promise<SourcePrice[]> {
  let lastError: unknown = new Error("the source has no URL");
  for (const url of source.urls) {
    try {
      return await fetchUrl(source, url, options);
    } catch (error) {
      if (options.signal.aborted) throw error;
      lastError = error;
    }
  }
  throw lastError;
}
