import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { ENVS, type Env } from "#lib/chains/network-data.ts";
import type { Action } from "#lib/domain/authority/role-rules.ts";
import type { KeyScope } from "#lib/domain/authority/types.ts";
import type { VerbName } from "#lib/domain/authority/verb-rules.ts";
import { countIpEntries } from "#lib/domain/merchants/queries.ts";
import type { ApiCaller } from "#lib/domain/merchants/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import type { Once } from "#lib/platform/db/once.ts";
import { addToLogContext } from "#lib/platform/log/log-context.ts";
import type { AllocationLines } from "./allocation-lines.ts";
import type { AmountPlaces } from "./amount-form.ts";
import { authenticateRequest } from "./authenticate.ts";
import { resolveClientAddress } from "./client-address.ts";
import { type ApiResponse, type ApiSuccess, sendResponse, toApiResponse } from "./envelope.ts";
import { type ApiFailure, type ApiReason, failure } from "./errors.ts";
import { createFieldReader, type FieldsSchema, isStorableText } from "./field-reader.ts";
import { hashRequest, readIdempotencyKey, runIdempotently } from "./idempotency.ts";
import type { IdempotencyClaim } from "./idempotency-store.ts";
import type { KeyLines } from "./key-lines.ts";
import type { NodeLookups } from "./node-lookups.ts";
import type { PathParameterText } from "./openapi-text.ts";
import { type CursorFormat, type PageRequest, pageQuerySchema, readPageRequest } from "./paging.ts";
import { costOf, MAX_COST, type RateLimiter } from "./rate-limit.ts";
import { readBody } from "./read-body.ts";
import type { ApiEnv, ApiServices } from "./types.ts";
import { hintUnknown, joinHints } from "./unknown-fields.ts";

/** The dependencies that all endpoints of one createApi share. */
export interface ApiContext extends ApiServices {
  readonly now: () => Date;
  readonly rateLimiter: RateLimiter;
  readonly nodeLookups: NodeLookups;
  readonly allocationLines: AllocationLines;
  readonly keyLines: KeyLines;
  readonly idempotencyWaitMs: number;
  /** The places of amounts in the successes of an operation. */
  readonly amountPlaces: (operationId: string) => AmountPlaces | undefined;
}

type Result = Promise<ApiSuccess | ApiFailure>;
type PathNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
type PathValues<Path extends string> = Readonly<Record<PathNames<Path>, string>>;

/** The parts of an endpoint. The handler and the OpenAPI document are both made from them. */
export interface EndpointOptions {
  readonly method: "get" | "post" | "patch" | "delete";
  /** Below /v1, for example "/payment-links/:refid". */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Texts of path parameters, by name. They replace those of openapi-text.ts. */
  readonly pathTexts?: Readonly<Record<string, PathParameterText>>;
  /** `message` of a success. If `run` gives a text of its own: one such text, for the document. */
  readonly message: string;
  /** Schema of `data` in a success response. */
  readonly data: z.ZodType;
  /** Reasons that only this endpoint can give. openapi.ts adds those that follow from the other parts. */
  readonly errors: readonly ApiReason[];
  /** The verb that a request does. Absent: the endpoint only reads. */
  readonly verb?: VerbName;
  /** "public": no key is needed. Otherwise the key scopes that are allowed in addition to `full`. */
  readonly auth: "public" | readonly KeyScope[];
  /** The action that the role of the person who made the key must allow. A key that the operator made needs its scope alone. */
  readonly action: Action;
  /**
   * Changes how the merchant is paid or reached. Live keys may only while the merchant has an IP list. "merchant": for
   * live and test alike, so that no test key may.
   */
  readonly changes?: "environment" | "merchant";
  /** The reason for a path value that the database cannot store. Default: `not_found`. */
  readonly notFound?: ApiReason;
  /** Without a body: the query parameters. With a body: fields that the query may give when the body does not. */
  readonly query?: FieldsSchema;
  /** A field that has the name of a path parameter is read from the path, like any other field. */
  readonly body?: EnvFieldsSchema;
  /** Set for a list that is read in pages: the form of its cursors. */
  readonly paged?: CursorFormat;
  /** An Idempotency-Key makes a repeated request harmless. "required": without one it is refused. */
  readonly idempotent?: true | "required";
  /** True for statistics: like a list, they decide nothing and are read from the replica. */
  readonly reports?: true;
  /** For an idempotent endpoint: whether a request with this input allocates addresses (allocation-lines.ts). */
  readonly allocates?: (input: never) => boolean;
}

/**
 * Fields may depend on the environment and on nothing else outside the body. They must not depend on the time: a
 * request that is repeated with its Idempotency-Key must be read like the first one.
 */
type EnvFieldsSchema = (env: Env) => FieldsSchema;

/** An endpoint ready to be mounted. */
export interface ApiEndpoint extends EndpointOptions {
  handler(api: ApiContext): (context: Context<ApiEnv>) => Promise<Response>;
}

interface AnyCall {
  readonly api: ApiContext;
  readonly now: Date;
}

interface PublicCall extends AnyCall {
  /** The caller of a request with a valid key. null otherwise: a wrong key is no error where none is needed. */
  findCaller(): Promise<ApiCaller | null>;
}

export interface MerchantCall<Path extends string> extends AnyCall {
  readonly caller: ApiCaller;
  readonly clientAddress: string;
  readonly path: PathValues<Path>;
}

export interface IdempotentCall {
  /** The transaction of the Idempotency-Key, which a failure rolls back. Without a key: the pool. */
  readonly db: Db | Tx;
  readonly idempotencyKey: string | null;
  /** Runs `work` after that transaction has ended and before the response is sent. */
  afterwards(work: () => Promise<void>): void;
}

/** The argument of `run` in an endpoint with these parts. */
type EndpointCall<Options extends EndpointOptions> = (Options["auth"] extends "public"
  ? PublicCall
  : MerchantCall<Options["path"]>) &
  InputOf<Options> &
  (Options extends { readonly paged: CursorFormat } ? { readonly page: PageRequest } : unknown) &
  (Options extends { readonly idempotent: true | "required" } ? IdempotentCall : unknown);

type InputOf<Options> = Options extends { readonly body: (env: Env) => infer Body extends FieldsSchema }
  ? { readonly input: z.output<Body> }
  : Options extends { readonly query: infer Query extends FieldsSchema }
    ? { readonly input: z.output<Query> }
    : unknown;

/** Refuses parts that do not exist: a misspelled `idempotent` would otherwise be ignored. */
type OnlyKnownParts<Options> = { readonly [Name in Exclude<keyof Options, keyof EndpointOptions>]: never };

type UntypedRun = (call: object) => Result;

/**
 * For an endpoint whose success has no data: does the same in a transaction that requests with an Idempotency-Key share. False: nothing has
 * happened there, and `run` does it alone, or says why not.
 */
type RunTogether<Options extends EndpointOptions> = (
  call: MerchantCall<Options["path"]> & InputOf<Options>,
  once: Once,
) => Promise<boolean>;

/**
 * Declares an endpoint. A request is checked in this order: key, IP address, rate limit, path values, body, length of
 * the Idempotency-Key, fields of the body, page, query. The first failed check gives the response.
 */
export function endpoint<const Options extends EndpointOptions>(
  options: Options & OnlyKnownParts<Options>,
  run: (call: EndpointCall<Options>) => Result,
  together?: RunTogether<Options>,
): ApiEndpoint {
  const parts: EndpointOptions = options;
  const { message } = parts;
  const allocates = parts.allocates as ((input: unknown) => boolean) | undefined;
  const untypedRun: UntypedRun = async (call) => {
    const result = await (run as unknown as UntypedRun)(call);
    return result.ok ? { message, ...result } : result;
  };
  const untypedTogether = together as ((call: object, once: Once) => Promise<boolean>) | undefined;
  return {
    ...parts,
    handler(api) {
      const { auth, action } = parts;
      if (auth === "public") {
        return async (context) => {
          const now = api.now();
          const findCaller = async () => {
            const identified = await identify(
              api,
              context,
              { scopes: ["read", "payment-links"], action },
              now,
            );
            return identified.ok ? identified.caller : null;
          };
          return sendResponse(context, toApiResponse(await untypedRun({ api, now, findCaller })));
        };
      }
      const readRequest = createRequestReader(parts);
      async function respond(context: Context<ApiEnv>, call: MerchantCall<string>, request: RequestParts) {
        const { input, page } = request;
        if (parts.idempotent === "required" && request.idempotencyKey === null)
          return toApiResponse(failure("idempotency_key_missing"));
        if (parts.idempotent) {
          const { caller } = call;
          const key = request.idempotencyKey;
          const run = () =>
            runIdempotently(api.database.db, claimOf(context, call, request), call.now, {
              alone: (db, afterwards) => untypedRun({ ...call, input, db, idempotencyKey: key, afterwards }),
              together: untypedTogether && ((once) => untypedTogether({ ...call, input }, once)),
              done: { ok: true, message, data: null },
            });
          // Waits before the Idempotency-Key's transaction, which has a connection.
          const work = () => (allocates?.(input) ? api.allocationLines.run(caller, run) : run());
          if (key === null) return work();
          const response = await api.keyLines.run({ caller, key, waitMs: api.idempotencyWaitMs }, work);
          return response ?? toApiResponse(failure("idempotency_key_in_progress"));
        }
        return toApiResponse(await untypedRun({ ...call, api: apiFor(parts, api), input, page }));
      }
      return (context) =>
        asMerchant(api, context, { ...parts, auth }, async (call) => {
          const request = await readRequest(context, call.caller.env);
          if (!request.ok) return toApiResponse(request);
          const response = await respond(context, call, request);
          return { ...response, hint: joinHints(response.hint, request.hint) };
        });
    },
  };
}

/** Lists and reports decide nothing: a replica may answer them. */
function apiFor({ paged, reports }: EndpointOptions, api: ApiContext): ApiContext {
  if (paged === undefined && reports === undefined) return api;
  return { ...api, database: { ...api.database, db: api.database.reads } };
}

/** The parts of a request that are read, besides its path. */
interface RequestParts {
  readonly ok: true;
  readonly input?: unknown;
  readonly page?: PageRequest;
  /** The body as it was received. */
  readonly bytes: Uint8Array;
  readonly idempotencyKey: string | null;
  /** Fields that the operation does not have. */
  readonly hint?: string | undefined;
}

function claimOf(
  context: Context<ApiEnv>,
  { api, caller }: MerchantCall<string>,
  { bytes, idempotencyKey: key }: RequestParts,
): IdempotencyClaim | null {
  if (key === null) return null;
  const requestHash = hashRequest(context.req, bytes);
  return { merchantId: caller.merchant.id, env: caller.env, key, requestHash, waitMs: api.idempotencyWaitMs };
}

/** Reads the body with its fields, then the page, then the query. */
function createRequestReader(options: EndpointOptions) {
  const known = new Set(fieldNames(options));
  const readBodyFields = options.body === undefined ? null : createBodyReader(options, options.body, known);
  const ownQuery = options.body === undefined ? options.query : undefined;
  const readQuery = ownQuery === undefined ? null : createFieldReader(ownQuery);
  return async (context: Context<ApiEnv>, env: Env): Promise<RequestParts | ApiFailure> => {
    const queried = context.req.query();
    let request: RequestParts;
    if (readBodyFields === null) {
      const hint = hintUnknown(Object.keys(queried), known);
      request = { ok: true, bytes: new Uint8Array(), idempotencyKey: null, hint };
    } else {
      const body = await readBodyFields(context, env);
      if (!body.ok) return body;
      request = body;
    }
    const { hint } = request;
    if (options.paged !== undefined) {
      const page = readPageRequest((name) => context.req.query(name), options.paged);
      if (!page.ok) return { ...page, hint };
      request = { ...request, page: page.page };
    }
    if (readQuery === null) return request;
    const query = readQuery(new Map(Object.entries(queried)));
    return query.ok ? { ...request, input: query.input } : { ...query, hint };
  };
}

/** Names of all fields of an operation: in its path, its query and its body. */
function fieldNames({ path, query, paged, body }: EndpointOptions): string[] {
  const schemas = [query, paged && pageQuerySchema(paged), body?.("live")];
  return [...pathNames(path), ...schemas.flatMap((schema) => Object.keys(schema?.shape ?? {}))];
}

/** Reads the body, then the Idempotency-Key, then the fields of the body. */
function createBodyReader(
  { path, query }: EndpointOptions,
  schemaFor: EnvFieldsSchema,
  known: ReadonlySet<string>,
) {
  const inPath = pathNames(path);
  const inQuery = Object.keys(query?.shape ?? {});
  const readers = new Map(ENVS.map((env) => [env, createFieldReader(schemaFor(env))]));
  return async (context: Context<ApiEnv>, env: Env): Promise<RequestParts | ApiFailure> => {
    const body = await readBody(context.req.raw);
    if (!body.ok) return body;
    const key = readIdempotencyKey(context.req.raw.headers);
    if (!key.ok) return key;
    const queryFields = inQuery.flatMap((name) => {
      const value = context.req.query(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const pathFields = inPath.map((name) => [name, context.req.param(name) ?? ""] as const);
    const fields = readers.get(env)?.(new Map([...queryFields, ...body.fields, ...pathFields]));
    const hint = hintUnknown([...Object.keys(context.req.query()), ...body.fields.keys()], known);
    if (!fields?.ok) return { ...(fields ?? failure("internal_error")), hint };
    return { ok: true, input: fields.input, bytes: body.bytes, idempotencyKey: key.key, hint };
  };
}

/** Checks key, IP address, rate limit and path values in this order, then runs `work`. */
async function asMerchant(
  api: ApiContext,
  context: Context<ApiEnv>,
  options: EndpointOptions & { readonly auth: readonly KeyScope[] },
  work: (call: MerchantCall<string>) => Promise<ApiResponse>,
): Promise<Response> {
  const now = api.now();
  const identified = await identify(api, context, { scopes: options.auth, action: options.action }, now);
  if (!identified.ok) return sendResponse(context, toApiResponse(identified));
  const { caller, clientAddress } = identified;
  addToLogContext({ merchantId: caller.merchant.id, env: caller.env });
  const isCounted = options.paged !== undefined && context.req.query("count") === "1";
  const reserved = isCounted ? MAX_COST : options.paged ? costToReserve(context) : 1;
  const rate = api.rateLimiter.admit(caller.keyId, reserved);
  if (!rate.allowed) return sendResponse(context, toApiResponse(failure("too_many_requests")), rate.headers);
  const refusal = await refuseChange(api, caller, options.changes);
  const path = refusal ?? readPathValues(context, options);
  const result = path.ok
    ? await work({ api, now, caller, clientAddress, path: path.values })
    : toApiResponse(path);
  const amountPlaces = () => api.amountPlaces(options.operationId);
  // The total of all rows is work that the size of the answer does not show.
  const cost = isCounted && result.status === 200 ? MAX_COST : costOf(result.body);
  return sendResponse(context, { ...result, amountPlaces }, rate.settle(cost));
}

/** Returns null if the key's scope allows what such an endpoint changes. */
async function refuseChange(
  { database }: ApiContext,
  { env, merchant }: ApiCaller,
  changes: EndpointOptions["changes"],
): Promise<ApiFailure | null> {
  if (changes === undefined || (changes === "environment" && env === "test")) return null;
  if (env === "test") return failure("live_key_required");
  return (await countIpEntries(database.db, merchant.id)) === 0 ? failure("ip_list_required") : null;
}

/** Checks key, role of its maker and IP address. */
async function identify(
  api: ApiContext,
  context: Context<ApiEnv>,
  needs: Parameters<typeof authenticateRequest>[2],
  now: Date,
) {
  const { headers } = context.req.raw;
  const clientAddress = resolveClientAddress(
    context.env.incoming.socket.remoteAddress ?? "",
    headers.get("x-forwarded-for"),
    api.trustedProxies,
  );
  const found = await authenticateRequest(api.database.db, { headers, clientAddress }, needs, now);
  return found.ok ? { ...found, clientAddress } : found;
}

/**
 * The cost of a list until its answer is known: its limit, or the largest. Otherwise many could be read before the first
 * is counted.
 */
function costToReserve(context: Context<ApiEnv>): number {
  const limit = Number(context.req.query("limit")) || MAX_COST;
  return Math.min(Math.max(limit, 1), MAX_COST);
}

/** Names of the parameters of a path, in their order. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/:([^/]+)/g)].map((match) => match[1] ?? "");
}

function readPathValues(
  context: Context<ApiEnv>,
  { path, notFound = "not_found" }: EndpointOptions,
): { ok: true; values: PathValues<string> } | ApiFailure {
  const values: Record<string, string> = {};
  for (const name of pathNames(path)) {
    const value = context.req.param(name);
    if (value === undefined || value === "") return failure("path_value_missing", name);
    // The database would refuse such a text with an error. No row has it.
    if (!isStorableText(value)) return failure(notFound);
    values[name] = value;
  }
  return { ok: true, values };
}
