import type { Permission } from "#lib/domain/authority/types.ts";
import type { ApiCaller } from "#lib/domain/merchants/types.ts";
import type { RateLimiter } from "#lib/web/api/rate-limit.ts";
import type { ApiServices } from "#lib/web/api/types.ts";
import type { Answer } from "./answers.ts";
import type { Fields } from "./read-fields.ts";

/** The dependencies of the edge, from the process that serves it. */
export interface GreenfieldServices extends ApiServices {
  /** Without a trailing slash: invoices have pages below it. */
  readonly publicUrl: string;
  /** URL of the console. null: off. */
  readonly consoleUrl: string | null;
}

/** The dependencies that all routes share. */
export interface GreenfieldContext extends GreenfieldServices {
  readonly now: () => Date;
  readonly rateLimiter: RateLimiter;
}

/** A request with a valid key. */
export interface GreenfieldCall {
  readonly api: GreenfieldContext;
  readonly now: Date;
  readonly caller: ApiCaller;
  /** The key, as the request has it. */
  readonly key: string;
  readonly clientAddress: string;
  /** The id of the key's store. */
  readonly storeId: string;
  /** A value of the path, "" if the path has no such name. */
  path(name: string): string;
  readonly query: URLSearchParams;
  /** The body. A request without one has no fields. */
  readonly fields: Fields;
}

export interface GreenfieldRoute {
  readonly method: "get" | "post" | "put" | "delete";
  /** Below /api/v1. */
  readonly paths: readonly string[];
  /** The permission is null if any key may. */
  readonly permission: Permission | null;
  run(call: GreenfieldCall): Promise<Answer> | Answer;
}

/** A route that belongs to no store. */
export function route(
  method: GreenfieldRoute["method"],
  path: string,
  permission: Permission | null,
  run: GreenfieldRoute["run"],
): GreenfieldRoute {
  return { method, paths: [path], permission, run };
}

/** A route of a store, which the path names or which is that of the key. */
export function storeRoute(
  method: GreenfieldRoute["method"],
  path: string,
  permission: Permission,
  run: GreenfieldRoute["run"],
): GreenfieldRoute {
  return { method, paths: [`/stores/:storeId${path}`, ...(path === "" ? [] : [path])], permission, run };
}
