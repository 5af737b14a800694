import { z } from "@hono/zod-openapi";
import { JsonText, type JsonValue, writeJson } from "#lib/platform/json-text.ts";
import { type ApiFailure, failure } from "./errors.ts";

const MAX_LIMIT = 500;
/** Rows of a page whose rows may have several kilobytes each, such as metadata. */
const MAX_HEAVY_ROWS = 100;
/** A response of a list has at most 1 MiB: its rows, and 1 KiB for the rest of the envelope. */
const MAX_ROWS_BYTES = 2 ** 20 - 2 ** 10;

/** The requested part of a list. Lists are newest first, so ids decrease. */
export interface PageRequest {
  readonly limit: number;
  /** The first number of the cursor. Return only rows with a lower one. null: start with the newest row. */
  readonly before: number | null;
  /** The second number of a cursor that is a pair. */
  readonly beforeSecond?: number | null;
  /** The request asks for the total too. */
  readonly counted: boolean;
}

/**
 * "id": the cursor is an id, "12". "pair": two numbers, "12-34". For a list that is merged from two tables, an id of
 * each. For a list by time, the time in milliseconds and the id.
 */
export type CursorFormat = keyof typeof CURSOR_PATTERNS;
const NUMBER = "([1-9][0-9]{0,14})";
const CURSOR_PATTERNS = { id: new RegExp(`^${NUMBER}$`), pair: new RegExp(`^${NUMBER}-${NUMBER}$`) } as const;

/** The input of a page's query: the numbers of its cursor, and the number of rows to read. */
interface PageRange {
  readonly before: number | null;
  readonly beforeSecond: number | null;
  readonly limit: number;
}

/** `meta` of a list response. */
export interface PageMeta {
  readonly [name: string]: JsonValue | undefined;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly total?: number | undefined;
}

/** The query parameters of a list with such cursors. */
export function pageQuerySchema(form: CursorFormat) {
  return z.object({
    limit: z.string().optional().openapi({
      type: "integer",
      minimum: 1,
      maximum: MAX_LIMIT,
      default: MAX_LIMIT,
      description: "Rows of a page. A page ends earlier where it would have more than 1 MiB.",
    }),
    cursor: z.string().optional().openapi({
      pattern: CURSOR_PATTERNS[form].source,
      description: "`meta.next_cursor` of the previous page.",
    }),
    count: z
      .enum(["0", "1"])
      .optional()
      .openapi({ description: "1: `meta.total` has the number of all rows." }),
  });
}

export const pageMetaSchema = z
  .object({
    has_more: z.boolean(),
    next_cursor: z.string().nullable().openapi({ description: "`cursor` of the next page." }),
    total: z.number().int().optional().openapi({ description: "With `count=1`: the number of all rows." }),
  })
  .openapi("PageMeta");

/** Reads the paging parameters of the query. An empty value counts as absent. */
export function readPageRequest(
  query: (name: string) => string | undefined,
  form: CursorFormat,
): { readonly ok: true; readonly page: PageRequest } | ApiFailure {
  const limit = query("limit") || String(MAX_LIMIT);
  if (!/^[1-9][0-9]{0,2}$/.test(limit) || Number(limit) > MAX_LIMIT) return failure("limit_out_of_range");
  const cursor = query("cursor") || null;
  const ids = cursor === null ? [] : CURSOR_PATTERNS[form].exec(cursor)?.slice(1).map(Number);
  if (ids === undefined) return failure("invalid_cursor");
  const [before = null, beforeSecond = null] = ids;
  const count = query("count") || "0";
  if (count !== "0" && count !== "1") return failure("not_a_flag", "count");
  return { ok: true, page: { limit: Number(limit), before, beforeSecond, counted: count === "1" } };
}

/** Limits a page of heavy rows, so that it does not read many megabytes to return one. */
export function limitHeavyRows(page: PageRequest): PageRequest {
  return { ...page, limit: Math.min(page.limit, MAX_HEAVY_ROWS) };
}

/** The rows of a list, and how they are shown. */
interface PageSource<Row> {
  /** Called with one row more than the limit, to see if more follow. */
  readonly list: (range: PageRange) => Promise<readonly Row[]>;
  readonly count: () => Promise<number>;
  readonly toJson: (row: Row) => JsonValue;
  /** Writes the place of a row. Default: its id. */
  readonly writeCursor?: (row: Row) => string;
}

/** One page of a list. It ends at the limit of rows or of bytes, whichever comes first, and has at least one row. */
export async function paged<Row extends { readonly id: number }>(
  page: PageRequest,
  { list, count, toJson, writeCursor = ({ id }) => String(id) }: PageSource<Row>,
): Promise<{ readonly data: readonly JsonText[]; readonly meta: PageMeta }> {
  const { before, beforeSecond = null, limit } = page;
  const found = await list({ before, beforeSecond, limit: limit + 1 });
  const data: JsonText[] = [];
  let last: Row | null = null;
  let bytes = 0;
  for (const row of found.slice(0, limit)) {
    const text = writeJson(toJson(row));
    // The comma is one byte.
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > MAX_ROWS_BYTES && last !== null) break;
    data.push(new JsonText(text));
    last = row;
  }
  const nextCursor = last !== null && data.length < found.length ? writeCursor(last) : null;
  return { data, meta: await readPageMeta(page, nextCursor, count) };
}

/** `meta` of a page. Rows are counted only when the request asks for the total. */
export async function readPageMeta(
  page: PageRequest,
  nextCursor: string | null,
  count: () => Promise<number>,
): Promise<PageMeta> {
  return {
    has_more: nextCursor !== null,
    next_cursor: nextCursor,
    ...(page.counted && { total: await count() }),
  };
}
