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
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Ref }>> };
}

interface Ref {
  readonly $ref?: string;
}

interface Schema extends Ref {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly example?: unknown;
}

/** Every mounted operation. */
export function listOperations(): Operation[] {
  const { paths, components } = JSON.parse(JSON.stringify(buildApiDocument(ENDPOINTS))) as {
    paths: Record<string, Record<string, Described>>;
    components: { schemas: Record<string, Schema> };
  };
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined
      ? schema
      : (components.schemas[schema.$ref.replace("#/components/schemas/", "")] ?? {});
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security, parameters = [], requestBody }]) => {
      const body = requestBody?.content["application/json"]?.schema ?? {};
      const { properties = {}, required = [] } = resolve(body);
      const named = (where: string) => parameters.filter((one) => one.in === where).map(({ name }) => name);
      return {
        id: operationId,
        method: method.toUpperCase() as Operation["method"],
        path,
        pathNames: named("path"),
        queryNames: named("query"),
        fields: new Map(Object.entries(properties).map(([name, field]) => [name, resolve(field).example])),
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
