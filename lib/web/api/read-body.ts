import { JsonText, parseJsonMembers, readJsonString } from "#lib/platform/json-text.ts";
import { type ApiFailure, failure } from "./errors.ts";

const MAX_BYTES = 64 * 1024;
const bodyDecoder = new TextDecoder("utf-8", { fatal: true });
const textDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A field as sent: the text of a form field or JSON string, or the source text of any other JSON value. */
export type FieldValue = string | JsonText;

export interface ParsedBody {
  readonly ok: true;
  /** The bytes as they were received. */
  readonly bytes: Uint8Array;
  /** A JSON null is treated like an absent field. */
  readonly fields: ReadonlyMap<string, FieldValue>;
}

/**
 * Reads the body of a request: form or JSON, UTF-8, at most 64 KiB. A request without a body has no fields.
 */
export async function readBody(request: Request): Promise<ParsedBody | ApiFailure> {
  const bytes = await readBytes(request);
  if (bytes === null) return failure("body_too_large");
  const type = readContentType(request.headers);
  if (type === null) return failure("unsupported_content_type");
  if (bytes.length === 0) return { ok: true, bytes, fields: new Map() };
  if (type === "none") return failure("unsupported_content_type");
  const members = type === "json" ? parseJsonBody(bytes) : parseFormBody(bytes);
  if (!Array.isArray(members)) return members;
  const fields = new Map<string, FieldValue | null>();
  for (const [name, value] of members) {
    if (fields.has(name)) return failure("duplicate_field", name);
    fields.set(name, value);
  }
  return { ok: true, bytes, fields: withoutNulls(fields) };
}

async function readBytes(request: Request): Promise<Uint8Array | null> {
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    // The HTTP parser enforces the declared length.
    return Number(declared) > MAX_BYTES ? null : new Uint8Array(await request.arrayBuffer());
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function readContentType(headers: Headers): "json" | "form" | "none" | null {
  if ((headers.get("content-encoding") ?? "identity") !== "identity") return null;
  const [type = "", ...parameters] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const charset = parameters.map((p) => p.trim()).find((p) => p.startsWith("charset="));
  if (charset !== undefined && !/^charset="?(?:utf-?8|us-ascii)"?$/.test(charset)) return null;
  switch (type.trim()) {
    case "application/json":
      return "json";
    case "application/x-www-form-urlencoded":
      return "form";
    case "":
      return "none";
    default:
      return null;
  }
}

type Members = [name: string, value: FieldValue | null][];

function parseJsonBody(bytes: Uint8Array): Members | ApiFailure {
  const text = decode(bytes);
  const members = text === null ? null : parseJsonMembers(text);
  if (members === null) return failure("invalid_json");
  return members.map(([name, source]) => [name, parseFieldValue(source)]);
}

function parseFieldValue(source: string): FieldValue | null {
  if (source === "null") return null;
  return source.startsWith('"') ? readJsonString(source) : new JsonText(source);
}

/**
 * Parses application/x-www-form-urlencoded as the URL standard does, except that bytes that are not UTF-8
 * are refused.
 */
function parseFormBody(bytes: Uint8Array): Members | ApiFailure {
  const text = decode(bytes);
  if (text === null) return failure("invalid_form");
  const members: Members = [];
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const separator = pair.indexOf("=");
    const name = percentDecode(separator < 0 ? pair : pair.slice(0, separator));
    const value = percentDecode(separator < 0 ? "" : pair.slice(separator + 1));
    if (name === null) return failure("invalid_form");
    if (value === null) return failure("unsupported_character", name);
    members.push([name, value]);
  }
  return members;
}

function percentDecode(text: string): string | null {
  try {
    return text
      .replaceAll("+", " ")
      .replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
        textDecoder.decode(Buffer.from(run.replaceAll("%", ""), "hex")),
      );
  } catch {
    return null;
  }
}

function decode(bytes: Uint8Array): string | null {
  try {
    return bodyDecoder.decode(bytes);
  } catch {
    return null;
  }
}

function withoutNulls(fields: Map<string, FieldValue | null>): Map<string, FieldValue> {
  const present = new Map<string, FieldValue>();
  for (const [name, value] of fields) if (value !== null) present.set(name, value);
  return present;
}
