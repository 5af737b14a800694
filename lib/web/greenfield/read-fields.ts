import { createHash } from "node:crypto";
import { isJsonObject, parseJson, parseJsonMembers } from "#lib/platform/json-text.ts";
import { type Answer, invalid, problem } from "./answers.ts";

/** Metadata of 64 KiB and the other fields. */
const MAX_BYTES = 160 * 1024;
const decoder = new TextDecoder("utf-8", { fatal: true });

/** The fields of a JSON object. Names are compared without case, as BTCPay Server does. A null is an absent field. */
export class Fields {
  readonly #sources: ReadonlyMap<string, string>;

  constructor(members: readonly (readonly [name: string, source: string])[]) {
    const given = members.filter(([, source]) => source !== "null");
    this.#sources = new Map(given.map(([name, source]) => [name.toLowerCase(), source]));
  }

  /** The JSON text of a field, unchanged. null: the field is absent. */
  source(name: string): string | null {
    return this.#sources.get(name.toLowerCase()) ?? null;
  }

  /** The value of a field. undefined: the field is absent. */
  value(name: string): unknown {
    return parseJson(this.source(name) ?? "");
  }

  /** The text of a JSON string or the source of a number, without spaces around it. null: anything else. */
  text(name: string): string | null {
    const value = this.value(name);
    if (typeof value === "number") return this.source(name);
    return typeof value === "string" ? value.trim() : null;
  }

  /** The texts of a list. null: the field is absent or something else. */
  texts(name: string): readonly string[] | null {
    const value = this.value(name);
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : null;
  }

  /** True or false. null: the field is absent or something else. */
  flag(name: string): boolean | null {
    const value = this.value(name);
    return typeof value === "boolean" ? value : null;
  }

  /** The same text for the same fields, in whatever order. */
  fingerprint(): string {
    const sorted = [...this.#sources].sort(([one], [other]) => (one < other ? -1 : 1));
    return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
  }

  /** The fields of an object in this one. None, if it is absent or something else. */
  object(name: string): Fields {
    return new Fields(parseJsonMembers(this.source(name) ?? "") ?? []);
  }
}

/** Reads a body: a JSON object of UTF-8, whatever type the request says, or nothing. */
export async function readFields(request: Request): Promise<Fields | Answer> {
  const bytes = await readBytes(request);
  if (bytes === null) return problem(413, "body-too-large", "The body has more than 160 KiB.");
  const text = decode(bytes);
  if (text?.trim() === "") return new Fields([]);
  if (text === null || !isJsonObject(parseJson(text)))
    return invalid({ path: "", message: "The body is not a JSON object of UTF-8." });
  return new Fields(parseJsonMembers(text) ?? []);
}

async function readBytes(request: Request): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
