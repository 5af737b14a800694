import { parseJsonWithSource } from "#lib/platform/exact-json.ts";
import type { PriceSource, SourcePrice } from "./types.ts";
import { UnknownPairError } from "./unknown-pair.ts";

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
  const headers = { ...source.headers, accept: "application/json" };
  const response = await options.fetch(url, { signal, headers });
  if (!response.ok) {
    await response.body?.cancel();
    const text = `the source answered with status ${response.status}`;
    throw source.pairs && response.status === 400 ? new UnknownPairError(text) : new Error(text);
  }
  return source.read(parseJsonNumbersAsText(await readBody(response)), requestedAt);
}

/** How long a pair that a service did not know is left out. */
const FORGET_MS = 3_600_000;

/** The pairs that a service does not know, from its refusals. */
export class UnknownPairs {
  #names: readonly string[] = [];
  #since = new Date(0);

  list(now: Date): readonly string[] {
    if (now.getTime() - this.#since.getTime() >= FORGET_MS) this.#names = [];
    return this.#names;
  }
  add(name: string, now: Date): void {
    if (this.#names.length === 0) this.#since = now;
    this.#names = [...this.#names, name];
  }
}

interface PairsAnswer {
  readonly prices: readonly SourcePrice[];
  readonly refused: readonly string[];
  /** The refusal of all of them together. Null: they were answered at once. */
  readonly refusal: UnknownPairError | null;
}

/** Asks for these pairs. After a refusal it asks for each half, down to the pair that the service does not know. */
async function fetchPairs(
  source: PriceSource,
  names: readonly string[],
  options: FetchSourceOptions,
): Promise<PairsAnswer> {
  try {
    const prices = await fetchUrl(source, source.pairs?.url(names) ?? "", options);
    return { prices, refused: [], refusal: null };
  } catch (error) {
    if (!(error instanceof UnknownPairError)) throw error;
    if (names.length === 1) return { prices: [], refused: names, refusal: error };
    const middle = Math.ceil(names.length / 2);
    const lower = await fetchPairs(source, names.slice(0, middle), options);
    const upper = await fetchPairs(source, names.slice(middle), options);
    return {
      prices: [...lower.prices, ...upper.prices],
      refused: [...lower.refused, ...upper.refused],
      refusal: error,
    };
  }
}

/** Asks for the pairs that the service knows, and remembers those that it does not know. */
async function fetchKnownPairs(
  source: PriceSource,
  names: readonly string[],
  options: FetchSourceOptions,
): Promise<readonly SourcePrice[]> {
  const left = options.unknown.list(options.now());
  const asked = names.filter((name) => !left.includes(name));
  const { prices, refused, refusal } = await fetchPairs(source, asked, options);
  // A service that refuses every pair has another reason for it.
  if (refusal !== null && refused.length === asked.length) throw refusal;
  for (const name of refused) options.unknown.add(name, options.now());
  return prices;
}

export interface FetchSourceOptions {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly unknown: UnknownPairs;
}

/** Fetches a source, one mirror after the other. Throws the error of the last mirror if all fail, and without any price. */
export async function fetchSource(source: PriceSource, options: FetchSourceOptions): Promise<SourcePrice[]> {
  const prices = source.pairs
    ? await fetchKnownPairs(source, source.pairs.names, options)
    : await fetchMirrors(source, options);
  if (prices.length === 0) throw new Error("the answer has no usable price");
  // A service counts once for each pair, however often it lists it.
  return [...new Map(prices.map((price) => [price.pair, price])).values()];
}

async function fetchMirrors(source: PriceSource, options: FetchSourceOptions): Promise<SourcePrice[]> {
  let lastError: unknown = new Error("the source has no URL");
  for (const url of source.urls) {
    try {
      const prices = await fetchUrl(source, url, options);
      if (prices.length > 0) return prices;
      lastError = new Error("the answer has no usable price");
    } catch (error) {
      if (options.signal.aborted) throw error;
      lastError = error;
    }
  }
  throw lastError;
}
