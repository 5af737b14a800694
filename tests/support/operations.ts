import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { buildApiDocument } from "#lib/web/api/openapi.ts";

/** An operation of the OpenAPI document, for a test. */
export interface Operation {
  readonly id: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Path below /v1, with its values in braces. */
  readonly path: string;
  readonly pathNames: readonly string[];
  readonly queryNames: readonly string[];
  /** Body fields with the examples of the document, in its order. */
  readonly fields: ReadonlyMap<string, unknown>;
  readonly required: readonly string[];
  readonly hasBody: boolean;
  readonly needsKey: boolean;
}

interface Described {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: Record<
      string,
      { schema: { properties?: Record<string, { example?: unknown }>; required?: string[] } }
    >;
  };
}

/** Every mounted operation. */
export function listOperations(): Operation[] {
  const { paths } = JSON.parse(JSON.stringify(buildApiDocument(ENDPOINTS))) as {
    paths: Record<string, Record<string, Described>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security, parameters = [], requestBody }]) => {
      const { properties = {}, required = [] } = requestBody?.content["application/json"]?.schema ?? {};
      const named = (where: string) => parameters.filter((one) => one.in === where).map(({ name }) => name);
      return {
        id: operationId,
        method: method.toUpperCase() as Operation["method"],
        path,
        pathNames: named("path"),
        queryNames: named("query"),
        fields: new Map(Object.entries(properties).map(([name, { example }]) => [name, example])),
        required,
        hasBody: requestBody !== undefined,
        needsKey: security.length > 0,
      };
    }),
  );
}

/** The path with its values, which are encoded unless they already are. */
export function fillPath(path: string, value: (name: string) => string): string {
  return path.replace(/\{([^}]+)\}/g, (_, name: string) => value(name));
}
