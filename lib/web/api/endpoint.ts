import type { HttpBindings } from "@hono/node-server";
import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { ENVS, type Env } from "#lib/chains/network-data.ts";
import type { ApiCaller, KeyScope } from "#lib/domain/merchants/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { addToLogContext } from "#lib/platform/log/about.ts";
import { authenticateRequest } from "./authenticate.ts";
import { resolveClientAddress } from "./client-address.ts";
import { type ApiSuccess, sendResponse, toApiResponse } from "./envelope.ts";
import { type ApiFailure, type ApiReason, failure } from "./errors.ts";
import { createFieldReader, type FieldsSchema, isStorableText } from "./field-reader.ts";
import { hashRequest, readIdempotencyKey, runOnce } from "./idempotency.ts";
import type { NodeLookups } from "./node-lookups.ts";
import type { PathParameterText } from "./openapi-text.ts";
import { type CursorFormat, type PageRequest, readPageRequest } from "./paging.ts";
import type { RateLimitResult } from "./rate-limit.ts";
import { readBody } from "./read-body.ts";
import type { ApiServices } from "./types.ts";

export interface ApiEnv {
  readonly Bindings: HttpBindings;
}

/** What one createApi shares between its endpoints. */
export interface ApiContext extends ApiServices {
  readonly now: () => Date;
  readonly limitRate: (keyId: number) => RateLimitResult;
  readonly nodeLookups: NodeLookups;
}

type Result = Promise<ApiSuccess | ApiFailure>;
type PathNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
type PathValues<Path extends string> = Readonly<Record<PathNames<Path>, string>>;

/** What an endpoint is, for its reader and for the OpenAPI document. */
export interface EndpointDoc<Path extends string = string> {
  readonly method: "get" | "post";
  /** Below /v1: "/payment-links/:refid". */
  readonly path: Path;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** By name, path values that the OpenAPI document describes otherwise than openapi-text.ts does. */
  readonly pathTexts?: Readonly<Record<string, PathParameterText>>;
  /** `data` of the answer. */
  readonly data: z.ZodType;
  /** Reasons of its own, beside those every endpoint of its kind can give. */
  readonly errors: readonly ApiReason[];
}

interface MerchantDoc<Path extends string> extends EndpointDoc<Path> {
  /** Key scopes allowed beside `full`. */
  readonly scopes: readonly KeyScope[];
  /** Why a path value that no row can hold is refused; absent: "not found". */
  readonly notFound?: ApiReason;
}

/**
 * Fields may depend on the environment, never on anything else outside the body; not on the time either, since a repeat
 * under an Idempotency-Key must be read like its first.
 */
export type BodyOf<Schema extends FieldsSchema> = (env: Env) => Schema;

interface BodyDoc<Path extends string, Schema extends FieldsSchema> extends MerchantDoc<Path> {
  /** A field that has the name of a path value is that value: read like a field, and in its place in their order. */
  readonly body: BodyOf<Schema>;
  /** Fields of the body that may stand in the query instead; the body's own win. */
  readonly query?: FieldsSchema;
}

/** An endpoint ready to be mounted. */
export interface ApiEndpoint {
  readonly doc: EndpointDoc;
  /** null: no key needed. */
  readonly scopes: readonly KeyScope[] | null;
  readonly body: BodyOf<FieldsSchema> | null;
  /** A list, read in pages. */
  readonly paged?: true;
  /** Query values of its own, all optional. */
  readonly query?: FieldsSchema;
  /** The body only asks: no Idempotency-Key. */
  readonly asks?: true;
  handler(edge: ApiContext): (context: Context<ApiEnv>) => Promise<Response>;
}

export interface PublicCall {
  readonly api: ApiContext;
  readonly now: Date;
}

export interface MerchantCall<Path extends string> extends PublicCall {
  readonly caller: ApiCaller;
  readonly path: PathValues<Path>;
}

export interface ListingCall<Path extends string> extends MerchantCall<Path> {
  readonly page: PageRequest;
}

export interface AskingCall<Path extends string, Input> extends MerchantCall<Path> {
  readonly input: Input;
}

export interface CreatingCall<Path extends string, Input> extends AskingCall<Path, Input> {
  /** The transaction of the call's Idempotency-Key, which a refusal rolls back; without a key the pool. */
  readonly db: Db | Tx;
  /** Has something done once that transaction has ended, before the answer goes out. */
  afterwards(work: () => Promise<void>): void;
}

/** Answers anyone. */
export function publicEndpoint(doc: EndpointDoc, run: (call: PublicCall) => Result): ApiEndpoint {
  return {
    doc,
    scopes: null,
    body: null,
    handler: (edge) => async (context) =>
      sendResponse(context, toApiResponse(await run({ api: edge, now: edge.now() }))),
  };
}

/** Reads something of the caller's. */
export function readingEndpoint<Path extends string>(
  doc: MerchantDoc<Path>,
  run: (call: MerchantCall<Path>) => Result,
): ApiEndpoint {
  return {
    doc,
    scopes: doc.scopes,
    body: null,
    handler: (edge) => (context) =>
      asMerchant(edge, context, doc, async (call) => toApiResponse(await run(call))),
  };
}

/** Reads what the values of the query ask for; their schema complains like that of a body. */
export function queryingEndpoint<Path extends string, Schema extends FieldsSchema>(
  doc: MerchantDoc<Path> & { readonly query: Schema },
  run: (call: AskingCall<Path, z.output<Schema>>) => Result,
): ApiEndpoint {
  const read = createFieldReader(doc.query);
  return {
    doc,
    scopes: doc.scopes,
    body: null,
    query: doc.query,
    handler: (edge) => (context) =>
      asMerchant(edge, context, doc, async (call) => {
        const given = read(new Map(Object.entries(context.req.query())));
        return toApiResponse(given.ok ? await run({ ...call, input: given.input }) : given);
      }),
  };
}

/** Lists what is the caller's, newest first, a page at a time. */
export function listingEndpoint<Path extends string>(
  doc: MerchantDoc<Path>,
  run: (call: ListingCall<Path>) => Result,
): ApiEndpoint {
  return {
    doc,
    scopes: doc.scopes,
    body: null,
    paged: true,
    handler: (edge) => (context) =>
      asMerchant(edge, context, doc, async (call) => {
        const read = readPageRequest((name) => context.req.query(name));
        return toApiResponse(read.ok ? await run({ ...call, page: read.page }) : read);
      }),
  };
}

/** As listingEndpoint, and as queryingEndpoint: the other values of the query say what is listed. */
export function queryingListEndpoint<Path extends string, Schema extends FieldsSchema>(
  doc: MerchantDoc<Path> & { readonly query: Schema },
  run: (call: AskingCall<Path, z.output<Schema>> & ListingCall<Path>) => Result,
): ApiEndpoint {
  const readInput = createFieldReader(doc.query);
  return {
    doc,
    scopes: doc.scopes,
    body: null,
    paged: true,
    query: doc.query,
    handler: (edge) => (context) =>
      asMerchant(edge, context, doc, async (call) => {
        const read = readPageRequest((name) => context.req.query(name));
        if (!read.ok) return toApiResponse(read);
        const given = readInput(new Map(Object.entries(context.req.query())));
        return toApiResponse(given.ok ? await run({ ...call, input: given.input, page: read.page }) : given);
      }),
  };
}

/** Answers what a body asks; nothing is made. */
export function askingEndpoint<Path extends string, Schema extends FieldsSchema>(
  doc: BodyDoc<Path, Schema>,
  run: (call: AskingCall<Path, z.output<Schema>>) => Result,
): ApiEndpoint {
  return {
    doc,
    scopes: doc.scopes,
    body: doc.body,
    asks: true,
    handler: (edge) => {
      const read = inputReader(doc);
      return (context) =>
        asMerchant(edge, context, doc, async (call) => {
          const given = await read(context, call.caller.env);
          return toApiResponse(given.ok ? await run({ ...call, input: given.input }) : given);
        });
    },
  };
}

/**
 * As askingEndpoint, and the answer is a list that is read in pages: their query is that of listingEndpoint, a cursor
 * in `cursor`'s form.
 */
export function askingListEndpoint<Path extends string, Schema extends FieldsSchema>(
  doc: BodyDoc<Path, Schema> & { readonly cursor?: CursorFormat },
  run: (call: AskingCall<Path, z.output<Schema>> & ListingCall<Path>) => Result,
): ApiEndpoint {
  return {
    doc,
    scopes: doc.scopes,
    body: doc.body,
    asks: true,
    paged: true,
    handler: (edge) => {
      const readInput = inputReader(doc);
      return (context) =>
        asMerchant(edge, context, doc, async (call) => {
          const given = await readInput(context, call.caller.env);
          if (!given.ok) return toApiResponse(given);
          const read = readPageRequest((name) => context.req.query(name), doc.cursor);
          return toApiResponse(read.ok ? await run({ ...call, input: given.input, page: read.page }) : read);
        });
    },
  };
}

/** Makes something of the caller's, once per Idempotency-Key. */
export function creatingEndpoint<Path extends string, Schema extends FieldsSchema>(
  doc: BodyDoc<Path, Schema>,
  run: (call: CreatingCall<Path, z.output<Schema>>) => Result,
): ApiEndpoint {
  return {
    doc,
    scopes: doc.scopes,
    body: doc.body,
    ...(doc.query && { query: doc.query }),
    handler: (edge) => {
      const read = inputReader(doc);
      return (context) =>
        asMerchant(edge, context, doc, async (call) => {
          const { merchant, env } = call.caller;
          const given = await read(context, env);
          if (!given.ok) return toApiResponse(given);
          const { input, bytes, key } = given;
          const { method, url } = context.req;
          const { pathname, search } = new URL(url);
          const claim =
            key === null
              ? null
              : {
                  ...{ merchantId: merchant.id, env, key },
                  requestHash: hashRequest(method, pathname + search, bytes),
                };
          const after: (() => Promise<void>)[] = [];
          const afterwards = (work: () => Promise<void>) => void after.push(work);
          const answered = await runOnce(edge.database.db, claim, call.now, (db) =>
            run({ ...call, input, db, afterwards }),
          );
          for (const work of after) await work();
          return answered;
        });
    },
  };
}

/** Body, then Idempotency-Key, then the fields of the body. */
function inputReader<Schema extends FieldsSchema>(doc: {
  readonly path: string;
  readonly body: BodyOf<Schema>;
  readonly query?: FieldsSchema;
}) {
  const inPath = pathNames(doc.path);
  const inQuery = Object.keys(doc.query?.shape ?? {});
  const readers = new Map(ENVS.map((env) => [env, createFieldReader(doc.body(env))]));
  return async (context: Context<ApiEnv>, env: Env) => {
    const body = await readBody(context.req.raw);
    if (!body.ok) return body;
    const key = readIdempotencyKey(context.req.raw.headers);
    if (!key.ok) return key;
    const queried = inQuery.flatMap((name) => {
      const value = context.req.query(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const named = inPath.map((name) => [name, context.req.param(name) ?? ""] as const);
    const reading = readers.get(env)?.(new Map([...queried, ...body.fields, ...named]));
    if (!reading?.ok) return reading ?? failure("internal_error");
    return { ok: true, input: reading.input, bytes: body.bytes, key: key.key } as const;
  };
}

/** Key, address, rate and path values, in this order; then the work. */
async function asMerchant<Path extends string>(
  edge: ApiContext,
  context: Context<ApiEnv>,
  doc: MerchantDoc<Path>,
  work: (call: MerchantCall<Path>) => Promise<ReturnType<typeof toApiResponse>>,
): Promise<Response> {
  const now = edge.now();
  const { headers } = context.req.raw;
  const address = resolveClientAddress(
    context.env.incoming.socket.remoteAddress ?? "",
    headers.get("x-forwarded-for"),
    edge.trustedProxies,
  );
  const identified = await authenticateRequest(
    edge.database.db,
    { headers, clientAddress: address },
    doc.scopes,
    now,
  );
  if (!identified.ok) return sendResponse(context, toApiResponse(identified));
  const { caller } = identified;
  addToLogContext({ merchantId: caller.merchant.id, env: caller.env });
  const rate = edge.limitRate(caller.keyId);
  if (!rate.allowed) return sendResponse(context, toApiResponse(failure("too_many_requests")), rate.headers);
  const path = pathValues(context, doc);
  const result = path.ok ? await work({ api: edge, now, caller, path: path.values }) : toApiResponse(path);
  return sendResponse(context, result, rate.headers);
}

/** Names of the values in a path, in its order. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/:([^/]+)/g)].map((match) => match[1] ?? "");
}

function pathValues<Path extends string>(
  context: Context<ApiEnv>,
  { path, notFound }: MerchantDoc<Path>,
): { ok: true; values: PathValues<Path> } | ApiFailure {
  const values: Record<string, string> = {};
  for (const name of pathNames(path)) {
    const value = context.req.param(name);
    if (value === undefined || value === "") return failure("path_value_missing", name);
    // What no row can hold, no row has.
    if (!isStorableText(value)) return failure(notFound ?? "not_found");
    values[name] = value;
  }
  return { ok: true, values: values as PathValues<Path> };
}
