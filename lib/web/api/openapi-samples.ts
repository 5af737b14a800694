import { type AmountForm, ANSWER_TYPES } from "./amount-form.ts";
import { KEY_HEADERS } from "./authenticate.ts";
import { writeSamples } from "./code-samples.ts";

type Json = Record<string, unknown>;
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Json;
  readonly example?: unknown;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Json>> };
  readonly security?: readonly unknown[];
}

/** The document does not know by which name a caller reaches the service. */
const SAMPLE_ORIGIN = "https://pay.example.com";

/**
 * Adds `x-codeSamples` to each operation, in place: the request with its required fields, in five languages. The examples of the
 * document must be complete.
 */
export function addSamples(paths: Readonly<Record<string, Json>>, amounts: AmountForm): void {
  const accept: Record<string, string> = amounts === "string" ? { accept: ANSWER_TYPES.string } : {};
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations as Record<string, Operation & Json>)) {
      const request = composeRequest(path, method, operation);
      operation["x-codeSamples"] = writeSamples({
        ...request,
        headers: { ...request.headers, ...accept },
      });
    }
  }
}

function composeRequest(path: string, method: string, { parameters = [], requestBody, security }: Operation) {
  const textOf = ({ schema, example }: Parameter) => String(example ?? schema?.example ?? "");
  const given = (place: string) => parameters.filter((one) => one.in === place);
  const filled = given("path").reduce(
    (text, one) => text.replace(`{${one.name}}`, encodeURIComponent(textOf(one))),
    path,
  );
  const query = new URLSearchParams(
    given("query").flatMap((one) => (one.required ? [[one.name, textOf(one)]] : [])),
  );
  const body = requestBody === undefined ? null : composeBody(requestBody.content["application/json"] ?? {});
  const idempotency = given("header").find(({ name }) => name.toLowerCase() === "idempotency-key");
  return {
    method: method.toUpperCase(),
    url: `${SAMPLE_ORIGIN}/v1${filled}${query.size === 0 ? "" : `?${query}`}`,
    headers: {
      ...(security?.length !== 0 && { [KEY_HEADERS.test]: "YOUR_TEST_KEY" }),
      ...(body !== null && { "content-type": "application/json" }),
      ...(idempotency && { "idempotency-key": textOf(idempotency) }),
    },
    body,
  };
}

/** The required fields of the example, or all of it if none is required. */
export function composeBody({ schema, example }: Json): unknown {
  const required = (schema as { required?: readonly string[] } | undefined)?.required ?? [];
  const fields = Object.entries((example ?? {}) as Json);
  return Object.fromEntries(
    required.length === 0 ? fields : fields.filter(([name]) => required.includes(name)),
  );
}
