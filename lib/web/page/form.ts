import { IncomingMessage } from "node:http";

/** Every form has short fields. The longest asks for a place of each pair. */
const MAX_BYTES = 16_384;
const MAX_FIELDS = 40;
/** How long the rest of a refused form is read. */
const REST_MS = 500;
const ACTION = /^[0-9a-f]{42}$/;
/** How React's script names the fields of a form: field 0 lists the arguments, of which the form is the first. */
const SCRIPT_FIELDS = { arguments: '["$K1"]', field: "_1_" };

export type FormRefusal = "not_a_form" | "too_large" | "malformed";

/**
 * Reads and checks the whole body of a POST before Next does, because Next answers 500 to other bodies and logs errors.
 * Returns a copy of the request for Next, with the body unread.
 */
export async function readPageForm(
  request: IncomingMessage,
): Promise<{ ok: true; request: IncomingMessage } | { ok: false; reason: FormRefusal }> {
  const type = request.headers["content-type"] ?? "";
  if (!/^multipart\/form-data *;/i.test(type)) return { ok: false, reason: "not_a_form" };
  const body = await readBody(request);
  if (body === null) return { ok: false, reason: "too_large" };
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } })
    .formData()
    .catch(() => null);
  if (form === null || !isAction(form, request.headers["next-action"])) {
    return { ok: false, reason: "malformed" };
  }
  return { ok: true, request: copyRequest(request, body) };
}

/** Returns null if the body is larger than MAX_BYTES. Throws if the visitor closes the connection. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BYTES) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  // By default, leaving the loop would destroy the connection before it has its answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads the rest of a refused form for REST_MS, because closing a connection with unread data would discard the answer.
 * Then destroys the connection.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), REST_MS);
  request.once("close", () => clearTimeout(timer));
  request.resume();
}

/** True if the form calls one action with a form of texts as its only argument. The action checks the values. */
function isAction(form: FormData, scripted: string | string[] | undefined): boolean {
  const fields = [...form];
  if (fields.length > MAX_FIELDS || fields.some(([, value]) => typeof value !== "string")) return false;
  if (scripted === undefined) {
    const own = fields.filter(([name]) => name.startsWith("$"));
    return own.length === 1 && ACTION.test(own[0]?.[0].replace(/^\$ACTION_ID_/, "") ?? "");
  }
  if (typeof scripted !== "string" || !ACTION.test(scripted)) return false;
  return fields.every(([name, value]) => {
    return name === "0" ? value === SCRIPT_FIELDS.arguments : name.startsWith(SCRIPT_FIELDS.field);
  });
}

/** A copy of the request whose body can be read again. */
function copyRequest(request: IncomingMessage, body: Buffer): IncomingMessage {
  const copy = new IncomingMessage(request.socket);
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = request;
  Object.assign(copy, { method, url, httpVersion, httpVersionMajor, httpVersionMinor, complete: true });
  copy.headers = headers;
  copy.rawHeaders = rawHeaders;
  copy.push(body);
  copy.push(null);
  return copy;
}
