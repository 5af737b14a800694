import { Agent, request } from "undici";
import { CommandRefusal } from "../cli.ts";
import type { Service } from "./service.ts";

const TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export type ServiceAnswer =
  /** `text` is the whole answer, with every amount as it was sent. `data` has its numbers as JSON.parse reads them. */
  | { readonly ok: true; readonly text: string; readonly data: Record<string, unknown> }
  | { readonly ok: false; readonly status: number; readonly code: string; readonly message: string };

export interface ServiceCall {
  readonly method?: "GET" | "POST";
  /** Below /v1. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Calls the API with the key. Throws a CommandRefusal if there is no answer that can be read. */
export async function callService(service: Service, { path, ...call }: ServiceCall): Promise<ServiceAnswer> {
  const { status: httpStatus, text } = await send(service, { path: `/v1${path}`, ...call });
  try {
    const { status, code = "", message = "", data = {} } = JSON.parse(text);
    if (status === "success") return { ok: true, text, data };
    return { ok: false, status: httpStatus, code: String(code), message: String(message) };
  } catch {
    throw new CommandRefusal(`Paylink does not answer at ${service.origin}: this is not its API`);
  }
}

/** The text of a document that a running Paylink serves, for example /llms.txt. Throws a CommandRefusal if it has none. */
export async function fetchDocument(service: Service, path: string): Promise<string> {
  const { status, text } = await send(service, { path });
  if (status === 200) return text;
  throw new CommandRefusal(`there is no ${path} at ${service.origin}: it answers ${status}`);
}

async function send(
  { origin, key, env }: Service,
  { path, body, method = body === undefined ? "GET" : "POST" }: ServiceCall,
): Promise<{ readonly status: number; readonly text: string }> {
  const agent = new Agent({ maxResponseSize: MAX_ANSWER_BYTES });
  try {
    const answer = await request(`${origin}${path}`, {
      dispatcher: agent,
      method,
      headers: {
        [env === "live" ? "x-api-key" : "x-staging-api-key"]: key,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  } catch (error) {
    throw new CommandRefusal(`Paylink does not answer at ${origin}: ${describeFailure(error)}`);
  } finally {
    await agent.destroy();
  }
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return "request failed";
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return code === "TimeoutError" ? "timeout" : code;
}
