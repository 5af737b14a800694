import { IncomingMessage } from "node:http";

/** Ours have five short fields. */
const MOST_BYTES = 16_384;
const MOST_FIELDS = 20;
/** How long what is left of a refused form is waited for. */
const REST_MS = 500;
const ACTION = /^[0-9a-f]{42}$/;
/** How React names the fields of a form that its script sends: the first argument is the form whose fields begin so. */
const SCRIPTED = { arguments: '["$K1"]', field: "_1_" };

export type FormRefusal = "not_a_form" | "too_large" | "malformed";

/**
 * Reads what is posted to a page, whole, before Next does: of what is no form of ours Next makes an error of its own
 * (500), and lines in the log. Answers the request to hand on in the place of this one.
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
  return { ok: true, request: again(request, body) };
}

/** null: more than any form of ours. Throws when the visitor breaks off. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  if (Number(request.headers["content-length"] ?? 0) > MOST_BYTES) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  // Not left by `break`, which would end the connection before it has had its answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads what is left of a form that has had its answer, for a moment: a connection closed with something unread in it
 * takes the answer with it. One that sends on after that is cut.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), REST_MS);
  request.once("close", () => clearTimeout(timer));
  request.resume();
}

/** Does it call one action, with a form of texts for its only argument? Which one, and with what, is the action's to check. */
function isAction(form: FormData, scripted: string | string[] | undefined): boolean {
  const fields = [...form];
  if (fields.length > MOST_FIELDS || fields.some(([, value]) => typeof value !== "string")) return false;
  if (scripted === undefined) {
    const own = fields.filter(([name]) => name.startsWith("$"));
    return own.length === 1 && ACTION.test(own[0]?.[0].replace(/^\$ACTION_ID_/, "") ?? "");
  }
  if (typeof scripted !== "string" || !ACTION.test(scripted)) return false;
  return fields.every(([name, value]) => {
    return name === "0" ? value === SCRIPTED.arguments : name.startsWith(SCRIPTED.field);
  });
}

/** The same request, to be read once more. */
function again(request: IncomingMessage, body: Buffer): IncomingMessage {
  const copy = new IncomingMessage(request.socket);
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = request;
  Object.assign(copy, { method, url, httpVersion, httpVersionMajor, httpVersionMinor, complete: true });
  copy.headers = headers;
  copy.rawHeaders = rawHeaders;
  copy.push(body);
  copy.push(null);
  return copy;
}
