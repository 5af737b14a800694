import { z } from "@hono/zod-openapi";
import { type ApiFailure, failure } from "./errors.ts";
import type { JsonValue } from "./json-text.ts";

const LONGEST = 500;

/** Which part of a list is asked for; lists are newest first, ids fall. */
export interface PageRequest {
  readonly limit: number;
  /** Only what has a lower id; null: from the newest. */
  readonly before: number | null;
  /** Of a list merged from two tables: the same for the second's ids. */
  readonly beforeSecond?: number | null;
  /** How many there are in all is asked too. */
  readonly counted: boolean;
}

/** A cursor is an id, "12"; that of a list merged from two tables is an id of each, "12-34". */
export type CursorFormat = keyof typeof CURSORS;
const ID = "([1-9][0-9]{0,14})";
const CURSORS = { id: new RegExp(`^${ID}$`), pair: new RegExp(`^${ID}-${ID}$`) } as const;

/** What stands beside a list. */
export interface PageMeta {
  readonly [name: string]: JsonValue | undefined;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly total?: number | undefined;
}

export const pageQuerySchema = z.object({
  limit: z.string().optional().openapi({ type: "integer", minimum: 1, maximum: LONGEST, default: LONGEST }),
  cursor: z.string().optional().openapi({ description: "`meta.next_cursor` of the part before." }),
  count: z.literal("1").optional().openapi({ description: "1: `meta.total` says how many there are." }),
});

export const pageMetaSchema = z.object({
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
  total: z.number().int().optional(),
});

/** Reads the query of a list; an empty value counts as absent. */
export function readPageRequest(
  query: (name: string) => string | undefined,
  form: CursorFormat = "id",
): { readonly ok: true; readonly page: PageRequest } | ApiFailure {
  const limit = query("limit") || String(LONGEST);
  if (!/^[1-9][0-9]{0,2}$/.test(limit) || Number(limit) > LONGEST) return failure("limit_out_of_range");
  const cursor = query("cursor") || null;
  const ids = cursor === null ? [] : CURSORS[form].exec(cursor)?.slice(1).map(Number);
  if (ids === undefined) return failure("invalid_cursor");
  const [before = null, beforeSecond = null] = ids;
  const counted = query("count") === "1";
  return { ok: true, page: { limit: Number(limit), before, beforeSecond, counted } };
}

/** The rows of a page and what stands beside them; `rows` were asked for with one more than the limit. */
export function cutPage<Row extends { readonly id: number }>(
  rows: readonly Row[],
  { limit }: PageRequest,
  total: number | null,
): { readonly rows: readonly Row[]; readonly meta: PageMeta } {
  const shown = rows.slice(0, limit);
  const has_more = rows.length > limit;
  const next_cursor = has_more ? String(shown.at(-1)?.id) : null;
  return { rows: shown, meta: { has_more, next_cursor, ...(total === null ? {} : { total }) } };
}
